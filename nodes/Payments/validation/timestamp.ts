import { DateTime } from 'luxon';

import { failed, ok, type Result } from '../../shared/result';
import { isObject, quote } from '../../shared/values';

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

/**
 * Reads a point in time as an integer in ms since the epoch (docs/interface.md, 2.1).
 *
 * @param value an integer in ms, ISO 8601 text, a `Date`, or a Luxon `DateTime` such as `$now`
 * @param timeZone IANA name, for text without an offset, which n8n's date fields write
 */
export function parseTimestamp(value: unknown, timeZone: string): Result<number> {
	const instant = toMilliseconds(value, timeZone);
	if (!Number.isInteger(instant)) {
		if (!Number.isInteger(toMilliseconds(value, 'UTC')))
			return failed(`${quote(value)} isn't a point in time`, TIME_FORMS);
		return failed(
			`The time zone of the workflow, ${quote(timeZone)}, isn't known, so ${quote(value)} can't be read`,
			"Select a 'Timezone' such as Europe/Berlin in the workflow's settings, or give the time with an offset, such as 2025-05-28T13:38:44+02:00.",
		);
	}
	if (instant > LAST_MS)
		return failed(`${quote(value)} is too large for milliseconds since 1970`, TIME_FORMS);
	if (instant >= FIRST_MS) return ok(instant);
	if (instant >= FIRST_SECONDS)
		return failed(
			`${quote(value)} looks like seconds since 1970, but milliseconds are needed`,
			'Multiply it by 1000.',
		);
	return failed(`${quote(value)} lies before 1973`, TIME_FORMS);
}

/** Whether a point in time is text without an offset, so that it depends on a time zone. */
export const isLocalTime = (value: unknown): boolean =>
	typeof value === 'string' && /^\d{4}-?\d{2}-?\d{2}(?:[T ][\d:.,]*)?$/i.test(value.trim());

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
