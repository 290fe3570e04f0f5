import { isObject } from '../../../shared/values';
import type { Transaction } from '../../Transaction';
import { isEmptyBody, parseErrorBody } from './responseBody';
import {
	CODE_ALONE,
	DOUBT,
	EXISTENCE,
	METADATA,
	OTHER_SUBJECT,
	GENERIC_CODE_WORDS,
	STATUS_WORDS,
	SUBJECT_FIRST,
	SUBJECT_LAST,
} from './responseWords';
import { wordsOf } from './words';

/*
 * The service interface doesn't say what the body of a 409 contains. Most of the time it means that
 * the event is recorded already (public practice, Answers of the API), but services also use it for
 * blocked accounts, limits, and fraud rules. Reporting a declined payment as recorded loses a
 * payment. Reporting a recorded one as rejected only costs a check. So a 409 is a duplicate only if
 * its words say so plainly.
 */

/**
 * Whether a 409 response says that the service has recorded the event before. The most specific
 * part decides: the fields of the details, then the code, then the message.
 *
 * @param body as it came: JSON, text, or nothing
 */
export function isEventConflict(body: unknown, { eventId }: Pick<Transaction, 'eventId'>): boolean {
	if (isBareStatus(body)) return true;
	const { errorCode = '', message = '', warnings } = parseErrorBody(body);
	const words = (text: string) => wordsOf(withMarker(text, eventId));
	const issues = warnings.flatMap(({ issue }) => words(issue));
	const code = words(errorCode);
	const sentence = words(message);
	const everything = [...textsIn(body, words), ...issues, ...code, ...sentence];
	if (everything.some((word) => DOUBT.has(word))) return false;

	const named = warnings.filter(({ position }) => words(position).length > 0);
	if (named.length > 0)
		return (
			named.some(({ position }) => isEventField(words(position))) &&
			named.every(({ issue }) => isAboutExistence(words(issue)))
		);
	const codeNamesIt = saysRecorded(code) || CODE_ALONE.test(code.join(' '));
	if (codeNamesIt) return !namesOther(code);
	if (!code.every((word) => GENERIC_CODE_WORDS.has(word))) return false;
	return [sentence, issues].some((said) => saysRecorded(said) && !namesOther(said));
}

/** Whether there is no body, or only the status's own words, times, and IDs. */
function isBareStatus(body: unknown): boolean {
	if (isEmptyBody(body)) return true;
	if (typeof body === 'string' || typeof body === 'number') return isStatus(String(body));
	if (!isObject(body)) return false;
	return Object.entries(body).every(
		([name, value]) =>
			(METADATA.has(name.toLowerCase()) && typeof value !== 'object') || isBareStatus(value),
	);
}

const isStatus = (text: string) => wordsOf(text).every((word) => STATUS_WORDS.has(word));

/** Matching takes more than linear time, and a service can send any number of words. */
const MAX_WORDS = 100;

const saysRecorded = (words: string[]): boolean => {
	if (words.length > MAX_WORDS) return false;
	const text = words.join(' ');
	return SUBJECT_FIRST.test(text) || SUBJECT_LAST.test(text);
};

const isAboutExistence = (words: string[]) =>
	words.length === 0 || words.some((word) => EXISTENCE.has(word));

/** Lists the words of all texts in a body, except those of its IDs and times. */
function textsIn(json: unknown, words: (text: string) => string[], depth = 4): string[] {
	if (typeof json === 'string') return words(json);
	if (typeof json !== 'object' || json === null || depth === 0) return [];
	return Object.entries(json).flatMap(([name, value]) =>
		METADATA.has(name.toLowerCase()) ? [] : textsIn(value, words, depth - 1),
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
