import { isObject } from '../../shared/values';
import type { Transaction } from '../Transaction';
import { isEmptyBody, parseErrorBody } from './responseBody';
import {
	CODE_ALONE,
	DOUBT,
	METADATA,
	OTHER_SUBJECT,
	SAYS_NOTHING,
	STATUS_WORDS,
	SUBJECT_FIRST,
	SUBJECT_LAST,
	THERE,
} from './responseWords';
import { wordsOf } from './words';

/*
 * The service interface leaves open what the body of a 409 contains. That the event is recorded already is what it means most of
 * the time (public practice, Answers of the API), but services use it for blocked accounts, limits, and fraud rules as well. A
 * declined payment that is reported as recorded costs a payment; a recorded one that is reported as rejected costs a look. So
 * only words that say it plainly count.
 */

/**
 * Says whether a 409 response is about the event itself, so that the service has recorded it before. The most specific part
 * that says something decides: the fields of the details, then the code, then the message.
 *
 * @param body as it came: JSON, text, or nothing
 */
export function isEventConflict(body: unknown, { eventId }: Pick<Transaction, 'eventId'>): boolean {
	if (saysNothing(body)) return true;
	const { errorCode = '', message = '', warnings } = parseErrorBody(body);
	const words = (text: string) => wordsOf(withMarker(text, eventId));
	const issues = warnings.flatMap(({ issue }) => words(issue));
	const code = words(errorCode);
	const sentence = words(message);
	const everything = [...textsIn(body), ...issues, ...code, ...sentence];
	if (everything.some((word) => DOUBT.has(word))) return false;

	const named = warnings.filter(({ position }) => words(position).length > 0);
	if (named.length > 0)
		return (
			named.some(({ position }) => isEventField(words(position))) &&
			named.every(({ issue }) => saysThere(words(issue)))
		);
	const codeNamesIt = isThere(code) || CODE_ALONE.test(code.join(' '));
	if (codeNamesIt) return !namesOther(code);
	if (!code.every((word) => SAYS_NOTHING.has(word))) return false;
	return [sentence, issues].some((said) => isThere(said) && !namesOther(said));
}

/** Whether the response says nothing at all: no body, or only the status's own words, with times and IDs around them. */
function saysNothing(body: unknown): boolean {
	if (isEmptyBody(body)) return true;
	if (typeof body === 'string' || typeof body === 'number') return isStatus(String(body));
	if (!isObject(body)) return false;
	return Object.entries(body).every(
		([name, value]) =>
			(METADATA.has(name.toLowerCase()) && typeof value !== 'object') || saysNothing(value),
	);
}

const isStatus = (text: string) => wordsOf(text).every((word) => STATUS_WORDS.has(word));

const isThere = (words: string[]): boolean => {
	const text = words.join(' ');
	return SUBJECT_FIRST.test(text) || SUBJECT_LAST.test(text);
};

const saysThere = (words: string[]) => words.length === 0 || words.some((word) => THERE.has(word));

/** The words of all texts in a body, wherever they are. Its IDs and times say nothing. */
function textsIn(json: unknown, depth = 4): string[] {
	if (typeof json === 'string') return wordsOf(json);
	if (typeof json !== 'object' || json === null || depth === 0) return [];
	return Object.entries(json).flatMap(([name, value]) =>
		METADATA.has(name.toLowerCase()) ? [] : textsIn(value, depth - 1),
	);
}

const namesOther = (words: string[]) => words.some((word) => OTHER_SUBJECT.has(word));

const isEventField = (words: string[]): boolean => {
	const [last, before] = [words.at(-1), words.at(-2)];
	const name = last === 'id' || last === 'key' ? before : last;
	return (name === 'event' || name === 'idempotency') && !namesOther(words);
};

/** Puts a word in place of the Event ID, which can have any form. */
function withMarker(text: string, eventId: string): string {
	const at = text.toLowerCase().indexOf(eventId.toLowerCase());
	if (at < 0 || eventId === '') return text;
	const end = at + eventId.length;
	const isWhole = ![text[at - 1], text[end]].some((character) =>
		/[\p{L}\p{N}_-]/u.test(character ?? ''),
	);
	return isWhole ? `${text.slice(0, at)} eventvalue ${text.slice(end)}` : text;
}
