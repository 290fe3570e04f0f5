import {
	describeInvalidItem,
	describeIssues,
	describeStop,
	toHtml,
	type StoppedAt,
} from '../../nodes/Payments/output/messages';
import type {
	CreatedResult,
	DuplicateResult,
	SendFailure,
} from '../../nodes/Payments/sending/outcome';
import { SAMPLE } from '../support/builders/transactions';
import { fc } from '../support/properties';

const NO_AMOUNT = { field: 'amount', problem: 'The field is empty', fix: 'Fill it in.' };
const NO_CURRENCY = { field: 'currency', problem: '"X" is no currency', fix: 'Use EUR.' };

describe('what is wrong with the input', () => {
	const labelOf = (field: string, itemIndex: number) => `'${field}' of row ${itemIndex}`;
	const describeAll = (invalid: Parameters<typeof describeIssues>[0], total: number) =>
		describeIssues(invalid, total, labelOf);

	test.each([
		[1, 0, 'Fill it in.\n1 of 1 item has something to correct. Nothing was sent.'],
		[2, 0, 'Fill it in.\n1 of 2 items have something to correct: item 0. Nothing was sent.'],
		[9, 7, 'Fill it in.\n1 of 9 items have something to correct: item 7. Nothing was sent.'],
	])('one issue of %d items, in item %d', (total, itemIndex, description) => {
		expect(describeAll([{ itemIndex, issues: [NO_AMOUNT] }], total)).toEqual({
			message: `'amount' of row ${itemIndex}: The field is empty`,
			description,
		});
	});

	test('two issues of the only item', () => {
		expect(describeAll([{ itemIndex: 0, issues: [NO_AMOUNT, NO_CURRENCY] }], 1)).toEqual({
			message: "'amount' of row 0: The field is empty",
			description: `1 of 1 item has something to correct. Nothing was sent.
[item 0] 'amount' of row 0: The field is empty. Fill it in.
[item 0] 'currency' of row 0: "X" is no currency. Use EUR.`,
		});
	});

	test('issues of several items', () => {
		const invalid = [
			{ itemIndex: 2, issues: [NO_CURRENCY] },
			{ itemIndex: 4, issues: [NO_AMOUNT, NO_CURRENCY] },
		];
		expect(describeAll(invalid, 5)).toEqual({
			message: `'currency' of row 2: "X" is no currency`,
			description: `2 of 5 items have something to correct. Nothing was sent.
[item 2] 'currency' of row 2: "X" is no currency. Use EUR.
[item 4] 'amount' of row 4: The field is empty. Fill it in.
[item 4] 'currency' of row 4: "X" is no currency. Use EUR.`,
		});
	});

	test.each([
		[20, 21, "[item 19] 'amount' of row 19: The field is empty. Fill it in."],
		[21, 22, '… and 1 more'],
		[120, 22, '… and 100 more'],
	])('of %d issues, 20 are listed', (count, lineCount, last) => {
		const invalid = Array.from({ length: count }, (_, itemIndex) => ({
			itemIndex,
			issues: [NO_AMOUNT],
		}));
		const lines = describeAll(invalid, 500).description.split('\n');
		expect(lines).toHaveLength(lineCount);
		expect(lines[0]).toBe(`${count} of 500 items have something to correct. Nothing was sent.`);
		expect(lines[20]).toBe("[item 19] 'amount' of row 19: The field is empty. Fill it in.");
		expect(lines.at(-1)).toBe(last);
	});
});

test.each([
	[
		[NO_AMOUNT],
		{
			message: "'amount': The field is empty",
			description: 'Fill it in.\nThis item was not sent.',
		},
	],
	[
		[NO_CURRENCY, NO_AMOUNT],
		{
			message: `'currency': "X" is no currency`,
			description: `'currency': "X" is no currency. Use EUR.
'amount': The field is empty. Fill it in.
This item was not sent.`,
		},
	],
])('what is wrong with one item, when the others go on: %#', (issues, expected) => {
	expect(describeInvalidItem(issues, (field) => `'${field}'`)).toEqual(expected);
});

describe('an execution that stopped', () => {
	const transaction = { ...SAMPLE, eventId: 'evt-1', externalId: 'ext-1' };
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
		transaction,
		result: failure('rejected'),
		total: 1,
		onDuplicate: 'continue',
		...more,
	});
	const runAgain =
		'Running the workflow again is safe: each payment is sent with the same Event ID, and the service recognizes those that it has.';
	const setContinue =
		"The option 'On Duplicate' stops at items that are recorded already. Set it to Continue before you run the workflow again: then they go on, and the others are sent.";

	test('at the only item', () => {
		expect(describeStop([failure('rejected')], stop({}))).toEqual({
			message: 'The service rejected it',
			description: `Correct the fields.
Event ID evt-1, External ID ext-1.
0 of 1 transaction is recorded, 0 were not begun.
${runAgain}`,
		});
	});

	test('at a duplicate', () => {
		const stopped = stop({ result: duplicate, total: 3, onDuplicate: 'stop' });
		expect(describeStop([created, duplicate], stopped)).toEqual({
			message: 'Recorded before',
			description: `Nothing is left to do.
Event ID evt-1, External ID ext-1.
2 of 3 transactions are recorded, 1 was not begun.
${setContinue}`,
		});
	});

	test.each([
		['none', [], 5, 'stop', '0 of 5 transactions are recorded, 5 were not begun.', runAgain],
		[
			'two of six',
			[created, created],
			6,
			'continue',
			'2 of 6 transactions are recorded, 4 were not begun.',
			runAgain,
		],
		[
			'some, and one that is recorded',
			[failure('notSent'), created, failure('rejected')],
			3,
			'stop',
			'1 of 3 transactions are recorded, 0 were not begun.',
			setContinue,
		],
		[
			'unknown outcomes',
			[failure('unknown'), failure('rejected'), failure('unknown')],
			4,
			'stop',
			'0 of 4 transactions are recorded, 2 may be recorded, 1 was not begun.',
			runAgain,
		],
	] as const)('with results that are %s', (_, results, total, onDuplicate, counts, howToGoOn) => {
		const { description } = describeStop([...results], stop({ total, onDuplicate }));
		expect(description.split('\n').slice(2)).toEqual([counts, howToGoOn]);
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
