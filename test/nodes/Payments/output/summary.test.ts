import type { Outcome } from '../../../../nodes/Payments/output/itemJson';
import { summarize } from '../../../../nodes/Payments/output/summary';
import { fc } from '../../../support/properties';

const item = (outcome: Outcome, externalId?: unknown, amount = '1.00', currency = 'EUR') => ({
	outcome,
	externalId,
	amount,
	currency,
});
/** It has what the input has. */
const INVALID = item('invalid', 'INV-9', '1,5', 'euros');
const DUPLICATES =
	'A duplicate keeps its first values. Another transaction needs another External ID.';

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
		`1 rejected: INV-7 · 1 invalid: INV-9 · 2 created, EUR 2,199.50 · at localhost`,
	],
	[
		'what may be recorded, without a sum',
		[item('unknown', 'INV-3', '3'), item('unknown', 4, '4', 'GBP'), item('notSent', 'INV-5')],
		'2 unknown: INV-3, 4 · 1 not sent: INV-5 · at localhost',
	],
	[
		'duplicates, without a sum',
		[item('created', 'INV-1'), item('duplicate', 'INV-2', '2000.00')],
		`1 created, EUR 1.00 · 1 duplicate · at localhost. ${DUPLICATES}`,
	],
	[
		'the first three of many',
		['A', 'B', 'C', 'D', 'E'].map((id) => item('rejected', id)),
		'5 rejected: A, B, C and 2 more · at localhost',
	],
	['no External ID', [item('invalid')], '1 invalid: no External ID · at localhost'],
	[
		'a dry run',
		[item('dryRun', 'INV-1', '1250.50'), item('dryRun', 'INV-2', '12.34', 'GBP'), INVALID],
		"1 invalid: INV-9 · 2 would be sent, EUR 1,250.50, GBP 12.34 · at localhost. Nothing was sent: turn off the option 'Dry Run' to send.",
	],
])('has %s', (_, items, line) => expect(summarize(items, { host: 'localhost' })).toBe(line));

test('names no host that is not known', () =>
	expect(summarize([item('rejected', 'INV-1')])).toBe('1 rejected: INV-1'));

test('names the zone in which dates were read', () =>
	expect(summarize([INVALID], { timeZone: 'Europe/Berlin' })).toContain('Europe/Berlin'));

test('its numbers add up to the items', () => {
	const outcome = fc.constantFrom<Outcome>(
		...(['unknown', 'rejected', 'invalid', 'notSent', 'dryRun', 'created', 'duplicate'] as const),
	);
	fc.assert(
		fc.property(fc.array(outcome), (outcomes) => {
			const summary = summarize(outcomes.map((one) => item(one, 'INV')));
			const counts = [...summary.matchAll(/(?:^| · )(\d+) /g)].map(([, count]) => Number(count));
			expect(counts.reduce((sum, count) => sum + count, 0)).toBe(outcomes.length);
		}),
	);
});

test('sums are exact beyond the precision of a number', () => {
	const items = [item('created', 'A', '9007199254740993'), item('created', 'B', '0.01')];
	expect(summarize(items)).toContain('EUR 9,007,199,254,740,993.01');
});
