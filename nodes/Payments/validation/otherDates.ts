import { DateTime } from 'luxon';

/*
 * Dates in another form than ISO 8601. Several of them have two readings, so none is read here:
 * the fix has the expression that reads it, and a person decides.
 */

/** Three numbers, and perhaps a time of day. A day alone in ISO 8601 is none of them. */
const DAY =
	/^(?!\d{4}-\d\d-\d\d$)(\d{1,4})([-/.])\d{1,2}\2(\d{1,4})(?:(,? )\d{1,2}:\d\d(:\d\d)?(?:( ?)[ap]m)?)?$/i;

/** Forms without separators, by the number of their digits. */
const COMPACT_FORMATS: Readonly<Record<number, readonly string[]>> = {
	8: ['yyyyMMdd'],
	12: ['yyyyMMddHHmm', 'yyMMddHHmmss'],
	14: ['yyyyMMddHHmmss'],
};

/** With any year, many milliseconds would be dates. */
const YEARS = { min: 1900, max: 2099 };

/** @param format as Luxon writes it */
function isDate(text: string, format: string): boolean {
	const { isValid, year } = DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' });
	return isValid && year >= YEARS.min && year <= YEARS.max;
}

/** Finds the formats in which a value is a date without separators, such as 202608010815. */
export function compactFormatsOf(value: unknown): string[] {
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const digits = String(value).trim();
	return (COMPACT_FORMATS[digits.length] ?? []).filter((format) => isDate(digits, format));
}

/** Finds the formats in which a text is a date: two, if day and month can change places. */
function formatsOf(text: string): string[] {
	const [, first, mark, third, blank, seconds, half] = DAY.exec(text) ?? [];
	if (first === undefined) return [];
	const year = third.length === 4 ? 'yyyy' : 'yy';
	const days = first.length === 4 ? ['yyyy M d'] : [`d M ${year}`, `M d ${year}`];
	const hour = half === undefined ? 'H' : 'h';
	const end = half === undefined ? '' : `${half}a`;
	const time = blank === undefined ? '' : `${blank}${hour}:mm${seconds ? ':ss' : ''}${end}`;
	return days
		.map((day) => day.replaceAll(' ', mark) + time)
		.filter((format) => isDate(text, format));
}

/**
 * From 1973 to 2119, in days since December 30, 1899, as spreadsheets count them. Fewer days are
 * those since 1970 that R's ifelse() makes of dates.
 */
const SERIAL_NUMBERS = { min: 27_000, max: 80_000 };

/**
 * Returns n8n's expressions that read a date in another form, and the form that each is for.
 *
 * @param source the JavaScript that gives the value in an expression
 * @param zone the IANA name of the time zone that it's in
 */
export function expressionsFor(
	value: unknown,
	source: string,
	zone: string,
): Array<{ code: string; form: string }> {
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const text = String(value).trim();
	const serial = /^\d{5}(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
	if (serial >= SERIAL_NUMBERS.min && serial <= SERIAL_NUMBERS.max) {
		const seconds = `{ seconds: Math.round((${source}) * 86400) }`;
		// In UTC at first, where each day has 86,400 seconds.
		const code = `DateTime.fromISO('1899-12-30', { zone: 'utc' }).plus(${seconds}).setZone('${zone}', { keepLocalTime: true }).toISO()`;
		return [{ code, form: 'days since 1899-12-30' }];
	}
	const given = typeof value === 'number' ? `String(${source})` : source;
	return [...compactFormatsOf(value), ...formatsOf(text)].map((format) => {
		const code = `DateTime.fromFormat(${given}, "${format}", { zone: '${zone}' }).toISO()`;
		return { code, form: format };
	});
}
