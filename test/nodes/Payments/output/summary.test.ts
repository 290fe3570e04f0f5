import { summarize } from '../../../../nodes/Payments/output/summary';

const item = (outcome: string, externalId: string, amount = '1.00', currency = 'EUR') => ({
	outcome,
	externalId,
	amount,
	currency,
});
/** It has what the input has. */
const INVALID = item('invalid', 'INV-9', '1,5', 'euros');

test.each([
	['nothing', [], 'at localhost'],
	[
		'what needs somebody, first',
		[
			item('created', 'INV-1', '1200.00'),
			item('rejected', 'INV-7'),
			item('created', 'INV-2', '999.5'),
			INVALID,
		],
		'1 rejected: INV-7 · 1 not sent: INV-9 · 2 created, EUR 2,199.50 new · at localhost',
	],
	[
		'what may be recorded, without a sum',
		[item('unknown', 'INV-3', '3'), item('unknown', 'INV-4', '4', 'GBP'), item('notSent', 'INV-5')],
		'2 maybe recorded: INV-3, INV-4 · 1 not sent: INV-5 · at localhost',
	],
	[
		'duplicates, without a sum',
		[item('created', 'INV-1'), item('duplicate', 'INV-2', '2000.00')],
		'1 created, EUR 1.00 new · 1 duplicate · at localhost',
	],
	[
		'the first three of many',
		['A', 'B', 'C', 'D', 'E'].map((id) => item('rejected', id)),
		'5 rejected: A, B, C and 2 more · at localhost',
	],
	['no External ID', [{ outcome: 'invalid' }], '1 not sent: no External ID · at localhost'],
	[
		'a dry run',
		[item('dryRun', 'INV-1', '1250.50'), item('dryRun', 'INV-2', '12.34', 'GBP'), INVALID],
		'1 not sent: INV-9 · 2 would be sent, EUR 1,250.50, GBP 12.34. Dry run: nothing was sent · at localhost',
	],
])('has %s', (_, items, line) => expect(summarize(items, 'localhost')).toBe(line));

test('names no host that is not known', () =>
	expect(summarize([item('created', 'INV-1')])).toBe('1 created, EUR 1.00 new'));

test('sums are exact beyond the precision of a number', () => {
	const items = [item('created', 'A', '9007199254740993'), item('created', 'B', '0.01')];
	expect(summarize(items)).toContain('EUR 9,007,199,254,740,993.01');
});
