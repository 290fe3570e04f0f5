import { isWebPage } from '../../../shared/statuses';
import { isObject, quote } from '../../../shared/values';
import type { Transaction } from '../../Transaction';
import { nameOf, UNREADABLE, type ServiceResponse } from './responseBody';

/*
 * A success status says that the transaction is recorded. Only the top level of the body can say
 * no, by names and values, and never by sentences. Nothing nested is read: a currency has a `code`,
 * and an account can be `blocked`.
 */

/**
 * Finds what keeps a response with a success status from confirming the transaction.
 *
 * @returns the reason, for a sentence that ends with "because …". `undefined` if it is confirmed.
 */
export function findDenial(
	{ status, headers, body }: ServiceResponse,
	sent: Pick<Transaction, 'eventId' | 'externalId'>,
): string | undefined {
	if (body === UNREADABLE) return "it can't be read";
	const isJson = typeof body === 'object';
	if (!isJson && isWebPage(headers['content-type'], body) && !isEmptyConfirmation(status, body))
		return "it is a web page, which the service doesn't send";
	if (isObject(body)) return confirms(body, sent) ? undefined : findNo(body);
	if (body === false) return 'it is only false';
	// n8n leaves JSON that it can't read as text.
	const isBroken = typeof body === 'string' && /^\s*[{["<]/.test(body);
	return isBroken ? `it can't be read: ${quote(body.trim())}` : undefined;
}

/** Express sends the type of a web page with an empty text. With 200, any server can be blank. */
const isEmptyConfirmation = (status: number, body: unknown): boolean =>
	(body === '' || body === undefined) && (status === 201 || status === 202);

const SUCCESS = new Set(['success', 'issuccess', 'ok']);
const YES = new Set(['true', '1', 'yes', 'y']);
const NO = new Set(['false', '0', 'no', 'n']);
/** JSend (github.com/omniti-labs/jsend). */
const FAILED_STATUS = new Set(['fail', 'error']);

/**
 * Whether the body says yes, which counts more than a no. So does an ID that was sent, unless the
 * body says that the request failed, because a service can repeat what it was sent.
 */
function confirms(
	body: Record<string, unknown>,
	{ eventId, externalId }: Pick<Transaction, 'eventId' | 'externalId'>,
): boolean {
	const members = Object.entries(body).map(([name, value]) => ({ name: nameOf(name), value }));
	const words = members.map(({ name, value }) => ({ name, word: wordOf(value) }));
	if (words.some(({ name, word }) => SUCCESS.has(name) && YES.has(word))) return true;
	if (words.some(({ name, word }) => saysFailed(name, word))) return false;
	const sent: Record<string, unknown> = { eventid: eventId, externalid: externalId };
	return members.some(({ name, value }) => Object.hasOwn(sent, name) && value === sent[name]);
}

/** Whether a member says that the request failed, and not only that something is wrong. */
const saysFailed = (name: string, word: string): boolean =>
	name === 'status' ? FAILED_STATUS.has(word) : SUCCESS.has(name) && NO.has(word);

function findNo(body: Record<string, unknown>): string | undefined {
	const found = Object.entries(body).find(([name, value]) => {
		const known = nameOf(name);
		if (/^(err|fault)/.test(known)) return hasValue(value);
		const word = wordOf(value);
		return saysFailed(known, word) || (known === 'status' && NO.has(word));
	});
	if (!found) return undefined;
	const [name, value] = found;
	return `it has ${name} ${quote(typeof value === 'object' ? JSON.stringify(value) : value)}`;
}

const wordOf = (value: unknown): string =>
	isObject(value) || Array.isArray(value) ? '' : String(value).trim().toLowerCase();

/** Texts by which a member for what is wrong says that nothing is. Zeros: `0`, `"00"`, `"0.0"`. */
const NOTHING = /^(|[0.]+|false|none|null|undefined|ok|success)$/;

/** A list or an object has a value if something in it has one. */
const hasValue = (value: unknown): boolean =>
	isObject(value) || Array.isArray(value)
		? Object.values(value).some(hasValue)
		: !NOTHING.test(wordOf(value));
