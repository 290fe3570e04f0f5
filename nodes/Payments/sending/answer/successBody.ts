import {
	MIN_TOKEN_LENGTH,
	plainName,
	UNREADABLE,
	valuesIn,
	type ServiceResponse,
} from '../../../shared/serviceResponse';
import { isWebPage } from '../../../shared/statuses';
import { isObject, quote } from '../../../shared/values';
import type { Transaction } from '../../Transaction';

/*
 * A success status says that the service took the transaction. Only the top level of the body can
 * say no, or that of the elements of a list: by names and values, and never by sentences. Nothing
 * nested is read: a currency has a `code`, and an account can be `blocked`.
 */

type Sent = Pick<Transaction, 'eventId' | 'externalId' | 'externalStatus'>;

/**
 * Finds what keeps a response with a success status from confirming the transaction.
 *
 * @returns the reason, for a sentence that ends with "because …". `undefined` if it is confirmed.
 */
export function findDenial(response: ServiceResponse, sent: Sent): string | undefined {
	const { status, body } = response;
	if (body === UNREADABLE) return "it can't be read";
	if (typeof body === 'object') {
		// The elements of a list, and of lists in it. Anything else is the only one.
		const elements = [body].flat(MAX_LISTS);
		return elements.some(Array.isArray) ? "it can't be read" : findNoIn(elements, sent);
	}
	if (isWebPage(response) && !isEmptyConfirmation(status, body))
		return "it is a web page, which the service doesn't send";
	if (body === false) return ONLY_FALSE;
	if (typeof body !== 'string' && typeof body !== 'number') return undefined;
	const text = String(body).trim();
	if (CONFIRMATION.test(text) && !NAMES_NO.test(text)) return undefined;
	// n8n leaves JSON that it can't read as text.
	return /^[{["<]/.test(text) ? "it can't be read" : 'it is a text, and neither "OK" nor an ID';
}

const ONLY_FALSE = 'it is only false';

/** Lists in lists. With any number, `flat` could throw. */
const MAX_LISTS = 50;

/** Express sends the type of a web page with an empty text. With 200, any server can be blank. */
const isEmptyConfirmation = (status: number, body: unknown): boolean =>
	(body === '' || body === undefined) && (status === 201 || status === 202);

/** Nothing, the name of a status, or an ID. Any other text can say anything. */
const CONFIRMATION = /^(|OK|Accepted|Created|(?=.*\d)[A-Za-z0-9._:-]{6,100})$/;
/** It has the form of an ID, and says no: `ERROR:1042`, `REJECTED-51`. */
const NAMES_NO =
	/(^|[^a-z])(err|errors?|faults?|fail|failed|failures?|rejected|declined|denied|refused|invalid)([^a-z]|$)/i;

/** Finds an element that says no, or, if none is about the transaction, one about another event. */
function findNoIn(elements: unknown[], sent: Sent): string | undefined {
	if (elements.includes(false)) return ONLY_FALSE;
	const objects = elements.filter(isObject).map(membersOf);
	for (const members of objects) {
		const no = findNo(members, sent);
		if (no) return `it has ${no.name}${shown(no.value)}`;
	}
	const ownEvent = wordOf(sent.eventId);
	const isOther = (word: string) => !NOTHING.test(word) && word !== ownEvent;
	const isAboutOther = objects.some((members) => has(members, EVENT_ID, isOther));
	const isAboutOwn = objects.some(
		(members) =>
			has(members, EXTERNAL_ID, (_, id) => id === sent.externalId) ||
			(objects.length > 1 && has(members, EVENT_ID, (word) => word === ownEvent)),
	);
	return isAboutOther && !isAboutOwn ? 'it is about another Event ID' : undefined;
}

/** Shows a value that can't have an access token in it. */
function shown(value: unknown): string {
	const isLong = typeof value === 'string' && value.length >= MIN_TOKEN_LENGTH;
	return typeof value === 'object' || isLong ? '' : ` ${quote(value)}`;
}

interface Member {
	name: string;
	/** As `plainName` returns it. */
	known: string;
	value: unknown;
	word: string;
}

const membersOf = (object: Record<string, unknown>): Member[] =>
	Object.entries(object).map(([name, value]) => {
		return { name, known: plainName(name), value, word: wordOf(value) };
	});

const has = (
	members: Member[],
	name: RegExp,
	isMeant: (word: string, value: unknown) => boolean,
): boolean => members.some(({ known, word, value }) => name.test(known) && isMeant(word, value));

const EVENT_ID = /^eventid$/;
const EXTERNAL_ID = /^externalid$/;
const OWN_ID = /^(transaction|payment|transfer)?(uu)?id$/;

/** Names of what went wrong: `errors`, `hasError`, `fault_code`, `failure-reason`. */
const FAULT =
	/^(is|has)?(err|errors?|faults?|fail|failed|failures?)(code|message|msg|reason|description|details?|type|text|count|id|name|no|number)?$/;
/** Its value is a yes or a no. */
const QUESTION = /^(is|has)/;
const SUCCESS = /^(is|has)?(success|successful|succeeded|ok|accepted)$/;
/** Their yes counts more than any no. */
const STRONG_SUCCESS = /^(success|ok)$/;

const YES = /^(true|1|yes|y)$/;
const NO = /^(false|0|no|n|fail|failed|failure|error)$/;
/** JSend (github.com/omniti-labs/jsend), and a no in the place of its words. */
const FAILED_STATUS = /^(fail|error|false)$/;
/** Can also be a state of the transaction. */
const FAILED_STATE = /^(failed|failure)$/;

/** Finds a member by which the request failed. */
function findNo(members: Member[], sent: Sent): Member | undefined {
	const repeated = [wordOf(sent.eventId), wordOf(sent.externalId)];
	const isState = (word: string) =>
		word === wordOf(sent.externalStatus) ||
		has(members, OWN_ID, (id) => !NOTHING.test(id) && !repeated.includes(id));
	const isYes =
		has(members, STRONG_SUCCESS, (word) => YES.test(word)) &&
		!has(members, STRONG_SUCCESS, (word) => NO.test(word));
	if (isYes) return undefined;
	return members.find(({ known, value, word }) => {
		if (FAULT.test(known)) return hasValue(value) && !(QUESTION.test(known) && NO.test(word));
		if (SUCCESS.test(known)) return NO.test(word);
		if (known === 'statuscode') return /^[45]\d\d$/.test(word);
		if (known !== 'status') return false;
		return FAILED_STATUS.test(word) || (FAILED_STATE.test(word) && !isState(word));
	});
}

const wordOf = (value: unknown): string =>
	isObject(value) || Array.isArray(value) ? '' : String(value).trim().toLowerCase();

/** Texts by which a member says that it has no value. Zeros: `0`, `"00"`, `"0.0"`. */
const NOTHING =
	/^(|[0.]+|-+|false|none|null|nil|undefined|n\/a|ok|success(ful)?|no[ _-]?(errors?|faults?|failures?)|https?:\/\/.*)$/;

/** A list or an object has a value if something in it has one. */
function hasValue(value: unknown): boolean {
	for (const one of valuesIn(value)) if (!NOTHING.test(wordOf(one.value))) return true;
	return false;
}
