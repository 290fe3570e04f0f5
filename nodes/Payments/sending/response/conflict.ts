import { isObject } from '../../../shared/values';
import { isBrokenJson, isEmptyBody, parseErrorBody, UNREADABLE } from './responseBody';
import {
	EXISTS,
	IN_PROGRESS,
	METADATA,
	NEUTRAL,
	OTHER_CONTENT,
	REQUEST,
	STATUS_WORDS,
	SUBJECT,
} from './responseWords';
import { wordsOf } from './words';

/*
 * The service interface doesn't say what the body of a 409 contains. Services use it for four
 * things, and where it isn't certain which one, the worse reading counts: reporting a declined
 * payment as recorded loses it, and reporting a recorded one as rejected costs a check.
 */

/** What a 409 says about the transaction. */
export type ConflictMeaning =
	/** The service has recorded the event. */
	| 'recorded'
	/** Another request with the same Event ID isn't finished. */
	| 'inProgress'
	/** Something else: another reason, or the same Event ID with other content. */
	| 'other'
	/** Nothing but the status, or a body that can't be read. */
	| 'silent';

/**
 * Says what a 409 means, from its code and fields first, and its words where these say nothing.
 *
 * @param body as it came: JSON, text, or nothing
 * @param hasRetryAfter whether it asks for the same request again
 */
export function readConflict(
	body: unknown,
	eventId: string,
	hasRetryAfter: boolean,
): ConflictMeaning {
	if (isUnreadable(body)) return 'silent';
	if (isBareStatus(body)) return hasRetryAfter ? 'inProgress' : 'silent';
	const { code, sentences } = textsOf(body, eventId);
	const all = [code, ...sentences];
	if (all.some((text) => OTHER_CONTENT.test(text))) return 'other';
	if (all.some((text) => IN_PROGRESS.test(text) && REQUEST.test(text))) return 'inProgress';
	if (saysRecorded(body, eventId)) return 'recorded';
	return hasRetryAfter ? 'inProgress' : 'other';
}

/**
 * Whether an error response says that the service has recorded the event. Some services say it with
 * 400 or 422, too.
 */
export function saysRecorded(body: unknown, eventId: string): boolean {
	if (isUnreadable(body)) return false;
	const { code, sentences, fields } = textsOf(body, eventId);
	if ([code, ...sentences].some((text) => OTHER_CONTENT.test(text) || IN_PROGRESS.test(text)))
		return false;
	if (fields.length > 0)
		return (
			(code === '' || isNeutral(code)) &&
			fields.every(
				({ name, issue }) => SUBJECT.test(name) && isNeutral(name) && statesExistence(issue),
			)
		);
	if (SUBJECT.test(code)) return isRecordedStatement(code);
	return (code === '' || isNeutral(code)) && sentences.some(isRecordedStatement);
}

/**
 * Whether an error response says that the service has the event with other content, as some do with
 * 400 or 422 (IETF draft, section 2.7).
 */
export function saysOtherContent(body: unknown, eventId: string): boolean {
	if (isUnreadable(body)) return false;
	const { code, sentences } = textsOf(body, eventId);
	return [code, ...sentences].some((text) => SUBJECT.test(text) && OTHER_CONTENT.test(text));
}

const isUnreadable = (body: unknown) => body === UNREADABLE || isBrokenJson(body);

const isRecordedStatement = (text: string): boolean => SUBJECT.test(text) && statesExistence(text);

const statesExistence = (text: string): boolean => EXISTS.test(text) && isNeutral(text);

const isNeutral = (text: string): boolean => text.split(' ').every((word) => NEUTRAL.has(word));

/** A body with more says something else than that an event is recorded. */
const MAX_WARNINGS = 20;

/** The parts of an error body, as words in lower case, joined by blanks. */
function textsOf(body: unknown, eventId: string) {
	const { errorCode = '', message = '', warnings: all } = parseErrorBody(body);
	const warnings = all.slice(0, MAX_WARNINGS);
	const normalize = (text: string) => wordsOf(withMarker(text, eventId)).join(' ');
	const details = warnings.map(({ position, issue }) => ({
		name: normalize(position),
		issue: normalize(issue),
	}));
	return {
		code: normalize(errorCode),
		sentences: [normalize(message), ...details.map(({ issue }) => issue)].filter(Boolean),
		fields: details.filter(({ name }) => name !== ''),
	};
}

/** Whether there is no body, or only the status's own words, times, and IDs. */
function isBareStatus(body: unknown): boolean {
	if (isEmptyBody(body)) return true;
	if (typeof body === 'string' || typeof body === 'number') return isStatus(String(body));
	if (!isObject(body)) return false;
	return Object.entries(body).every(
		([name, value]) =>
			(METADATA.has(name.toLowerCase()) && typeof value !== 'object') ||
			isBareStatus(value) ||
			(name === 'type' && typeof value === 'string' && /^https?:/.test(value)),
	);
}

const isStatus = (text: string) => wordsOf(text).every((word) => STATUS_WORDS.has(word));

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
