import { groupThousands, sumByCurrency, summarize } from '../../nodes/Payments/output/summary';

const item = (outcome: string, amount = '1.00', currency = 'EUR') => ({
	outcome,
	transaction: { amount, currency },
});

test.each([
	[[], '0 created, 0 duplicate, 0 rejected'],
	[
		[
			item('created', '1200.00'),
			item('created', '999.50'),
			item('created', '0.50'),
			item('duplicate', '2000.00'),
		],
		'3 created, 1 duplicate, 0 rejected · EUR 4,200.00',
	],
	[
		[item('created', '0.10'), item('created', '0.20'), item('rejected', '7')],
		'2 created, 0 duplicate, 1 rejected · EUR 0.30',
	],
	[
		[item('unknown'), item('notSent'), item('notSent'), { outcome: 'invalid' }],
		'0 created, 0 duplicate, 0 rejected, 1 unknown, 2 not sent, 1 invalid',
	],
	[
		[item('created', '10'), item('created', '500', 'JPY'), item('created', '0.001', 'EUR')],
		'3 created, 0 duplicate, 0 rejected · EUR 10.001, JPY 500',
	],
])('%j', (items, line) => expect(summarize(items)).toBe(line));

test('sums are exact beyond the precision of a number', () => {
	const sums = sumByCurrency([
		{ amount: '9007199254740993', currency: 'EUR' },
		{ amount: '0.01', currency: 'EUR' },
	]);
	expect([...sums]).toEqual([['EUR', '9007199254740993.01']]);
});

test.each([
	['0', '0'],
	['999.99', '999.99'],
	['4200.00', '4,200.00'],
	['1234567', '1,234,567'],
	['1000.0001', '1,000.0001'],
])('%s is shown as %s', (amount, shown) => expect(groupThousands(amount)).toBe(shown));
