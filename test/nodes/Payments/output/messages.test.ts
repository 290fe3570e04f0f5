import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
	startWithItem,
	type InvalidItem,
} from '../../../../nodes/Payments/output/messages';
import {
	NOT_BEGUN,
	type AttemptLog,
	type Conclusion,
	type SendFailure,
} from '../../../../nodes/Payments/results';
import type { TransactionItem } from '../../../../nodes/Payments/Transaction';
import { SAMPLE } from '../../../support/builders/transactions';

const NO_AMOUNT = {
	field: 'amount' as const,
	message: 'It is empty',
	fix: 'Fill it in.',
};
const NO_CURRENCY = {
	field: 'currency' as const,
	message: '"X" is none',
	fix: 'Use EUR.',
};
const TOO_MUCH = {
	isBeyondLimit: true as const,
	field: 'amount' as const,
	message: '9 is more than 5',
	fix: 'Lower the amount.',
};
const invalid = (itemIndex: number, ...problems: InvalidItem['problems']): InvalidItem => ({
	itemIndex,
	problems,
	fields: {},
});
const inputs = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
/** As n8n's Google Sheets node outputs them, below a header. */
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { row_number: index + 2 } }));

describe('what is wrong with the input', () => {
	test.each([
		[undefined, inputs(9), '1 of 9 items to correct: ', '[item 3 of 9] '],
		['INV-7', inputs(9), '1 of 9 items to correct: ', '[External ID "INV-7"] '],
		[7, inputs(9), '1 of 9 items to correct: ', '[External ID 7] '],
		['INV-7', rows(9), '1 of 9 rows to correct: ', '[row 4] '],
		[' ', inputs(9), '1 of 9 items to correct: ', '[item 3 of 9] '],
		[{ id: 'secret' }, inputs(9), '1 of 9 items to correct: ', '[item 3 of 9] '],
		['INV-7', inputs(1), '', ''],
		['INV-7', rows(1), '', 'Row 2: '],
	])('one item is found by what the user knows: %p', (externalId, all, count, name) => {
		const itemIndex = Math.min(2, all.length - 1);
		const item = { ...invalid(itemIndex, NO_AMOUNT), fields: { externalId } };
		const described = describeInvalidItems([item], all);
		expect(described).toEqual({
			message: `${count}'Amount': It is empty. Nothing was sent`,
			fix: `${name}Fill it in.`,
		});
	});

	test('an External ID that is invalid, or in two items, says of none which it is', () => {
		const fields = { externalId: '#N/A' };
		const noId = { ...invalid(1, { ...NO_AMOUNT, field: 'externalId' }), fields };
		const same = { ...invalid(2, { ...NO_AMOUNT, otherItem: 0 }), fields };
		expect(describeInvalidItems([noId], inputs(9)).fix).toContain('[item 2 of 9]');
		const { message, fix } = describeInvalidItems([same], inputs(9));
		expect([message, fix]).toEqual([
			expect.stringContaining('empty item 1 of 9.'),
			expect.stringContaining('[item 3 of 9]'),
		]);
		expect(describeInvalidItem(noId, inputs(9), false).name).toEqual({ itemIndex: 1 });
	});

	test('what is wrong with several fields is said once, and each has its fix', () => {
		const item = invalid(0, NO_AMOUNT, { ...NO_AMOUNT, field: 'currency', fix: 'Use EUR.' });
		expect(describeInvalidItems([item], inputs(1))).toEqual({
			message: "'Amount', 'Currency': It is empty. Nothing was sent",
			fix: "'Amount': Fill it in.\n'Currency': Use EUR.",
		});
	});

	test('the column of the input is named', () => {
		const columnByField = new Map([['amount' as const, 'Total']]);
		const item = { ...invalid(0, NO_AMOUNT), columnByField };
		expect(describeInvalidItems([item], inputs(1)).message).toBe(
			`'Amount' (column "Total"): It is empty. Nothing was sent`,
		);
	});

	test('of several items: how many, then each problem once, with its items and one fix', () => {
		const third = { ...invalid(2, NO_CURRENCY), fields: { externalId: 'INV-2' } };
		const all = [third, invalid(4, NO_AMOUNT, NO_CURRENCY)];
		const { message, fix } = describeInvalidItems(all, inputs(5));
		expect(message).toBe('2 of 5 items to correct. Nothing was sent');
		expect(fix.split('\n')).toEqual([
			`• 'Currency' [External ID "INV-2", item 5 of 5]: "X" is none. Use EUR.`,
			`• 'Amount' [item 5 of 5]: It is empty. Fill it in.`,
		]);
		const ofRows = describeInvalidItems(all, rows(5));
		expect(ofRows.message).toBe('2 of 5 rows to correct. Nothing was sent');
		expect(ofRows.fix).toContain(`'Currency' [rows 4, 6]: `);
	});

	test('values that differ are the same problem, with one of them as the example', () => {
		const wrong = (itemIndex: number, value: string) =>
			invalid(itemIndex, {
				field: 'amount',
				message: `"${value}" has 3 decimals`,
				fix: `Write ${value.replace('.', '')}, or set the option.`,
			});
		const all = [wrong(0, '1.250'), wrong(2, '13.500'), wrong(3, '7.125')];
		expect(describeInvalidItems(all, rows(4))).toEqual({
			message: `3 of 4 rows to correct: 'Amount': "1.250" has 3 decimals, for example. Nothing was sent`,
			fix: '[rows 2, 4, 5] Write 1250, or set the option.',
		});
	});

	test('what is wrong with several fields of the same items is one problem', () => {
		const missing = {
			message: 'No column matches',
			fix: 'Rename a column.',
		};
		const item = (itemIndex: number) =>
			invalid(itemIndex, { field: 'amount', ...missing }, { field: 'reference', ...missing });
		expect(describeInvalidItems([item(0), item(1)], inputs(2))).toEqual({
			message:
				"2 of 2 items to correct: 'Amount', 'Reference': No column matches. Nothing was sent",
			fix: '[all 2 items] Rename a column.',
		});
		expect(describeInvalidItems([item(0)], inputs(1))).toEqual({
			message: "'Amount', 'Reference': No column matches. Nothing was sent",
			fix: 'Rename a column.',
		});
	});

	test('one problem of many fields is in the headline, and the fields are in the fix', () => {
		const fields = ['externalId', 'reference', 'amount', 'currency'] as const;
		const item = invalid(0, ...fields.map((field) => ({ ...NO_AMOUNT, field })));
		const { message, fix } = describeInvalidItems([item], inputs(2));
		expect(message).toBe('1 of 2 items to correct: It is empty. Nothing was sent');
		expect(fix).toMatch(/^\[item 1 of 2\] 'External ID', .*'Currency': Fill it in\.$/);
	});

	test.each([
		[20, 20, /item 20 of/],
		[21, 21, /\b1 more/],
	])('of %d problems, 20 are listed', (count, lineCount, last) => {
		const letters = 'abcdefghijklmnopqrstu';
		const items = inputs(count).map((_, index) =>
			invalid(index, { ...NO_AMOUNT, message: `Reason ${letters[index]}` }),
		);
		const lines = describeInvalidItems(items, inputs(500)).fix.split('\n');
		expect(lines).toHaveLength(lineCount);
		expect(lines.at(-1)).toMatch(last);
	});

	test.each([
		[9, inputs(9), '[all 9 items]'],
		[9, rows(9), '[all 9 rows]'],
		[3, inputs(9), '[item 1 of 9, item 2 of 9, item 3 of 9]'],
		[
			25,
			rows(99),
			`[rows ${Array.from({ length: 20 }, (_, row) => row + 2).join(', ')} and 5 more]`,
		],
	])('the same in %d items is listed once', (count, all, named) => {
		const items = inputs(count).map((_, index) => invalid(index, NO_AMOUNT));
		expect(describeInvalidItems(items, all).fix).toBe(`${named} Fill it in.`);
	});

	test('a model reads how to write a value, but not how to get past a limit', () => {
		expect(describeInvalidItem(invalid(0, TOO_MUCH), inputs(1), false).fix).toContain(
			'Lower the amount.',
		);
		const forModel = describeInvalidItem(invalid(0, TOO_MUCH, NO_CURRENCY), inputs(1), true);
		expect(forModel.message).toContain('9 is more than 5');
		expect(forModel.fix).toContain("'Currency': Use EUR.");
		expect(forModel.fix).not.toContain('Lower');
	});
});

