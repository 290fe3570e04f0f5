import { isWebPage } from '../../../shared/statuses';
import { isObject, quote } from '../../../shared/values';
import type { Transaction } from '../../Transaction';
import { nameOf, UNREADABLE, type ServiceResponse } from './responseBody';

/*
 * A success status says that the transaction is recorded. Only the top level of the body can say
 * no, by names and values, and never by sentences. Nothing nested is read: a currency has a `code`,
 * and an account can be `blocked`.
 */

type Sent = Pick<Transaction, 'eventId' | 'externalId' | 'externalStatus'>;

/**
 * Finds what keeps a response with a success status from confirming the transaction.
 *
 * @returns the reason, for a sentence that ends with "because …". `undefined` if it is confirmed.
 */
export function findDenial(
	{ status, headers, body }: ServiceResponse,
	sent: Sent,
): string | undefined {
	if (body === UNREADABLE) return "it can't be read";
	const isJson = typeof body === 'object';
	if (!isJson && isWebPage(headers['content-type'], body) && !isEmptyConfirmation(status, body))
		return "it is a web page, which the service doesn't send";
	const only: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	if (isObject(only)) return findNo(only, sent);
	if (body === false) return 'it is only false';
	if (typeof body !== 'string' && typeof body !== 'number') return undefined;
	const text = String(body).trim();
	if (CONFIRMATION.test(text)) return undefined;
	// n8n leaves JSON that it can't read as text.
	return /^[{["<]/.test(text) ? "it can't be read" : 'it is a text, and neither "OK" nor an ID';
}

/** Express sends the type of a web page with an empty text. With 200, any server can be blank. */
const isEmptyConfirmation = (status: number, body: unknown): boolean =>
	(body === '' || body === undefined) && (status === 201 || status === 202);

/** Nothing, the name of a status, or an ID. Any other text can say anything. */
const CONFIRMATION = /^(|OK|Accepted|Created|(?=.*\d)[A-Za-z0-9._:-]{6,100})$/;

const YES = /^(true|1|yes|y)$/;
const NO = /^(false|0|no|n|failed)$/;
/** JSend (github.com/omniti-labs/jsend), and a no in the place of its words. */
const FAILED_STATUS = /^(fail|error|false)$/;
/** Can also be a state of the transaction. */
const FAILED_STATE = /^(failed|failure)$/;
const ID = /^(transaction|payment|transfer)?(uu)?id$/;

/** Finds a member by which the request failed, or which is about another event. */
function findNo(body: Record<string, unknown>, sent: Sent): string | undefined {
	const members = Object.entries(body).map(([name, value]) => {
		return { name, known: nameOf(name), value, word: wordOf(value) };
	});
	const has = (name: RegExp, isMeant: (word: string, value: unknown) => boolean) =>
		members.some(({ known, word, value }) => name.test(known) && isMeant(word, value));
	const repeated = [wordOf(sent.eventId), wordOf(sent.externalId)];
	const isState = (word: string) =>
		word === wordOf(sent.externalStatus) ||
		has(ID, (id) => !NOTHING.test(id) && !repeated.includes(id));
	const found = members.find(({ known, value, word }) => {
		if (/^(err|fault|failure)|^(failed|haserror)$/.test(known)) return hasValue(value);
		if (/^((is)?success|ok|accepted)$/.test(known)) return NO.test(word);
		if (known === 'statuscode') return /^[45]\d\d$/.test(word);
		if (known !== 'status') return false;
		return FAILED_STATUS.test(word) || (FAILED_STATE.test(word) && !isState(word));
	});
	if (found && !has(/^(success|ok)$/, (word) => YES.test(word))) {
		const { name, value } = found;
		return `it has ${name} ${quote(typeof value === 'object' ? JSON.stringify(value) : value)}`;
	}
	const isOther = has(/^eventid$/, (id) => !NOTHING.test(id) && id !== wordOf(sent.eventId));
	return isOther && !has(/^externalid$/, (_, id) => id === sent.externalId)
		? 'it is about another Event ID'
		: undefined;
}

const wordOf = (value: unknown): string =>
	isObject(value) || Array.isArray(value) ? '' : String(value).trim().toLowerCase();

/** Texts by which a member says that it has no value. Zeros: `0`, `"00"`, `"0.0"`. */
const NOTHING = /^(|[0.]+|false|none|null|undefined|ok|success)$/;

/** A list or an object has a value if something in it has one. */
const hasValue = (value: unknown): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some(hasValue)
		: !NOTHING.test(wordOf(value));
