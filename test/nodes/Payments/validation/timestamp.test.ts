import { Settings } from 'luxon';

import { parseTimestamp } from '../../../../nodes/Payments/validation/timestamp';
import { expectResult } from '../../../support/expectResult';
import { fc, propertyRuns } from '../../../support/properties';

const parse = (value: unknown, timeZone = 'UTC') =>
	parseTimestamp(value, { timeZone, source: () => ({ code: '$json.date', isColumn: false }) });

const NO_INSTANT = /isn't a point in time/;
const SECONDS = /Multiply it by 1000/;
const TOO_LARGE = /too large/;
const TOO_EARLY = /1973/;

test.each([
	// From 1973 to 2286, to the millisecond.
	[100_000_000_000, 100_000_000_000],
	['100000000000', 100_000_000_000],
	[9_999_999_999_999, 9_999_999_999_999],
	[10_000_000_000_000, TOO_LARGE],
	['1'.repeat(17), NO_INSTANT],
	['+5000-01-01', NO_INSTANT],
	[99_999_999_999, SECONDS],
	['100000000', SECONDS],
	[99_999_999, TOO_EARLY],
	['1970-01-01', TOO_EARLY],
	['1973-03-03T09:46:40Z', 100_000_000_000],
	[1748432324513.5, NO_INSTANT],
	[NaN, NO_INSTANT],
	[new Date(NaN), NO_INSTANT],
	[new Date(1748432324513), 1748432324513],
	[' 1748432324513 ', 1748432324513],
	['1748432324513x', NO_INSTANT],
	[{ toMillis: () => 1748432324513 }, 1748432324513],
	[{ toMillis: () => '1748432324513' }, NO_INSTANT],
	[{ toMillis: 1748432324513 }, NO_INSTANT],
	[{}, /isn't a point in time.*2025-05-28T/],
	[true, NO_INSTANT],
])('%p', (value, expected) => expectResult(parse(value), expected));

test.each([
	// Date and time, in the forms of ISO 8601.
	['UTC', '2025-05-28T11:38:44.513Z', '2025-05-28T11:38:44.513Z'],
	['UTC', '2025-05-28t11:38:44z', '2025-05-28T11:38:44Z'],
	['UTC', '20250528T113844Z', '2025-05-28T11:38:44Z'],
	['UTC', '2025-05-28T11:38:44,5Z', '2025-05-28T11:38:44.5Z'],
	['UTC', '2025-05-28T24:00', '2025-05-29T00:00:00Z'],
	// Offsets.
	['America/New_York', '2025-05-28T13:38:44+02:00', '2025-05-28T11:38:44Z'],
	['America/New_York', '2025-05-28T13:38:44+0200', '2025-05-28T11:38:44Z'],
	['America/New_York', '2025-05-28T16:38:44+05', '2025-05-28T11:38:44Z'],
	['America/New_York', '2025-05-28T05:53:44-05:45', '2025-05-28T11:38:44Z'],
	['America/New_York', '2025-05-28T13:38:44[Europe/Berlin]', '2025-05-28T11:38:44Z'],
	// As databases write it.
	['Europe/Berlin', '2025-05-28 13:38:44.513', '2025-05-28T11:38:44.513Z'],
	['UTC', '2025-05-28 13:38:44 +02:00', '2025-05-28T11:38:44Z'],
	['UTC', '2025-05-28 13:38', '2025-05-28T13:38:00Z'],
	// A day begins in the time zone of the workflow.
	['Asia/Kathmandu', '2025-01-31', '2025-01-30T18:15:00Z'],
	// Midnight doesn't exist on this day: it begins at one o'clock.
	['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
	// A local time that the change to daylight saving time skips moves forward by the change.
	['America/New_York', '2025-03-09T02:30', '2025-03-09T07:30:00Z'],
	['Australia/Lord_Howe', '2025-10-05T02:15', '2025-10-04T15:45:00Z'],
	['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00Z'],
	// With an offset, nothing is ambiguous.
	['America/New_York', '2025-11-02T01:30-05:00', '2025-11-02T06:30:00Z'],
	['UTC', '2025-11-02T01:30-05:00[America/New_York]', '2025-11-02T06:30:00Z'],
	['UTC', '2025-11-02T06:30Z[America/New_York]', '2025-11-02T06:30:00Z'],
	['UTC', '2025-11-02T01:30-0500[America/New_York]', '2025-11-02T06:30:00Z'],
	// The largest offsets that a clock can show.
	['UTC', '2025-05-28T11:38:44+23:59', '2025-05-27T11:39:44Z'],
	['UTC', '2025-05-28T11:38:44-1259', '2025-05-29T00:37:44Z'],
])('in %s, %s is the instant that Luxon reads in it: %s', (timeZone, text, instant) =>
	expect(parse(text, timeZone)).toEqual({ value: Date.parse(instant) }),
);

test.each<readonly [string, string | RegExp]>([
	// The names that stand for one zone only.
	['2026-06-28 12:00:00 UTC', '2026-06-28T12:00:00Z'],
	['2026-06-28 12:00:00 gmt', '2026-06-28T12:00:00Z'],
	['2026-06-28 12:00:00 Z', '2026-06-28T12:00:00Z'],
	['2026-06-28 12:00:00 Europe/London', '2026-06-28T11:00:00Z'],
	['2026-06-28 12:00:00 Etc/GMT+5', '2026-06-28T17:00:00Z'],
	['2026-06-28T12:00:00+01:00[Europe/London]', '2026-06-28T11:00:00Z'],
	['2026-06-28T12:00:00Z[UTC]', '2026-06-28T12:00:00Z'],
	// Dhaka in the list of zones, Anchorage, Paris, …, and -05:00 also in summer.
	...['BST', 'AST', 'ECT', 'NET', 'CST', 'EST', 'CET', 'MEZ', 'Japan', 'Zulu', 'EST5EDT', 'A'].map(
		(name) =>
			[`2026-06-28 12:00:00 ${name}`, new RegExp(`"${name}" of a time zone.*offset`)] as const,
	),
	['2026-06-28T12:00:00[BST]', /"BST" of a time zone/],
	['2026-06-28T12:00:00+01:00[BST]', /"BST" of a time zone/],
	['2026-06-28 12:00:00 GMT+2', /"GMT\+2" of a time zone/],
	['2026-06-28 12:00:00 whenever it was', NO_INSTANT],
])('%s names a zone, or several', (text, expected) =>
	expectResult(
		parse(text, 'America/New_York'),
		typeof expected === 'string' ? Date.parse(expected) : expected,
	),
);

test.each<[unknown, number | RegExp]>([
	['202608010815', /is a date in another form/],
	[202608010815, /is a date in another form/],
	['200101010101', /if it is yyyyMMddHHmm, .* if it is yyMMddHHmmss/],
	['260801081530', /is a date in another form.*"yyMMddHHmmss"/],
	[' 20260801 ', /is a date in another form.*"yyyyMMdd"/],
	[20260801, /String\(\$json\.date\), "yyyyMMdd"/],
	['20260801081530', /"yyyyMMddHHmmss"/],
	// Not dates: other months, days, and hours; milliseconds of 1976, 1986, and 1998.
	['202613010815', 202613010815],
	['202602300815', 202602300815],
	['202602012460', 202602012460],
	[507081600000, 507081600000],
	[883612800000, 883612800000],
	['893999999999', 893999999999],
])('digits without separators: %p', (value, expected) => expectResult(parse(value), expected));

test.each([
	...Array.from({ length: 12 }, (_, month) => Date.UTC(1998, month, 1)),
	...Array.from({ length: 12 }, (_, month) => Date.UTC(2000, month, 28, 23, 59, 59, 999)),
])('the milliseconds %d are exact', (ms) => {
	expect(parse(ms)).toEqual({ value: ms });
	expect(parse(String(ms))).toEqual({ value: ms });
});

test.each<[unknown, string[]]>([
	['27.11.2026', ['"d.M.yyyy"']],
	['02.11.2026', ['"d.M.yyyy"', '"M.d.yyyy"']],
	['11/02/2026', ['"d/M/yyyy"', '"M/d/yyyy"']],
	['11/27/2026 3:05 PM', ['"M/d/yyyy h:mm a"']],
	['27-11-26 15:04:05', ['"d-M-yy H:mm:ss"']],
	['2026/11/27', ['"yyyy/M/d"']],
	['2026-1-5', ['"yyyy-M-d"']],
	[46353.5, ['1899-12-30']],
	['46353', ['1899-12-30']],
	// No such day, or no date.
	['31.02.2026', []],
	['7.10.1', []],
	['yesterday', []],
	['27 Nov 2026', []],
	['27.11.1026', []],
	[{ date: '27.11.2026' }, []],
])('the fix has each expression that reads %p: %j', (value, forms) => {
	const { fix } = parse(value, 'Europe/Berlin').problem!;
	const codes = [...fix.matchAll(/\{\{ .*? \}\}/g)].map(([code]) => code);
	expect(codes).toEqual(forms.map((form) => expect.stringContaining(form) as string));
	if (forms.length === 0) expect(fix).toContain('2025-05-28T11:38:44Z');
	else expect(fix).toContain('in Europe/Berlin');
});

test.each(['2025-01-15T12:00:00Z', '2025-07-15T12:00:00Z'])(
	'a local time that occurs twice is its first occurrence, also when the node runs at %s',
	(now) => {
		const systemClock = Settings.now;
		Settings.now = () => Date.parse(now);
		Settings.resetCaches();
		try {
			const [newYork, sydney] = [Date.parse('2025-11-02T05:30Z'), Date.parse('2025-04-05T15:30Z')];
			expect(parse('2025-11-02T01:30', 'America/New_York')).toEqual({ value: newYork });
			expect(parse('2025-04-06T02:30', 'Australia/Sydney')).toEqual({ value: sydney });
		} finally {
			Settings.now = systemClock;
			Settings.resetCaches();
		}
	},
);

test.each([
	// Luxon alone would read most of these.
	['an offset of no place', ['2025-05-28T11:38:44+24:00', '2025-05-28T11:38:44+99:99']],
	['an offset of no place', ['2025-05-28T11:38:44+0560', '2025-05-28T11:38:44+05:60']],
	['an offset of no place', ['2025-05-28T11:38:44+30', '2025-05-28 11:38:44 -99']],
	['a part of a day', ['2025', '2025-05', '2025-W22-3', '2025-148', '11:38', 'T11:38:44']],
	['no day or time', ['2025-02-30', '2025-05-28T24:01', '2025-05-28T11:38:60Z', '2025-05-28T']],
	['more behind it', ['2025-05-28Z', '2025-05-281', '2025-11-02T06:30Z[UTC][Europe/Berlin]']],
	['another form', ['28.05.2025', '+002025-05-28', 'yesterday', '2025-05-28 11:38 Not/AZone']],
])('%s is no instant: %j', (_, texts) => {
	for (const text of texts)
		expectResult(parse(text), /point in time|another form|lies before 1973/);
});

test.each(['CEST', 'Europe/Atlantis', ''])(
	'a time zone that is not known is named: %j',
	(timeZone) => {
		for (const text of ['2025-05-28', '2025-05-28T13:38:44', '2025-05-28 13:38']) {
			const { message, fix } = parse(text, timeZone).problem!;
			expect(message).toContain(`time zone of the workflow, "${timeZone}", isn't known`);
			expect(fix).toMatch(/Europe\/Berlin.*offset/);
		}
		// What doesn't depend on it is read, and what no zone helps isn't blamed on it.
		expect(parse('2025-05-28T13:38:44+02:00', timeZone).value).toBe(
			Date.parse('2025-05-28T11:38:44Z'),
		);
		expect(parse('1748432324513', timeZone).value).toBe(1748432324513);
		expect(parse('yesterday', timeZone).problem?.message).toMatch(/isn't a point in time/);
	},
);

test('the wall clock of an instant, read in its zone, is that instant, or the earlier one that shows the same', () => {
	const zones = fc.constantFrom(
		...Intl.supportedValuesOf('timeZone').filter((name) => !name.startsWith('Etc/')),
	);
	const [min, max] = [Date.UTC(1980, 0) / 60_000, Date.UTC(2037, 0) / 60_000];
	/** What a clock on the wall shows in a zone, from another source than Luxon. */
	const wallClock = (instant: number, timeZone: string) =>
		new Date(instant).toLocaleString('sv-SE', { timeZone });
	fc.assert(
		fc.property(zones, fc.integer({ min, max }), (timeZone, minutes) => {
			const instant = minutes * 60_000;
			const shown = wallClock(instant, timeZone);
			const { value } = parse(shown.replace(' ', 'T'), timeZone);
			expect(value).toBeDefined();
			expect(wallClock(value!, timeZone)).toBe(shown);
			expect(value).toBeLessThanOrEqual(instant);
			expect(parse(shown, timeZone)).toEqual({ value });
		}),
		{ numRuns: propertyRuns(3000) },
	);
});
