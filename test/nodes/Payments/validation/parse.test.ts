import { parseAmount, type AmountRules } from '../../../../nodes/Payments/validation/amount';
import {
	parseCountry,
	parseCurrency,
	parseText,
} from '../../../../nodes/Payments/validation/parse';
import { parseTimestamp } from '../../../../nodes/Payments/validation/timestamp';
import { asSentences, type Result } from '../../../../nodes/shared/result';
import { isEmpty, quote } from '../../../../nodes/shared/values';

/** Either the value, or a problem whose text has the words. */
function expectValueOrWords(read: Result<unknown>, expected: unknown): void {
	if (expected instanceof RegExp)
		expect(read.problem && asSentences(read.problem)).toMatch(expected);
	else expect(read).toEqual({ value: expected });
}

test.each([
	[undefined, true],
	[null, true],
	['', true],
	[' \n', true],
	['0', false],
	[0, false],
	[false, false],
	[NaN, false],
	[[], false],
	[{}, false],
])('%p is empty: %p', (value, expected) => expect(isEmpty(value)).toBe(expected));

test.each([
	['a', '"a"'],
	['', '""'],
	['x'.repeat(60), `"${'x'.repeat(60)}"`],
	['x'.repeat(61), `"${'x'.repeat(60)}…"`],
	[`${'x'.repeat(59)}😀`, `"${'x'.repeat(59)}…"`],
	['\ufeffa\u00a0b c\n', '"[U+FEFF]a[U+00A0]b c[U+000A]"'],
	['Gift \ud83d', '"Gift [U+D83D]"'],
	[5, '5'],
	[true, 'true'],
	[undefined, 'undefined'],
	[null, 'null'],
	[10n, '10'],
	[['secret'], 'A list'],
	[{ secret: 1 }, 'An object'],
	[new Date(0), 'An object'],
	[Symbol('secret'), 'A symbol'],
	[() => 'secret', 'A function'],
])('%p is quoted as %s', (value, expected) => expect(quote(value)).toBe(expected));

test.each([
	[' a b ', 'a b'],
	[4711, '4711'],
	[-1, '-1'],
	[2 ** 53 - 1, '9007199254740991'],
	[2 ** 53, /^9007199254740992 .*text/],
	[1.5, /^1\.5 .*text/],
	[true, /^true .*text/],
	['  ', /empty/],
	['x'.repeat(1000), 'x'.repeat(1000)],
	['x'.repeat(1001), /1001 characters.*1000.*Shorten/],
])('text: %p', (value, expected) => expectValueOrWords(parseText(value), expected));

test.each([
	[' eur ', 'EUR'],
	['', /empty.*three letters/],
	['EURO', /"EURO".*Use EUR/],
	[978, /^978 .*three letters/],
	['Euro', /"Euro".*Use EUR/],
	['us dollar', /Use USD/],
	['Doubloon', /three letters\.$/],
])('currency %p', (value, expected) => expectValueOrWords(parseCurrency(value), expected));

