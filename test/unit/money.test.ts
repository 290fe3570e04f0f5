import fc from 'fast-check';

import {
	compareAmounts,
	groupThousands,
	sumAmounts,
	sumByCurrency,
} from '../../nodes/Payments/transaction/money';

test.each([
	[[], '0'],
	[['10'], '10'],
	[['0.10', '0.20'], '0.30'],
	[['0.1', '0.2', '1'], '1.3'],
	[['2501.00', '1699.00'], '4200.00'],
	[['0.001', '10'], '10.001'],
	[['0.01', '0'], '0.01'],
	[['9007199254740993', '0.1'], '9007199254740993.1'],
])('the sum of %j is %s', (amounts, sum) => expect(sumAmounts(amounts)).toBe(sum));

test.each([
	['10', '10.00', 0],
	['9.99', '10', -1],
	['10.001', '10', 1],
	['2', '10', -1],
	['9007199254740993', '9007199254740992', 1],
])('%s compared with %s is %i', (a, b, expected) => expect(compareAmounts(a, b)).toBe(expected));

test.each([
	['0', '0'],
	['999.99', '999.99'],
	['4200.00', '4,200.00'],
	['1234567', '1,234,567'],
	['1000.0001', '1,000.0001'],
])('%s is shown as %s', (amount, shown) => expect(groupThousands(amount)).toBe(shown));

test('each currency has a sum of its own', () => {
	const transactions = [
		{ amount: '1.50', currency: 'EUR' },
		{ amount: '100', currency: 'JPY' },
		{ amount: '2.50', currency: 'EUR' },
	];
	expect([...sumByCurrency(transactions)]).toEqual([
		['EUR', '4.00'],
		['JPY', '100'],
	]);
});

/** Cents as an amount with up to three decimals. */
const amountOf = (thousandths: number) => (thousandths / 1000).toFixed(3);
const thousandths = fc.integer({ min: 0, max: 10 ** 9 });

test('a sum is exact and does not depend on the order', () => {
	fc.assert(
		fc.property(fc.array(thousandths, { minLength: 1 }), (parts) => {
			const amounts = parts.map(amountOf);
			const expected = parts.reduce((sum, part) => sum + part, 0);
			expect(compareAmounts(sumAmounts(amounts), amountOf(expected))).toBe(0);
			expect(sumAmounts([...amounts].reverse())).toBe(sumAmounts(amounts));
		}),
	);
});

test('amounts compare as their numbers do', () => {
	fc.assert(
		fc.property(thousandths, thousandths, (a, b) =>
			expect(compareAmounts(amountOf(a), amountOf(b))).toBe(Math.sign(a - b)),
		),
	);
});
