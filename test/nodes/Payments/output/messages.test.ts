import {
	describeInvalidItem,
	describeInvalidItems,
	describeStop,
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

const NO_AMOUNT = {
	field: 'amount' as const,
	label: "'Amount'",
	message: 'It is empty',
	fix: 'Fill it in.',
};
const NO_CURRENCY = {
	field: 'currency' as const,
	label: 'currency',
	message: '"X" is none',
	fix: 'Use EUR.',
};
const invalid = (itemIndex: number, ...problems: InvalidItem['problems']): InvalidItem => ({
	itemIndex,
	input: {},
	problems,
});

describe('what is wrong with the input', () => {
	test('one problem: the message names the field, and the fix the item, unless it is the only one', () => {
		const ofNine = describeInvalidItems([invalid(7, NO_AMOUNT)], 9);
		expect(ofNine.message).toBe("'Amount': It is empty");
		expect(ofNine.fix).toMatch(/^Fill it in\..*1 of 9 .*item 7.*Nothing was sent\.$/s);
		expect(describeInvalidItems([invalid(0, NO_AMOUNT)], 1).fix).not.toContain('item 0');
	});

	test('several problems: the first is the message, and the fix lists all by item and field', () => {
		const { message, fix } = describeInvalidItems(
			[invalid(2, NO_CURRENCY), invalid(4, NO_AMOUNT, NO_CURRENCY)],
			5,
		);
		expect(message).toBe('currency: "X" is none');
		const [count, ...lines] = fix.split('\n');
		expect(count).toMatch(/^2 of 5 .*Nothing was sent\.$/);
		expect(lines).toEqual([
			'[items 2 and 4] currency: "X" is none. Use EUR.',
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
		const lines = describeInvalidItems(items, 500).fix.split('\n');
		expect(lines).toHaveLength(lineCount);
		expect(lines.at(-1)).toMatch(last);
	});

	test.each([
		[500, 500, '[all 500 items]'],
		[44, 500, '[items 0, 1, 2 and 41 more]'],
		[3, 500, '[items 0, 1 and 2]'],
		[2, 500, '[items 0 and 1]'],
	])('the same in %d of %d items is listed once', (count, total, named) => {
		const items = Array.from({ length: count }, (_, index) => invalid(index, NO_AMOUNT));
		const odd = invalid(count, NO_CURRENCY);
		const [, first, second] = describeInvalidItems(
			count < total ? [...items, odd] : items,
			total,
		).fix.split('\n');
		expect(first).toBe(`${named} 'Amount': It is empty. Fill it in.`);
		if (count < total) expect(second).toContain(`[item ${count}]`);
	});

	test('of one item, when the others go on', () => {
		const one = describeInvalidItem(invalid(0, NO_AMOUNT));
		expect(one.message).toBe("'Amount': It is empty");
		expect(one.fix).toMatch(/^Fill it in\.\n.*wasn't sent/);
		const two = describeInvalidItem(invalid(0, NO_CURRENCY, NO_AMOUNT));
		expect(two.message).toBe('currency: "X" is none');
		expect(two.fix).toMatch(/^currency: .*Use EUR\.\n'Amount': .*Fill it in\.\n/);
	});
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
		transaction: { ...SAMPLE, eventId: 'evt-1', externalId: 'ext-1' },
		result: failure('rejected'),
		total: 1,
		onDuplicate: 'continue',
		...more,
	});

	test('says what happened, how to go on, and which payment it was', () => {
		const { message, fix } = describeStop([failure('rejected')], stop({}));
		expect(message).toBe('The service rejected it');
		expect(fix).toMatch(/^Correct the fields\.\n.*evt-1.*ext-1/);
	});

	test.each([
		['none', [], 5, 'stop', [0, 5], 'safe'],
		['two of six', [created, created], 6, 'continue', [2, 4], 'safe'],
		['a duplicate', [created, duplicate], 3, 'stop', [2, 1], 'stops again'],
		[
			'created',
			[failure('notSent'), created, failure('rejected')],
			3,
			'stop',
			[1, 0],
			'stops again',
		],
		['unknown', [failure('unknown'), failure('unknown')], 4, 'stop', [0, 2, 2], 'safe'],
	] as const)('with results that are %s', (_, results, total, onDuplicate, counts, again) => {
		const { fix } = describeStop([...results], stop({ total, onDuplicate }));
		const [, , counted, howToGoOn] = fix.split('\n');
		const numbers = counted.match(/\d+(?! transaction)/g)!.map(Number);
		const [recorded, notStarted, mayBe] = counts;
		expect(counted).toContain(`of ${total} transactions`);
		expect(numbers).toEqual(
			[recorded, mayBe, notStarted || undefined].filter((count) => count !== undefined),
		);
		expect(howToGoOn).toContain(again === 'safe' ? 'is safe' : "'On Duplicate'");
	});
});

describe('a description as HTML', () => {
	test.each([
		['two\nlines', 'two<br>lines'],
		['"<b>" & more', '"&lt;b&gt;" &amp; more'],
		['`code`', '&#96;code&#96;'],
		['%%PARAMETER%%', '&#37;&#37;PARAMETER&#37;&#37;'],
		['&lt;', '&amp;lt;'],
		["'Amount': 1.5", "'Amount': 1.5"],
	])('%j is %j', (text, html) => {
		expect(toHtml(text)).toBe(html);
	});

	const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', '#96': '`', '#37': '%' };

	test('shows any text as it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'<>&`%;\nabr lt#37"') }), (text) => {
				const html = toHtml(text);
				const withoutBreaks = html.replaceAll('<br>', '\n');
				expect(withoutBreaks).not.toMatch(/[<>`%]/);
				expect(withoutBreaks.replace(/&([^;]+);/g, (_, name: string) => CHARACTERS[name])).toBe(
					text,
				);
			}),
		);
	});
});