test.each([
	['an only item', { itemIndex: 0, externalId: 'INV-7' }, inputs(1), 'Fix it.'],
	['an item', { itemIndex: 2 }, inputs(3), 'Item 3 of 3: Fix it.'],
	['an ID', { itemIndex: 1, externalId: 'INV-7' }, inputs(3), 'External ID "INV-7": Fix it.'],
	['a row', { itemIndex: 2, externalId: 'INV-7' }, rows(3), 'Row 4: Fix it.'],
	['an only row', { itemIndex: 0 }, rows(1), 'Row 2: Fix it.'],
	['a number as text', { itemIndex: 0 }, [{ json: { row_number: '7' } }], 'Fix it.'],
	['no whole number', { itemIndex: 0 }, [{ json: { row_number: 7.5 } }], 'Fix it.'],
])('a message begins with what the user knows an item by: %s', (_, item, all, expected) =>
	expect(startWithItem('Fix it.', item, all)).toBe(expected),
);

test.each([
	['an ID', { itemIndex: 1, externalId: 'INV-7' }, inputs(3), 'Fix it.'],
	['no ID', { itemIndex: 1, externalId: '' }, inputs(3), 'Item 2 of 3: Fix it.'],
	['a row', { itemIndex: 1, externalId: 'INV-7' }, rows(3), 'Row 3: Fix it.'],
])('beside the External ID, it is not repeated: %s', (_, item, all, expected) =>
	expect(startWithItem('Fix it.', item, all, true)).toBe(expected),
);

