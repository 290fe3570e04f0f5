import { DateTime } from 'luxon';

/*
 * Dates in another form than ISO 8601. Several of them have two readings, so none is read here:
 * the fix has the expression that reads it, and a person decides.
 */

/** Three parts of a day, one of which can be an English month, and perhaps a time of day. */
const DAY =
	/^(\d{1,4}|[a-z]{3,9})([-/ .])(\d{1,2}|[a-z]{3,9})(, |[-/ .])(\d{4}|\d{1,2})(?:(, | |T)\d{1,2}:\d{2}(:\d{2})?(?:( ?)[ap]m)?)?$/i;

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

const isWord = (part: string) => /^[a-z]/i.test(part);

/** Finds the formats in which a text is a date: two, if day and month can change places. */
function formatsOf(text: string): string[] {
	const [, first, between, second, before, third, separator, seconds, blank] = DAY.exec(text) ?? [];
	if (first === undefined) return [];
	const time = separator === undefined ? '' : timeFormatOf(separator, seconds, blank);
	return ordersOf(first, second, third)
		.map(([one, two, three]) => `${one}${between}${two}${before}${three}${time}`)
		.filter((format) => isDate(text, format));
}

function ordersOf(first: string, second: string, third: string): string[][] {
	const year = third.length === 4 ? 'yyyy' : 'yy';
	const monthOf = (word: string) => (word.length === 3 ? 'LLL' : 'LLLL');
	if (isWord(first)) return [[monthOf(first), 'd', year]];
	if (isWord(second)) return [['d', monthOf(second), year]];
	if (first.length === 4) return [['yyyy', 'M', 'd']];
	return [
		['d', 'M', year],
		['M', 'd', year],
	];
}

/** @param blank what stands before am or pm, if one of them is there */
function timeFormatOf(separator: string, seconds: string | undefined, blank: string | undefined) {
	const hour = blank === undefined ? 'H' : 'h';
	const half = blank === undefined ? '' : `${blank}a`;
	return `${separator.replace('T', "'T'")}${hour}:mm${seconds ? ':ss' : ''}${half}`;
}

/** From 1954 to 2119, in days since December 30, 1899, as spreadsheets count them. */
const SERIAL_NUMBERS = { min: 20_000, max: 80_000 };

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
	// As in emails.
	if (DateTime.fromRFC2822(text).isValid)
		return [{ code: `DateTime.fromRFC2822(${source}).toISO()`, form: 'RFC 2822' }];
	const given = typeof value === 'number' ? `String(${source})` : source;
	return [...compactFormatsOf(value), ...formatsOf(text)].map((format) => {
		const locale = format.includes('LLL') ? ", locale: 'en'" : '';
		const options = `{ zone: '${zone}'${locale} }`;
		const code = `DateTime.fromFormat(${given}, ${JSON.stringify(format)}, ${options}).toISO()`;
		return { code, form: format };
	});
}
