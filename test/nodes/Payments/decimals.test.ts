import {
	addDecimals,
	compareDecimals,
	isDecimal,
	subtractDecimals,
} from '../../../nodes/Payments/decimals';
import { fc } from '../../support/properties';

/** Writes units of 10^-`scale` as text. */
function textOf(units: bigint, scale: number): string {
	const digits = units.toString().padStart(scale + 1, '0');
	return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** An amount as text, how many decimals it has, and its exact value in units of 10^-6. */
const amount = fc
	.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 6 }), fc.nat({ max: 3 }))
	.map(([units, scale, zeros]) => ({
		text: '0'.repeat(zeros) + textOf(units, scale),
		scale,
		value: units * 10n ** BigInt(6 - scale),
	}));

test('comparing, adding, and subtracting agree with exact arithmetic', () => {
	fc.assert(
		fc.property(amount, amount, (a, b) => {
			const order = Number(a.value > b.value) - Number(a.value < b.value);
			expect(compareDecimals(a.text, b.text)).toBe(order);
			expect(compareDecimals(a.text, a.text)).toBe(0);
			// The result has the larger number of decimals.
			const scale = Math.max(a.scale, b.scale);
			const sum = addDecimals(a.text, b.text);
			expect(sum).toBe(textOf((a.value + b.value) / 10n ** BigInt(6 - scale), scale));
			const difference = subtractDecimals(sum, b.text);
			expect(difference).toBe(textOf(a.value / 10n ** BigInt(6 - scale), scale));
		}),
	);
});

test('some of them', () => {
	expect(compareDecimals('007.5', '7.50')).toBe(0);
	expect(addDecimals('9007199254740993', '0.01')).toBe('9007199254740993.01');
	expect(() => subtractDecimals('1', '1.01')).toThrow(RangeError);
});

test.each(['', ' 1', '1 ', '1.', '.5', '-1', '+1', '1e3', '1,000', '0x10', '١', '1\n', 'NaN'])(
	'%p is not a plain decimal number',
	(text) => {
		expect(isDecimal(text)).toBe(false);
		expect(() => compareDecimals(text, '1')).toThrow(RangeError);
		expect(() => addDecimals('1', text)).toThrow(RangeError);
	},
);
