import { summarize, summarizeDryRun } from '../../../../nodes/Payments/output/summary';

const item = (outcome: string, amount = '1.00', currency = 'EUR') => ({
	outcome,
	amount,
	currency,
});
/** It has what the input has. */
const INVALID = item('invalid', '1,5', 'euros');

test.each([
	[[], '0 created, 0 duplicate, 0 rejected'],
	[
		[
			item('created', '1200.00'),
			item('created', '999.50'),
			item('created', '0.50'),
			item('duplicate', '2000.00'),
		],
		'3 created, 1 duplicate, 0 rejected · new: EUR 2,200.00',
	],
	[
		[item('created', '0.10'), item('created', '0.20'), item('rejected', '7')],
		'2 created, 0 duplicate, 1 rejected · EUR 0.30',
	],
	[
		[item('duplicate', '1250.50'), item('duplicate', '3', 'GBP')],
		'0 created, 2 duplicate, 0 rejected',
	],
	[
		[item('unknown'), item('notSent'), item('notSent'), INVALID],
		'0 created, 0 duplicate, 0 rejected, 1 unknown, 2 not sent, 1 invalid · maybe recorded: EUR 1.00',
	],
	[
		[
			item('created', '5'),
			item('duplicate', '2'),
			item('unknown', '3'),
			item('unknown', '4', 'GBP'),
		],
		'1 created, 1 duplicate, 0 rejected, 2 unknown · new: EUR 5, maybe recorded: EUR 3, GBP 4',
	],
	[
		[item('created', '10'), item('created', '500', 'JPY'), item('created', '0.001', 'EUR')],
		'3 created, 0 duplicate, 0 rejected · EUR 10.001, JPY 500',
	],
])('%j', (items, line) => expect(summarize(items)).toBe(line));

test.each([
	[
		[item('dryRun', '1250.50'), item('dryRun', '12.34', 'GBP')],
		'Dry run: 2 would be sent · EUR 1,250.50, GBP 12.34. Nothing was sent.',
	],
	[
		[item('dryRun', '1'), INVALID],
		'Dry run: 1 would be sent, 1 invalid · EUR 1. Nothing was sent.',
	],
	[[], 'Dry run: 0 would be sent. Nothing was sent.'],
])('%j: %s', (items, line) => expect(summarizeDryRun(items)).toBe(line));

test('sums are exact beyond the precision of a number', () => {
	const items = [item('created', '9007199254740993'), item('created', '0.01')];
	expect(summarize(items)).toContain('EUR 9,007,199,254,740,993.01');
});
