import { quote } from '../../nodes/shared/values';
import {
	isEmpty,
	parseAmount,
	parseCountry,
	parseCurrency,
	parseText,
	type AmountRules,
} from '../../nodes/Payments/validation/parse';
import { parseTimestamp } from '../../nodes/Payments/validation/timestamp';

/*
 * Messages word by word: they are all that the user of a workflow sees of a payment that was not sent.
 */

const EMPTY = 'The field is empty';

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
	[' a b ', { value: 'a b' }],
	[4711, { value: '4711' }],
	[-1, { value: '-1' }],
	[2 ** 53 - 1, { value: '9007199254740991' }],
	[2 ** 53, { problem: '9007199254740992 is not text', fix: 'Give it as text.' }],
	[1.5, { problem: '1.5 is not text', fix: 'Give it as text.' }],
	[true, { problem: 'true is not text', fix: 'Give it as text.' }],
	['  ', { problem: EMPTY, fix: 'Fill it in.' }],
])('text: %p', (value, expected) => expect(parseText(value)).toEqual(expected));

describe('currencies and countries', () => {
	const threeLetters = 'Use a code of three letters such as EUR.';
	test.each([
		[' eur ', { value: 'EUR' }],
		['', { problem: EMPTY, fix: threeLetters }],
		['EURO', { problem: '"EURO" is not a currency of ISO 4217', fix: threeLetters }],
		[978, { problem: '978 is not a currency of ISO 4217', fix: threeLetters }],
	])('currency %p', (value, expected) => expect(parseCurrency(value)).toEqual(expected));

	const twoLetters = 'Use a code of two letters such as DE.';
	test.each([
		[' de ', { value: 'DE' }],
		['', { problem: EMPTY, fix: twoLetters }],
		['EU', { problem: '"EU" is not a country of ISO 3166-1', fix: twoLetters }],
		[['DE'], { problem: 'A list is not a country of ISO 3166-1', fix: twoLetters }],
		['uk', { problem: '"uk" is not a country of ISO 3166-1', fix: 'The United Kingdom is GB.' }],
	])('country %p', (value, expected) => expect(parseCountry(value)).toEqual(expected));
});

describe('amounts', () => {
	const decimalNumber = 'Use a decimal number such as 1234.50.';
	const plain =
		'Use digits and at most one dot, for example 1234.50: no sign, no blank and no comma.';
	const aboveZero = "Enter an amount above zero, or turn on the option 'Allow Zero Amounts'.";
	const asText = 'Give the amount as text, for example "1234.50".';
	const round = "Round the amount, or turn on the option 'Skip Decimals Check'.";

	test.each<[unknown, AmountRules, object]>([
		['1.50', {}, { value: '1.50' }],
		['001.50', {}, { value: '1.50' }],
		['00', { allowZero: true }, { value: '0' }],
		['0.00', { allowZero: true }, { value: '0.00' }],
		[123456789012345, {}, { value: '123456789012345' }],
		[1234567890.12345, {}, { value: '1234567890.12345' }],
		[
			1234567890123456,
			{},
			{ problem: '1234567890123456 has more digits than a number holds exactly', fix: asText },
		],
		[
			0.1 + 0.2,
			{},
			{ problem: '0.30000000000000004 has more digits than a number holds exactly', fix: asText },
		],
		['1234567890123456', {}, { value: '1234567890123456' }],
		['', {}, { problem: EMPTY, fix: decimalNumber }],
		[{}, {}, { problem: 'An object is not an amount', fix: decimalNumber }],
		['-5', {}, { problem: '"-5" is not a plain decimal number', fix: plain }],
		[1e21, {}, { problem: '1e+21 is not a plain decimal number', fix: plain }],
		[0, {}, { problem: '0 is zero, and only amounts above zero are allowed', fix: aboveZero }],
		[
			' 0.0 ',
			{},
			{ problem: '" 0.0 " is zero, and only amounts above zero are allowed', fix: aboveZero },
		],
		['1.5', { currency: 'JPY' }, { problem: '"1.5" has 1 decimals, but JPY has none', fix: round }],
		[
			'01.234',
			{ currency: 'EUR' },
			{ problem: '"1.234" has 3 decimals, but EUR has at most 2', fix: round },
		],
		['1.23', { currency: 'EUR' }, { value: '1.23' }],
		['1.234', {}, { value: '1.234' }],
		['1.23456', { currency: 'no code' }, { value: '1.23456' }],
	])('%p with %p', (value, rules, expected) => expect(parseAmount(value, rules)).toEqual(expected));
});

describe('timestamps', () => {
	const forms = 'Use a date and time such as 2025-05-28T11:38:44Z, or milliseconds since 1970.';
	const noInstant = (value: string) => ({ problem: `${value} is not a point in time`, fix: forms });
	const seconds = (value: string) => ({
		problem: `${value} looks like seconds since 1970, but milliseconds are needed`,
		fix: 'Multiply it by 1000.',
	});
	const tooLarge = (value: string) => ({
		problem: `${value} is too large for milliseconds since 1970`,
		fix: forms,
	});
	const tooEarly = (value: string) => ({ problem: `${value} lies before 1973`, fix: forms });

	test.each([
		// From 1973 to 2286, to the millisecond.
		[100_000_000_000, { value: 100_000_000_000 }],
		['100000000000', { value: 100_000_000_000 }],
		[9_999_999_999_999, { value: 9_999_999_999_999 }],
		[10_000_000_000_000, tooLarge('10000000000000')],
		['1'.repeat(16), tooLarge(`"${'1'.repeat(16)}"`)],
		['1'.repeat(17), noInstant(`"${'1'.repeat(17)}"`)],
		['+5000-01-01', noInstant('"+5000-01-01"')],
		[99_999_999_999, seconds('99999999999')],
		[100_000_000, seconds('100000000')],
		['100000000', seconds('"100000000"')],
		[99_999_999, tooEarly('99999999')],
		[0, tooEarly('0')],
		[-1, tooEarly('-1')],
		['1970-01-01', tooEarly('"1970-01-01"')],
		['1973-03-03T09:46:40Z', { value: 100_000_000_000 }],
		[1748432324513.5, noInstant('1748432324513.5')],
		[NaN, noInstant('NaN')],
		[Infinity, noInstant('Infinity')],
		[new Date(NaN), noInstant('An object')],
		[new Date(1748432324513), { value: 1748432324513 }],
		[' 1748432324513 ', { value: 1748432324513 }],
		['x1748432324513', noInstant('"x1748432324513"')],
		['1748432324513x', noInstant('"1748432324513x"')],
		[{ toMillis: () => 1748432324513 }, { value: 1748432324513 }],
		[{ toMillis: () => '1748432324513' }, noInstant('An object')],
		[{ toMillis: 1748432324513 }, noInstant('An object')],
		[{}, noInstant('An object')],
		[null, noInstant('null')],
		[undefined, noInstant('undefined')],
		[true, noInstant('true')],
	])('%p', (value, expected) => expect(parseTimestamp(value, 'UTC')).toEqual(expected));
});
