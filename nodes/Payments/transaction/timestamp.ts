import { formatValue, type ParseResult } from './parse';

const ISO_8601 =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/** From 1973 to 2286 a time in ms has 12 or 13 digits, and the same time in seconds 9 or 10. */
const FIRST_MS = 100_000_000_000;
const LAST_MS = 9_999_999_999_999;
const FIRST_SECONDS = 100_000_000;

const FORMS = 'Use a date and time such as 2025-05-28T11:38:44Z, or milliseconds since 1970.';

/**
 * A point in time as an integer in ms since the epoch (service interface, section 2.1).
 *
 * @param value an integer in ms, ISO 8601 text, a `Date`, or a Luxon `DateTime` such as `$now`
 * @param timeZone IANA name, for text without an offset: the editor's own date fields write such text
 */
export function parseTimestamp(value: unknown, timeZone: string): ParseResult<number> {
	const instant = toMilliseconds(value, timeZone);
	if (instant === undefined || !Number.isInteger(instant))
		return { problem: `${formatValue(value)} is not a point in time. ${FORMS}` };
	if (instant >= FIRST_MS && instant <= LAST_MS) return { value: instant };
	if (instant >= FIRST_SECONDS && instant < FIRST_MS) {
		return {
			problem: `${formatValue(value)} looks like seconds since 1970, but milliseconds are needed. Multiply it by 1000.`,
		};
	}
	if (instant > LAST_MS)
		return { problem: `${formatValue(value)} is too large for milliseconds since 1970. ${FORMS}` };
	return { problem: `${formatValue(value)} lies before 1973. ${FORMS}` };
}

function toMilliseconds(value: unknown, timeZone: string): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value === 'string') {
		const text = value.trim();
		return /^\d{1,16}$/.test(text) ? Number(text) : fromIsoText(text, timeZone);
	}
	if (value instanceof Date) return value.getTime();
	if (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	) {
		const instant: unknown = value.toMillis();
		return typeof instant === 'number' ? instant : undefined;
	}
	return undefined;
}

function fromIsoText(text: string, timeZone: string): number | undefined {
	const match = ISO_8601.exec(text);
	if (!match) return undefined;
	const [year, month, day, hour, minute, second] = match
		.slice(1, 7)
		.map((part) => Number(part ?? 0));
	const wall = Date.UTC(
		year,
		month - 1,
		day,
		hour,
		minute,
		second,
		Number((match[7] ?? '').padEnd(3, '0').slice(0, 3)),
	);
	const read = new Date(wall);
	// Date.UTC turns 30 February into 2 March, and the year 85 into 1985; what does not come back as it was written does not exist.
	const exists =
		read.getUTCFullYear() === year &&
		read.getUTCMonth() === month - 1 &&
		read.getUTCDate() === day &&
		hour < 24 &&
		minute < 60 &&
		second < 60;
	if (!exists) return undefined;
	const offset = match[8];
	if (offset === undefined) return wall - offsetAt(wall - offsetAt(wall, timeZone), timeZone);
	if (/z/i.test(offset)) return wall;
	const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
	return wall - (offset.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

/** How far the time zone's wall clock is ahead of UTC at an instant, in ms. */
function offsetAt(instant: number, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		timeZoneName: 'longOffset',
	}).formatToParts(instant);
	const [, sign, hours = '0', minutes = '0'] =
		/GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(
			parts.find(({ type }) => type === 'timeZoneName')?.value ?? '',
		) ?? [];
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
