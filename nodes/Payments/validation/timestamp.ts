import { DateTime } from 'luxon';

import { failed, ok, type Result } from '../../shared/result';
import { isObject, quote } from '../../shared/values';
import { compactFormatsOf, expressionsFor } from './otherDates';

/** From 1973 to 2286, a time has 12 or 13 digits in ms, and 9 or 10 digits in seconds. */
const FIRST_MS = 100_000_000_000;
const LAST_MS = 9_999_999_999_999;
const FIRST_SECONDS = 100_000_000;

/** Luxon would read a time alone as today, and a month alone as its first day. */
const CALENDAR_DAY = /^\d{4}-?\d{2}-?\d{2}/;
/** An offset of at least 24 hours or 60 minutes. Luxon accepts it, but no place on earth has it. */
const IMPOSSIBLE_OFFSET = /[T ].*[+-](?:2[4-9]|[3-9]\d|\d\d:?[6-9]\d)/i;
/** The zone behind an offset (RFC 9557). The offset alone determines the instant. */
const ZONE_AFTER_OFFSET = /(?<=[+-]\d\d(?::?\d\d)?|Z)\[[^\]]*\]$/i;
/** T and Z in lower case (RFC 3339, section 5.6), which not every version of Luxon reads. */
const LOWER_CASE_LETTER = /(?<=\d)[tz](?=\d|\[|$)/g;

/** No form of a date and time is longer, and some of these patterns take quadratic time. */
const MAX_LENGTH = 100;

export const TIME_FORMS =
	'Use a date and time such as 2025-05-28T11:38:44Z, or milliseconds since 1970.';

interface TimestampRules {
	/** IANA name, for text without an offset, which n8n's date fields write. */
	timeZone: string;
	/** For the expression in a fix. */
	source: () => ValueSource;
}

/** How an expression gets a value. */
export interface ValueSource {
	/** JavaScript. */
	code: string;
	/** Whether it's in a column that is matched by its name: this node has no field for it. */
	isColumn: boolean;
}

/**
 * Reads a point in time as an integer in ms since the epoch (docs/interface.md, 2.1).
 *
 * @param value an integer in ms, ISO 8601 text, a `Date`, or a Luxon `DateTime` such as `$now`
 */
export function parseTimestamp(value: unknown, rules: TimestampRules): Result<number> {
	const { timeZone } = rules;
	const name = typeof value === 'string' ? findShortZone(value.trim(), timeZone) : undefined;
	if (name !== undefined)
		return failed(
			`${quote(value)} has the short name ${quote(name)} of a time zone, which stands for several`,
			'Write the offset in its place, such as +01:00, or a name with a slash, such as Europe/London.',
		);
	const instant = toMilliseconds(value, timeZone);
	if (!Number.isInteger(instant) && Number.isInteger(toMilliseconds(value, 'UTC')))
		return failed(
			`The time zone of the workflow, ${quote(timeZone)}, isn't known, so ${quote(value)} can't be read`,
			"Select a 'Timezone' such as Europe/Berlin in the workflow's settings, or give the time with an offset, such as 2025-05-28T13:38:44+02:00.",
		);
	const isCompact = compactFormatsOf(value).length > 0;
	if (Number.isInteger(instant) && instant >= FIRST_MS && instant <= LAST_MS && !isCompact)
		return ok(instant);
	const expressions = findExpressions(value, rules);
	if (expressions) return failed(`${quote(value)} is a date in another form`, expressions);
	if (!Number.isInteger(instant))
		return failed(`${quote(value)} isn't a point in time`, TIME_FORMS);
	if (instant > LAST_MS)
		return failed(`${quote(value)} is too large for milliseconds since 1970`, TIME_FORMS);
	if (instant >= FIRST_SECONDS)
		return failed(
			`${quote(value)} looks like seconds since 1970, but milliseconds are needed`,
			'Multiply it by 1000.',
		);
	return failed(`${quote(value)} lies before 1973`, TIME_FORMS);
}

/** Names the expressions that read a date in another form, if there are any. */
function findExpressions(value: unknown, { timeZone, source }: TimestampRules): string | undefined {
	if (typeof value === 'string' && value.length > MAX_LENGTH) return undefined;
	const { code, isColumn } = source();
	const found = expressionsFor(value, code, timeZone);
	if (found.length === 0) return undefined;
	const codes = found.map((one) =>
		found.length > 1 ? `{{ ${one.code} }} if it is ${one.form}` : `{{ ${one.code} }}`,
	);
	const where = isColumn
		? "In an Edit Fields node before this one, with 'Include Other Input Fields' on, use"
		: 'Use';
	return `${where} ${codes.join(', or ')}. It reads the date in ${timeZone}, the time zone of the workflow.`;
}

/** Behind a day, and the digits of a time of day: an offset, and the names of zones. */
const AFTER_DIGITS = /^\d{4}-?\d{2}-?\d{2}(?:[T ][\d:.,]*)?(.*)$/is;
const ZONE_NAME = /[a-z][\w+/-]*/gi;

/**
 * Finds the name of a zone that isn't UTC, and has no slash, in a text that is a date and time but
 * for that. Luxon takes BST for Dhaka, as the list of zones has it, and most texts mean London.
 */
function findShortZone(text: string, timeZone: string): string | undefined {
	const [, behind = ''] = AFTER_DIGITS.exec(text) ?? [];
	const names = text.length > MAX_LENGTH ? [] : (behind.match(ZONE_NAME) ?? []);
	const name = names.find((one) => !one.includes('/') && !/^(?:Z|UTC|GMT)$/i.test(one));
	if (name === undefined) return undefined;
	const inUtc = text.replace(name, 'UTC');
	return Number.isInteger(fromIsoText(inUtc, timeZone)) ? name : undefined;
}

/** Whether a point in time is text without an offset, so that it depends on a time zone. */
export const isLocalTime = (value: unknown): boolean =>
	typeof value === 'string' && AFTER_DIGITS.exec(value.trim())?.[1] === '';

/** Returns NaN, or another number that is no integer, if the value is no point in time. */
function toMilliseconds(value: unknown, timeZone: string): number {
	if (typeof value === 'number') return value;
	if (typeof value === 'string') {
		const text = value.trim();
		const isMilliseconds = /^\d{1,16}$/.test(text);
		return isMilliseconds ? Number(text) : fromIsoText(text, timeZone);
	}
	if (value instanceof Date) return value.getTime();
	// A DateTime of the expression engine comes from another copy of Luxon, so no `instanceof`.
	const isDateTime = isObject(value) && typeof value.toMillis === 'function';
	return isDateTime ? (value as { toMillis(): number }).toMillis() : NaN;
}

/**
 * Reads ISO 8601 text as Luxon does, also with a blank in place of the T, as databases write it.
 * A local time that daylight saving time skips moves forward. One that occurs twice is read as the
 * first, because Luxon would choose by the season in which it runs.
 */
function fromIsoText(text: string, timeZone: string): number {
	if (text.length > MAX_LENGTH || !CALENDAR_DAY.test(text) || IMPOSSIBLE_OFFSET.test(text))
		return NaN;
	const normalized = text
		.replace(LOWER_CASE_LETTER, (letter) => letter.toUpperCase())
		.replace(ZONE_AFTER_OFFSET, '');
	const options = { zone: timeZone, setZone: true };
	const fromIso = DateTime.fromISO(normalized, options);
	const dateTime = fromIso.isValid ? fromIso : DateTime.fromSQL(normalized, options);
	// NaN when Luxon can't read it.
	const occurrences = dateTime.getPossibleOffsets().map((occurrence) => occurrence.toMillis());
	return Math.min(...occurrences);
}
