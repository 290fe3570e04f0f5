import { isObject, quote } from '../../../shared/values';
import type { Transaction } from '../../Transaction';

import { isBrokenJson, isEmptyBody, UNREADABLE, type ServiceResponse } from './responseBody';
import {
	CODE_NAMES,
	DOUBT,
	ERROR_NAMES,
	ERROR_STATUSES,
	SUCCESS_CODE,
	SUCCESS_NAMES,
} from './responseWords';
import { wordsOf } from './words';

/** With Created and Accepted, text such as "OK" is enough. Any gateway answers with 200. */
export const SAYS_SO_ITSELF = new Set([201, 202]);

const MAX_DEPTH = 3;

/** Members with an HTTP status, as in the parts of a 207 (RFC 4918). */
const STATUS_NAMES = new Set(['status', 'statuscode', 'httpstatus', 'code']);

/**
 * Looks for a reason to doubt that a success response (2xx) means that this transaction was
 * recorded. The service interface doesn't say what the response contains, and a proxy can answer
 * with 200, too.
 *
 * @returns the reason, for a sentence that ends with "because …". `undefined` if it is recorded.
 */
export function findDoubt(
	{ status, headers, body }: ServiceResponse,
	{ eventId }: Pick<Transaction, 'eventId'>,
): string | undefined {
	if (isEmptyBody(body)) return undefined;
	if (body === UNREADABLE) return SAYS_SO_ITSELF.has(status) ? undefined : "its body can't be read";
	if (typeof body === 'string') {
		if (wasJson(headers['content-type'], body))
			return `its JSON can't be read: ${quote(body.trim())}`;
		const isFine =
			SAYS_SO_ITSELF.has(status) &&
			!body.trimStart().startsWith('<') &&
			!wordsOf(body).some((word) => DOUBT.has(word));
		return isFine ? undefined : `it is text: ${quote(body.trim())}`;
	}
	if (typeof body !== 'object') return `it is only ${quote(body)}`;
	const error = findError(body, MAX_DEPTH);
	if (error !== undefined) return `it names ${error}`;
	const other = findOtherEvent(body, eventId, MAX_DEPTH);
	return other === undefined ? undefined : `it names another Event ID: ${quote(other)}`;
}

/** By its content type, too, unless it's only words, such as "OK". */
const wasJson = (contentType: unknown, body: string): boolean =>
	isBrokenJson(body) ||
	(typeof contentType === 'string' && /\bjson\b/i.test(contentType) && !/^[\w .!-]*$/.test(body));

function findError(json: unknown, depth: number): string | undefined {
	if (depth === 0) return undefined;
	if (Array.isArray(json)) return firstOf(json, (one) => findError(one, depth));
	if (!isObject(json)) return undefined;
	return firstOf(Object.entries(json), ([name, value]) => {
		const word = wordsOf(name).join('');
		if (ERROR_NAMES.has(word) && hasValue(value)) return describe(name, value);
		if (SUCCESS_NAMES.has(word) && (value === false || value === 'false'))
			return describe(name, value);
		if (typeof value === 'string') {
			if (word === 'status' && ERROR_STATUSES.has(value.toLowerCase()))
				return describe(name, value);
			if (CODE_NAMES.has(word) && !SUCCESS_CODE.test(value)) return describe(name, value);
		}
		if (STATUS_NAMES.has(word) && isErrorStatus(value)) return describe(name, value);
		return typeof value === 'object' ? findError(value, depth - 1) : undefined;
	});
}

function findOtherEvent(json: unknown, eventId: string, depth: number): string | undefined {
	if (depth === 0) return undefined;
	if (Array.isArray(json)) return firstOf(json, (one) => findOtherEvent(one, eventId, depth));
	if (!isObject(json)) return undefined;
	return firstOf(Object.entries(json), ([name, value]) => {
		if (
			wordsOf(name).join('') === 'eventid' &&
			(typeof value === 'string' || typeof value === 'number')
		) {
			const found = String(value).trim();
			return found.toLowerCase() === eventId.toLowerCase() || found === '' ? undefined : found;
		}
		if (name.toLowerCase() === 'event' && isObject(value) && value.id !== undefined)
			return findOtherEvent({ eventId: value.id }, eventId, depth);
		return typeof value === 'object' ? findOtherEvent(value, eventId, depth - 1) : undefined;
	});
}

/** Codes of a service's own, such as 1000 or 10000 for a success, aren't HTTP statuses. */
const isErrorStatus = (value: unknown): boolean => {
	const status = typeof value === 'string' ? Number(value) : value;
	return typeof status === 'number' && status >= 400 && status <= 599;
};

const hasValue = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length > 0;
	if (isObject(value)) return Object.keys(value).length > 0;
	return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
};

const describe = (name: string, value: unknown): string =>
	typeof value === 'object' ? `${name} ${quote(JSON.stringify(value))}` : `${name} ${quote(value)}`;

function firstOf<T>(list: T[], find: (one: T) => string | undefined): string | undefined {
	for (const one of list) {
		const found = find(one);
		if (found !== undefined) return found;
	}
	return undefined;
}
