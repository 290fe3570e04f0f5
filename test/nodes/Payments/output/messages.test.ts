import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
	startWithItem,
	type InvalidItem,
	type StoppedAt,
} from '../../../../nodes/Payments/output/messages';
import { toHtml } from '../../../../nodes/Payments/output/operationError';
import type {
	CreatedResult,
	DuplicateResult,
	SendFailure,
} from '../../../../nodes/Payments/results';
import { SAMPLE } from '../../../support/builders/transactions';
import { fc } from '../../../support/properties';

const NO_AMOUNT = { field: 'amount' as const, message: 'It is empty', fix: 'Fill it in.' };
const NO_CURRENCY = { field: 'currency' as const, message: '"X" is none', fix: 'Use EUR.' };
const TOO_MUCH = {
	field: 'amount' as const,
	message: '9 is more than 5',
	fix: 'Lower the amount.',
	isBeyondLimit: true,
};
const invalid = (itemIndex: number, ...problems: InvalidItem['problems']): InvalidItem => ({
	itemIndex,
	problems,
	payment: {},
});
const inputs = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
/** As n8n's Google Sheets node outputs them, below a header. */
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { row_number: index + 2 } }));

describe('what is wrong with the input', () => {
	test('one problem: the message names the field, and n8n adds the item', () => {
		const ofNine = describeInvalidItems([invalid(7, NO_AMOUNT)], inputs(9));
		expect(ofNine.message).toBe("'Amount': It is empty. Nothing was sent");
		expect(ofNine.fix).toMatch(/^Fill it in\.\n1 of 9 .*correct\.$/);
		expect(ofNine.fix).not.toContain('7');
	});

	test.each([
		['INV-7', inputs(9), /\n1 of 9 .*correct: External ID "INV-7"\.$/],
		[7, inputs(9), /\n1 of 9 .*correct: External ID 7\.$/],
		['INV-7', rows(9), /\n1 of 9 .*correct: row 4\.$/],
		[' ', inputs(9), /\n1 of 9 .*correct\.$/],
		[{ id: 'secret' }, inputs(9), /\n1 of 9 .*correct\.$/],
		['INV-7', inputs(1), /^Fill it in\.$/],
		['INV-7', rows(1), /^Row 2: Fill it in\.$/],
	])('one item is found by what the user knows: %p', (externalId, all, fix) => {
		const itemIndex = Math.min(2, all.length - 1);
		const item = { ...invalid(itemIndex, NO_AMOUNT), payment: { externalId } };
		expect(describeInvalidItems([item], all).fix).toMatch(fix);
	});

	test('several items are listed with their External IDs, unless they have row numbers', () => {
		const items = [1, 2].map((index) => ({
			...invalid(index, NO_AMOUNT),
			payment: { externalId: `INV-${index}` },
		}));
		expect(describeInvalidItems(items, inputs(9)).fix).toContain(
			'[item 1 "INV-1", item 2 "INV-2"]',
		);
		expect(describeInvalidItems(items, rows(9)).fix).toContain('[row 3, row 4]');
	});

	test('what is wrong with several fields is said once, and each has its fix', () => {
		const noCurrency = { ...NO_AMOUNT, field: 'currency' as const, fix: 'Use EUR.' };
		const item = invalid(0, NO_AMOUNT, noCurrency);
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

	test('several items: the first is the message, and the fix lists all by item and field', () => {
		const { message, fix } = describeInvalidItems(
			[invalid(2, NO_CURRENCY), invalid(4, NO_AMOUNT, NO_CURRENCY)],
			inputs(5),
		);
		expect(message).toBe(`'Currency': "X" is none. Nothing was sent`);
		const [count, ...lines] = fix.split('\n');
		expect(count).toMatch(/^2 of 5 .*correct\.$/);
		expect(lines).toEqual([
			`[item 2, item 4] 'Currency': "X" is none. Use EUR.`,
			`[item 4] 'Amount': It is empty. Fill it in.`,
		]);
	});

	test.each([
		[20, 21, /item 19/],
		[21, 22, /\b1 more/],
		[120, 22, /\b100 more/],
	])('of %d problems, 20 are listed', (count, lineCount, last) => {
		const items = Array.from({ length: count }, (_, index) =>
			invalid(index, { ...NO_AMOUNT, message: `${index} is none` }),
		);
		const lines = describeInvalidItems(items, inputs(500)).fix.split('\n');
		expect(lines).toHaveLength(lineCount);
		expect(lines.at(-1)).toMatch(last);
	});

	test.each([
		[500, inputs(500), '[all 500 items]'],
		[44, inputs(500), '[item 0, item 1, item 2 and 41 more]'],
		[44, rows(500), '[row 2, row 3, row 4 and 41 more]'],
		[2, inputs(500), '[item 0, item 1]'],
	])('the same in %d items is listed once', (count, all, named) => {
		const items = Array.from({ length: count }, (_, index) => invalid(index, NO_AMOUNT));
		const odd = count < all.length ? [invalid(count, NO_CURRENCY)] : [];
		const [, first, second] = describeInvalidItems([...items, ...odd], all).fix.split('\n');
		expect(first).toBe(`${named} 'Amount': It is empty. Fill it in.`);
		if (odd.length > 0) expect(second).toMatch(/^\[\w+ \d+\] 'Currency'/);
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
	['an only item', inputs(1), 0, 'Fix it.'],
	['an item', inputs(3), 2, 'Item 2: Fix it.'],
	['a row', rows(3), 2, 'Row 4: Fix it.'],
	['an only row', rows(1), 0, 'Row 2: Fix it.'],
	['a number as text', [{ json: { row_number: '7' } }], 0, 'Fix it.'],
	['no whole number', [{ json: { row_number: 7.5 } }], 0, 'Fix it.'],
])('a fix begins with what the user knows an item by: %s', (_, all, itemIndex, expected) => {
	expect(startWithItem('Fix it.', itemIndex, all)).toBe(expected);
});

describe('an execution that stopped', () => {
	const created: CreatedResult = { outcome: 'created', message: 'm', status: 202, body: {} };
	const duplicate: DuplicateResult = {
		outcome: 'duplicate',
		message: 'Recorded before',
		fix: 'Nothing is left to do.',
		status: 409,
		ownAttempt: false,
	};
	const failure = (outcome: SendFailure['outcome']): SendFailure => ({
		outcome,
		message: 'The service rejected it',
		fix: 'Correct the fields.',
	});
	const stop = (more: Partial<StoppedAt>): StoppedAt => ({
		itemIndex: 0,
		transaction: { ...SAMPLE, eventId: 'evt-1', externalId: 'ext-1' },
		result: failure('rejected'),
		inputs: inputs(1),
		onDuplicate: 'continue',
		...more,
	});

	test('says what happened, how to go on, and which payment it was', () => {
		const { message, fix } = describeStop([failure('rejected')], stop({}));
		expect(message).toBe('The service rejected it');
		expect(fix).toMatch(/^Correct the fields\.\nExternal ID ext-1, Event ID evt-1\./);
		const inRow = describeStop([failure('rejected')], stop({ inputs: rows(3), itemIndex: 2 }));
		expect(inRow.fix).toContain('\nRow 4, External ID ext-1');
	});

	test.each([
		['none', [], 5, 'stop', 'Recorded: 0 of 5, not started: 5', 'safe'],
		['created', [created, created], 6, 'continue', 'Recorded: 2 of 6, not started: 4', 'safe'],
		['a duplicate', [created, duplicate], 3, 'stop', 'Recorded: 2 of 3, not started: 1', 'stops'],
		[
			'all sorts',
			[failure('notSent'), created, failure('rejected')],
			3,
			'stop',
			'Recorded: 1 of 3',
			'stops',
		],
		[
			'unknown',
			[failure('unknown'), failure('unknown')],
			4,
			'stop',
			'Recorded: 0 of 4, maybe recorded: 2, not started: 2',
			'safe',
		],
	] as const)('with results that are %s', (_, results, total, onDuplicate, counts, again) => {
		const { fix } = describeStop([...results], stop({ inputs: inputs(total), onDuplicate }));
		const [, , counted, howToGoOn] = fix.split('\n');
		expect(counted).toBe(`${counts}.`);
		expect(howToGoOn).toContain(again === 'safe' ? 'stay the same' : "'On Duplicate'");
	});
});

test('a description as HTML shows any text as it is', () => {
	const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#96': '`', '#37': '%' };
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom(...'<>&`%;\nabr lt#37"') }), (text) => {
			const html = toHtml(text).replaceAll('<br>', '\n');
			expect(html).not.toMatch(/[<>`%]/);
			expect(html.replace(/&([^;]+);/g, (_, name: string) => characters[name])).toBe(text);
		}),
	);
});
