import { plainName, valuesIn, type ServiceResponse } from '../../../shared/serviceResponse';
import { asText, isObject } from '../../../shared/values';
import { FIELDS, valueOf, type Field, type Transaction } from '../../Transaction';

/** What a code says of an Event ID. */
export type CodeSays = 'recorded' | 'inProgress' | 'otherContent';

/*
 * The service's own codes (docs/interface.md, 11.2), and the titles of the IETF draft
 * Idempotency-Key (version 07, section 2.7). Others are stated in the credential, because one code
 * means two things at two services.
 */
const CODES: Record<CodeSays, string[]> = {
	/** Another request with the same Event ID isn't finished. */
	inProgress: ['REQUEST_IN_PROGRESS', 'A request is outstanding for this Idempotency-Key'],
	/** The service has the Event ID with other content. */
	otherContent: ['IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key is already used'],
	recorded: ['EVENT_ALREADY_EXISTS'],
};

/** Whether a service says that it repeats its first response to this Event ID. */
export const isReplay = ({ headers }: Pick<ServiceResponse, 'headers'>): boolean =>
	asText(headers['idempotent-replayed']).trim().toLowerCase() === 'true';

/** Whether an error body has a code where only the service writes. */
export const hasCode = (body: unknown, code: string): boolean =>
	isObject(body) &&
	[body, body.error].some(
		(one) => isObject(one) && [one.error, one.code, one.errorCode].includes(code),
	);

/** Statuses with which a code of the table, or a stated one, counts. */
export const STATUSES_WITH_CODES = [400, 409, 422];
/** Stated, it stands for each response with this status that says nothing else. */
const ANY_409 = '409';

/**
 * Returns what a response says by its codes. What leaves it open comes first.
 *
 * @param sent what the response is about
 * @param stated what the credential states (Codes for Recorded Already)
 * @returns `undefined` if it has no code that anybody stated
 */
export function codeSays(
	{ status, headers, body }: ServiceResponse,
	sent: Transaction,
	stated: readonly string[],
): CodeSays | undefined {
	if (!STATUSES_WITH_CODES.includes(status)) return undefined;
	const isSaid = wordsOfService(body, sent);
	const has = (says: CodeSays) =>
		CODES[says].some((code) => !stated.includes(code) && isSaid(code));

	if (has('inProgress')) return 'inProgress';
	if (has('otherContent')) return 'otherContent';
	// A number that only repeats the status is no code.
	const entries = stated.filter((text) => text !== ANY_409 && text !== String(status));
	if (has('recorded') || entries.some(isSaid)) return 'recorded';
	if (status !== 409) return undefined;
	if (headers['retry-after'] !== undefined) return 'inProgress';
	return stated.includes(ANY_409) ? 'recorded' : undefined;
}

const FIELD_NAMES = FIELDS.flatMap((field) => [field, ...field.split('.')]).map(plainName);

/** Whether a member is a field of the transaction: `$.reference`, `sender[country_code]`. */
const isField = (name: string): boolean => FIELD_NAMES.some((field) => name.endsWith(field));

/** Members that hold codes, which can be numbers. */
const CODE_NAME =
	/^(sub|inner|internal|business|detail|err|error|fault|failure|reason|result|response|return|message|msg|status)*codes?$|^err(or)?(s|id|no|number|name|type|key)?$|^(type|title|reason)$/;
const NUMBER = /^[-+]?[\d.]+$/;

/** Their values are words of sentences, such as BE, IN, and ALL, and nobody writes others. */
const ISO_CODES = /(^currency|countryCode)$/;
const WORD = '[\\p{L}\\p{N}_]';

/**
 * Returns a function that says whether the service's own words have a text as a whole. Who writes a
 * transaction must not decide its outcome: what was sent, and comes back, isn't the service's.
 */
function wordsOfService(body: unknown, sent: Transaction): (text: string) => boolean {
	const texts = new Set<string>();
	const codes = new Set<string>();
	for (const { value, name } of valuesIn(body, isField)) {
		if (typeof value !== 'string' && typeof value !== 'number') continue;
		texts.add(String(value));
		if (CODE_NAME.test(name)) codes.add(String(value));
	}
	const textsOf = (fields: Field[]) =>
		fields
			.map((field) => valueOf(sent, field) as string | number | null)
			.map((value) => String(value ?? '').toLowerCase())
			.filter(Boolean);
	const repeated = new Set(textsOf(FIELDS));
	const writable = textsOf(FIELDS.filter((field) => !ISO_CODES.test(field)));
	const escaped = writable.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
	// As words of their own: INV-1 isn't in INV-10.
	const written = new RegExp(`(?<!${WORD})(?:${escaped.join('|')})(?!${WORD})`, 'iu');
	return (text) =>
		(NUMBER.test(text) ? codes : texts).has(text) &&
		!repeated.has(text.toLowerCase()) &&
		!written.test(text);
}

/**
 * Whether a body names another Event ID than the one that was sent, wherever that is. A value with
 * blanks is a sentence about the field, and no ID.
 */
export function namesOtherEvent(body: unknown, { eventId }: Pick<Transaction, 'eventId'>): boolean {
	for (const { value, name } of valuesIn(body)) {
		if (!name.endsWith('eventid')) continue;
		const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
		if (id !== '' && !/\s/.test(id) && id.toLowerCase() !== eventId.toLowerCase()) return true;
	}
	return false;
}

/** Whether a body has the transaction that was sent, wherever that is. */
export function namesOwn(body: unknown, { eventId, externalId }: Transaction): boolean {
	for (const { value, name } of valuesIn(body)) {
		if (name === 'externalid' && value === externalId) return true;
		if (name === 'eventid' && String(value).toLowerCase() === eventId.toLowerCase()) return true;
	}
	return false;
}
