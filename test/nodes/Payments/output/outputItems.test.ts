import { NodeOperationError, type INode } from 'n8n-workflow';

import {
	dryRunJson,
	failureItem,
	failureJson,
	invalidJson,
	itemOf,
	recordedJson,
} from '../../../../nodes/Payments/output/outputItems';
import type { DuplicateResult, SendFailure } from '../../../../nodes/Payments/results';
import { SAMPLE } from '../../../support/builders/transactions';

/*
 * The JSON with everything that is known, member by member: the workflows of users read it.
 * test/nodes/Payments/output/simplify.test.ts has what they get by default.
 */

const { eventId, externalId, ...FIELDS } = SAMPLE;
const WARNINGS = [{ position: 'sender', issue: 'Closed' }];
const DUPLICATE: DuplicateResult = {
	outcome: 'duplicate',
	message: 'Recorded before',
	fix: 'Nothing is left to do.',
	status: 409,
	ownAttempt: false,
};
const FAILURE: SendFailure = { outcome: 'rejected', message: 'Rejected', fix: 'Correct it.' };

/** The entries, because the order counts, and so does a member without a value. */
const entries = (json: object) => Object.entries(json);

test('dry run', () => {
	expect(entries(dryRunJson(SAMPLE))).toEqual([
		['outcome', 'dryRun'],
		['message', expect.stringContaining("wasn't sent")],
		['eventId', eventId],
		['externalId', externalId],
		...entries(FIELDS),
	]);
});

describe('created', () => {
	const json = (body: unknown, includeStatusCode = false) =>
		recordedJson(
			SAMPLE,
			{ outcome: 'created', message: 'Created', status: 202, body },
			includeStatusCode,
		);
	const ALL = {
		outcome: 'created',
		message: 'Created',
		eventId,
		externalId,
		...FIELDS,
	};

	test.each<[unknown, boolean, object]>([
		[undefined, false, ALL],
		[undefined, true, { ...ALL, statusCode: 202 }],
		[null, false, ALL],
		['', false, ALL],
		[' ', false, ALL],
		['OK', false, { ...ALL, response: 'OK' }],
		[0, false, { ...ALL, response: 0 }],
		[[1], false, { ...ALL, response: [1] }],
		[{ id: 'p1', outcome: 'x', message: 'x', eventId: 'x' }, false, { ...ALL, id: 'p1' }],
		[{ statusCode: 'x' }, true, { ...ALL, statusCode: 202 }],
		[{ statusCode: 'x' }, false, { ...ALL, statusCode: 'x' }],
	])('with the response %j', (body, includeStatusCode, expected) => {
		expect(entries(json(body, includeStatusCode))).toEqual(entries(expected));
	});
});

test.each([
	[{}, false, []],
	[{}, true, [['statusCode', 409]]],
	[{ warnings: [] }, false, []],
	[
		{ errorCode: 'E1', warnings: WARNINGS },
		true,
		[
			['statusCode', 409],
			['errorCode', 'E1'],
			['warnings', WARNINGS],
		],
	],
])('duplicate with %j', (details, includeStatusCode, expected) => {
	const json = recordedJson(SAMPLE, { ...DUPLICATE, ...details }, includeStatusCode);
	expect(entries(json)).toEqual([
		['outcome', 'duplicate'],
		['message', 'Recorded before'],
		['eventId', eventId],
		['externalId', externalId],
		...expected,
		...entries(FIELDS),
	]);
});

test.each([
	[{}, []],
	[{ warnings: [] }, []],
	[{ status: 422, warnings: [] }, [['statusCode', 422]]],
	[
		{ status: 400, errorCode: 'E1', warnings: WARNINGS },
		[
			['statusCode', 400],
			['errorCode', 'E1'],
			['warnings', WARNINGS],
		],
	],
])('a failure with %j', (details, expected) => {
	expect(entries(failureJson(SAMPLE, { ...FAILURE, ...details }))).toEqual([
		['outcome', 'rejected'],
		['message', 'Rejected'],
		['eventId', eventId],
		['externalId', externalId],
		['description', 'Correct it.'],
		...expected,
		...entries(FIELDS),
		['error', 'Rejected. Correct it.'],
	]);
});

describe('invalid', () => {
	const problem = {
		field: 'amount' as const,
		label: "'Amount'",
		message: 'It is empty',
		fix: 'Fill it in.',
	};
	const json = (input: unknown) => invalidJson({ itemIndex: 0, input, problems: [problem] });

	test.each<[string, unknown, unknown, unknown, Array<[string, unknown]>]>([
		['nothing', undefined, null, null, []],
		['null', null, null, null, []],
		['text', 'x', null, null, []],
		['IDs', { eventId: 'e1', externalId: 17 }, 'e1', 17, []],
		[
			'what is neither text nor a number',
			{ eventId: { a: 1 }, externalId: [1], amount: {}, currency: true, reference: null },
			null,
			null,
			[],
		],
		[
			'key fields in another order, and another field',
			{ reference: '', currency: 'X', amount: 0, paymentScheme: 'SCT' },
			null,
			null,
			[
				['amount', 0],
				['currency', 'X'],
				['reference', ''],
			],
		],
		['inherited members', Object.create({ eventId: 'e1', amount: 1 }), null, null, []],
	])('%s', (_, input, eventId, externalId, keyFields) => {
		expect(entries(json(input))).toEqual([
			['outcome', 'invalid'],
			['message', "'Amount': It is empty"],
			['eventId', eventId],
			['externalId', externalId],
			['description', expect.stringMatching(/^Fill it in\..*wasn't sent/s)],
			['issues', [{ field: 'amount', issue: 'It is empty', fix: 'Fill it in.' }]],
			...keyFields,
			['error', expect.stringMatching(/^'Amount': It is empty\. Fill it in\./)],
		]);
	});
});

describe('items', () => {
	test('a success is paired with its input item', () => {
		expect(itemOf({ outcome: 'created' }, 3)).toEqual({
			json: { outcome: 'created' },
			pairedItem: { item: 3 },
		});
	});

	const node: INode = {
		id: 'n1',
		name: 'Payments',
		type: 'payments',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const failed = (onError: INode['onError']) =>
		failureItem({ ...node, onError }, failureJson(SAMPLE, FAILURE), { outcome: 'rejected' }, 2);
	const ITEM = { json: { outcome: 'rejected' }, pairedItem: { item: 2 } };

	test.each([undefined, 'stopWorkflow', 'continueRegularOutput'] as const)(
		'a failure has no error that n8n would route, with On Error %p',
		(onError) => {
			expect(failed(onError)).toStrictEqual(ITEM);
			expect(failed(onError).error).toBeUndefined();
		},
	);

	test('a failure for the error output has one, which n8n does not copy', () => {
		const item = failed('continueErrorOutput');
		expect({ ...item }).toStrictEqual(ITEM);
		expect(item.error).toBeInstanceOf(NodeOperationError);
		expect(item.error).toMatchObject({
			message: 'Rejected',
			description: 'Correct it.',
			node: { name: 'Payments' },
		});
	});
});
