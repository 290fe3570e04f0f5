import {
	addDecimals,
	compareDecimals,
	isDecimal,
	subtractDecimals,
} from '../../../nodes/Payments/decimals';
import { fc } from '../../support/properties';

test.each([
	['1', '1.00', 0],
	['0', '0.000', 0],
	['007.5', '7.50', 0],
	['0.1', '0.09', 1],
	['9', '10', -1],
	['999999999999999999999.98', '999999999999999999999.99', -1],
] as const)('%s compared with %s is %p', (a, b, expected) => {
	expect(compareDecimals(a, b)).toBe(expected);
	expect(compareDecimals(b, a)).toBe(-expected + 0);
});

test.each([
	['0.1', '0.2', '0.3'],
	['1.50', '0.50', '2.00'],
	['1', '2', '3'],
	['0.05', '0', '0.05'],
	['9007199254740993', '0.01', '9007199254740993.01'],
])('%s plus %s is %s', (a, b, sum) => {
	expect(addDecimals(a, b)).toBe(sum);
	expect(addDecimals(b, a)).toBe(sum);
});

test.each(['', ' 1', '1 ', '1.', '.5', '-1', '+1', '1e3', '1,000', '0x10', '١', '1\n', 'NaN'])(
	'%p is not a plain decimal number',
	(text) => {
		expect(isDecimal(text)).toBe(false);
		expect(() => compareDecimals(text, '1')).toThrow(RangeError);
		expect(() => addDecimals('1', text)).toThrow(RangeError);
	},
);

/** An amount as text and its exact value in units of 10^-6. */
const amount = fc
	.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 6 }), fc.nat({ max: 3 }))
	.map(([digits, scale, zeros]) => {
		const padded = digits.toString().padStart(scale + 1, '0');
		const plain = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
		return { text: '0'.repeat(zeros) + plain, value: digits * 10n ** BigInt(6 - scale) };
	});

test('comparing, adding, and subtracting agree with exact arithmetic', () => {
	fc.assert(
		fc.property(amount, amount, (a, b) => {
			const order = compareDecimals(a.text, b.text);
			expect([order < 0, order > 0]).toEqual([a.value < b.value, a.value > b.value]);
			const [whole, decimals = ''] = addDecimals(a.text, b.text).split('.');
			expect(BigInt(whole + decimals.padEnd(6, '0'))).toBe(a.value + b.value);
			const difference = subtractDecimals(addDecimals(a.text, b.text), b.text);
			expect(compareDecimals(difference, a.text)).toBe(0);
		}),
	);
});

describe('subtractDecimals', () => {
	test.each([
		['1', '1', '0'],
		['1.50', '0.5', '1.00'],
		['1000', '0.001', '999.999'],
		['9007199254740993.1', '0.1', '9007199254740993.0'],
	])('%s less %s is %s', (a, b, difference) => expect(subtractDecimals(a, b)).toBe(difference));

	test('does not go below zero', () => {
		expect(() => subtractDecimals('1', '1.01')).toThrow(RangeError);
	});
});