test.each([
	[' de ', 'DE'],
	['', /empty.*two letters/],
	['EU', /"EU".*two letters/],
	[['DE'], /^A list .*two letters/],
	['uk', /"uk".*Use GB/],
	['EL', /"EL".*Use GR/],
	// They are gone, and no other country is the same.
	['SU', /"SU" isn't a country.*two letters\.$/],
	['AN', /two letters\.$/],
	['YU', /two letters\.$/],
	['DD', /two letters\.$/],
	['Denmark', /"Denmark".*Use DK/],
	[' united kingdom', /Use GB/],
	['Atlantis', /two letters\.$/],
	['X1', /two letters\.$/],
	[7, /two letters\.$/],
	['D'.repeat(200_000), /two letters\.$/],
])('country %p', (value, expected) => expectValueOrWords(parseCountry(value), expected));

test.each<[unknown, AmountRules, string | RegExp]>([
	['1.50', {}, '1.50'],
	['001.50', {}, '1.50'],
	['00', { allowZero: true }, '0'],
	['0.00', { allowZero: true }, '0.00'],
	[123456789012345, {}, '123456789012345'],
	[1234567890.12345, {}, '1234567890.12345'],
	[123456789012345.6, {}, /digits.*Round .*as text/],
	[1234567890123456, {}, /^1234567890123456 .*digits.*as text/],
	[0.1 + 0.2, {}, /^0\.30000000000000004 .*digits.*as text/],
	['1234567890123456', {}, '1234567890123456'],
	['', {}, /empty/],
	[{}, {}, /^An object/],
	['-5', {}, /"-5".*no sign/],
	[1e21, {}, /^1e\+21 /],
	[0, {}, /^0 is zero.*above zero/],
	[' 0.0 ', {}, /" 0\.0 " is zero/],
	['1.5', { currency: 'JPY' }, /"1\.5" has 1 decimal, .*JPY has none.*currency/],
	['01.234', { currency: 'EUR' }, /"1\.234" has 3 .*EUR.*2/],
	['1.250', { currency: 'EUR' }, /has 3 .*thousands, write 1250, or .*'Comma'/],
	[
		349.965,
		{ currency: 'EUR' },
		/^349\.965 has 3 decimals, but EUR has at most 2\. Round it.*round\(2\)/,
	],
	[349.965, { currency: 'EUR', decimalSeparator: 'comma' }, /Round it/],
	[1.005, { currency: 'EUR' }, /Round it/],
	[0.1 + 0.2, { currency: 'EUR' }, /^0\.30000000000000004 has 17 decimals.*Round it/],
	[12.5, { currency: 'JPY' }, /^12\.5 has 1 decimal, but JPY has none.*round\(0\)/],
	['349.965', { currency: 'EUR' }, /^"349\.965" has 3 .*thousands, write 349965, or/],
	['1.2501', { currency: 'EUR' }, /has 4 decimals.*\. Correct/],
	['1,250', { currency: 'EUR', decimalSeparator: 'comma' }, /has 3 decimals.*\. Correct/],
	['EUR 12.50', {}, /no currency/],
	['INV 12', {}, /isn't a plain decimal number/],
	['1.23', { currency: 'EUR' }, '1.23'],
	['1.234', {}, '1.234'],
	['1.23456', { currency: 'no code' }, '1.23456'],
	['1'.repeat(50), {}, '1'.repeat(50)],
	['1'.repeat(51), {}, /51 characters.*50/],
	['1'.repeat(51), { decimalSeparator: 'comma' }, /51 characters.*50/],
])('amount %p with %p', (value, rules, expected) =>
	expectValueOrWords(parseAmount(value, rules), expected),
);

describe('timestamps', () => {
	const noInstant = /isn't a point in time/;
	const seconds = /Multiply it by 1000/;
	const tooLarge = /too large/;
	const tooEarly = /1973/;

	test.each([
		// From 1973 to 2286, to the millisecond.
		[100_000_000_000, 100_000_000_000],
		['100000000000', 100_000_000_000],
		[9_999_999_999_999, 9_999_999_999_999],
		[10_000_000_000_000, tooLarge],
		['1'.repeat(16), tooLarge],
		['1'.repeat(17), noInstant],
		['+5000-01-01', noInstant],
		[99_999_999_999, seconds],
		[100_000_000, seconds],
		['100000000', seconds],
		[99_999_999, tooEarly],
		[0, tooEarly],
		[-1, tooEarly],
		['1970-01-01', tooEarly],
		['1973-03-03T09:46:40Z', 100_000_000_000],
		[1748432324513.5, noInstant],
		[NaN, noInstant],
		[Infinity, noInstant],
		[new Date(NaN), noInstant],
		[new Date(1748432324513), 1748432324513],
		[' 1748432324513 ', 1748432324513],
		['x1748432324513', noInstant],
		['1748432324513x', noInstant],
		[{ toMillis: () => 1748432324513 }, 1748432324513],
		[{ toMillis: () => '1748432324513' }, noInstant],
		[{ toMillis: 1748432324513 }, noInstant],
		[{}, noInstant],
		[null, /empty/],
		[undefined, /empty/],
		[' ', /empty.*2025-05-28T/],
		[true, noInstant],
	])('%p', (value, expected) => expectValueOrWords(parseTimestamp(value, 'UTC'), expected));
});