describe('an execution that stopped', () => {
	const created = { outcome: 'created' as const, isRecorded: true, message: 'm' };
	const duplicate = { outcome: 'duplicate' as const, message: 'm', fix: 'f', ownAttempt: false };
	const failure = (outcome: SendFailure['outcome']): SendFailure => ({
		outcome,
		message: 'The service rejected it',
		fix: 'Correct the fields.',
	});
	/** @param results of the first items; it stops at the first of them */
	function stop(
		results: Conclusion[],
		all: Array<{ json: object }>,
		onDuplicate: 'continue' | 'stop' = 'continue',
		log: AttemptLog & { requestId?: string } = { attempts: 0 },
	) {
		const valid = all.map((_, itemIndex): TransactionItem => ({
			itemIndex,
			transaction: { ...SAMPLE, eventId: `evt-${itemIndex}`, externalId: `INV-${itemIndex}` },
		}));
		const result = { ...failure('rejected'), ...log };
		const at = { item: valid[0], result, inputs: all, onDuplicate };
		const known = new Map(all.map((_, index) => [index, results[index] ?? NOT_BEGUN]));
		return describeStop(valid, known, at);
	}

	test('says what happened, how to go on, and which transaction it was', () => {
		const { message, fix } = stop([failure('rejected')], inputs(1));
		expect(message).toBe('The service rejected it');
		expect(fix).toBe('Correct the fields.\nExternal ID "INV-0", Event ID evt-0.');
		expect(stop([failure('rejected')], rows(2)).message).toContain('[row 2]');
	});

	test("says what the service's support asks for", () => {
		const lastAttemptAt = Date.UTC(2026, 10, 28, 9);
		const log = { attempts: 2, lastAttemptAt, idempotencyKey: 'key', requestId: 'r1' };
		const lineOf = (one: AttemptLog) => stop([], inputs(1), 'continue', one).fix.split('\n')[1];
		expect(lineOf(log)).toBe(
			'External ID "INV-0", Event ID evt-0, Idempotency-Key key, request ID r1, 2 attempts, the last one at 2026-11-28T09:00:00.000Z.',
		);
		expect(lineOf({ attempts: 1, lastAttemptAt })).toBe(
			'External ID "INV-0", Event ID evt-0, 1 attempt at 2026-11-28T09:00:00.000Z.',
		);
	});

	test.each<[Conclusion[], string, string[]]>([
		[
			[failure('rejected')],
			'1 rejected, 3 not started',
			['Rejected: INV-0.', 'Not started: INV-1, INV-2, INV-3.'],
		],
		[[duplicate, created], '1 created, 1 duplicate, 2 not started', ['Not started: INV-2, INV-3.']],
		[
			[failure('notSent'), created, failure('rejected'), failure('unknown')],
			'1 created, 1 rejected, 1 unknown, 1 not sent',
			['Rejected: INV-2.', 'Unknown: INV-3.', 'Not sent: INV-0.'],
		],
	])('counts and names what is left: %j', (results, counts, lines) => {
		const { message, fix } = stop(results, inputs(4));
		expect(message).toBe(`The service rejected it [External ID "INV-0"]. Of 4 items: ${counts}`);
		expect(fix.split('\n').slice(2, -1)).toEqual(lines);
	});

	test('names twenty, and how many more there are', () => {
		const { fix } = stop([failure('rejected')], inputs(30));
		expect(fix).toContain('INV-20 and 9 more.');
	});

	test.each([
		[created, 'stop', "'On Duplicate'"],
		[created, 'continue', 'stay the same'],
		[failure('unknown'), 'stop', 'stay the same'],
	] as const)('says how to go on: %j, %s', (result, onDuplicate, words) => {
		const lines = stop([result], inputs(3), onDuplicate).fix.split('\n');
		expect(lines.at(-1)).toContain(words);
	});
});
