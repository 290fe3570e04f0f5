import { fc } from '../../../support/properties';

import {
	dryRunJson,
	failureJson,
	invalidJson,
	recordedJson,
} from '../../../../nodes/Payments/output/outputItems';
import { simplify } from '../../../../nodes/Payments/output/simplify';
import type { OutputSettings } from '../../../../nodes/Payments/results';
import {
	created,
	duplicate,
	failureFromResponse,
	notSent,
	unknownOutcome,
} from '../../../../nodes/Payments/sending/outcome';
import { parseErrorBody } from '../../../../nodes/Payments/sending/response/responseBody';
import { anyInput, SAMPLE, validateItem } from '../../../support/builders/transactions';

const SIMPLIFIED: OutputSettings = { mode: 'simplified' };
const SENT = {
	amount: '2501.00',
	currency: 'EUR',
	recipientEntityId: SAMPLE.recipient.externalEntityId,
	reference: 'Invoice 2025-0042',
};
const IDS = { eventId: SAMPLE.eventId, externalId: SAMPLE.externalId };
const CREATED_AT = '2025-05-28T11:38:44.513Z';
const ERROR_BODY = parseErrorBody({
	errorCode: 'CLOSED',
	message: 'The channel is closed.',
	warnings: [{ position: 'sender', issue: 'Closed' }],
});
const rejection = failureFromResponse(422, ERROR_BODY, 'rejected', SAMPLE);
const conflict = duplicate(409, ERROR_BODY, false);

const createdWith = (body: unknown, statusCode = false) =>
	recordedJson(SAMPLE, created(202, body), statusCode);

const shownSuccess = (json: object, settings: OutputSettings = SIMPLIFIED) =>
	simplify({ json, transaction: SAMPLE, isFailure: false }, settings);
const shownFailure = (json: object, settings: OutputSettings = SIMPLIFIED) =>
	simplify({ json, transaction: SAMPLE, isFailure: true }, settings);
const shownInvalid = (json: object, settings: OutputSettings = SIMPLIFIED) =>
	simplify({ json, isFailure: true }, settings);

/** The entries, because the order counts: it is the order of the columns. */
const entries = (json: object, settings: OutputSettings = SIMPLIFIED) =>
	Object.entries(shownSuccess(json, settings));

describe('simplified: at most 10 flat fields, most useful first', () => {
	test('created, with what the service says of its payment', () => {
		const body = { id: 'pmt_1', status: 'ACCEPTED', links: { self: '/pmt_1' }, note: null };
		expect(entries(createdWith(body))).toEqual([
			['outcome', 'created'],
			['externalId', IDS.externalId],
			['amount', SENT.amount],
			['currency', SENT.currency],
			['message', 'Transaction created'],
			['recipientEntityId', SENT.recipientEntityId],
			['reference', SENT.reference],
			['id', 'pmt_1'],
			['status', 'ACCEPTED'],
			['eventId', IDS.eventId],
		]);
	});

	test.each([
		['nothing', undefined],
		['text', 'OK'],
		['a list', [{ id: 'x' }]],
		['nothing of use', { id: null, status: {}, error: 'none', statusCode: 202 }],
	])('created, when the service answers with %s', (_, body) => {
		expect(Object.keys(shownSuccess(createdWith(body)))).toEqual([
			'outcome',
			'externalId',
			'amount',
			'currency',
			'message',
			'recipientEntityId',
			'reference',
			'eventId',
		]);
	});

	test.each([null, undefined, '', [], {}, ['x']])('%j has no column', (id) => {
		const raw = createdWith({ id, status: 'OK' });
		expect(Object.keys(shownSuccess(raw))).toEqual([
			'outcome',
			'externalId',
			'amount',
			'currency',
			'message',
			'recipientEntityId',
			'reference',
			'status',
			'eventId',
		]);
	});

	test.each([0, false, 'x'])('%j has one', (id) => {
		expect(shownSuccess(createdWith({ id }))).toMatchObject({ id });
	});

	test('created, when the response has a description, is no failure', () => {
		const body = { description: 'Salary', error: 'none', id: 7 };
		expect(shownSuccess(createdWith(body))).toEqual({
			outcome: 'created',
			message: 'Transaction created',
			...IDS,
			id: 7,
			...SENT,
		});
	});

	test('what was sent counts before fields of the same names in the response', () => {
		const body = { amount: 2501, currency: 'eur', createdAt: 1, recipientEntityId: 'other' };
		expect(shownSuccess(createdWith(body))).toMatchObject(SENT);
		const settings: OutputSettings = { mode: 'selectedFields', fields: ['createdAt'] };
		expect(shownSuccess(createdWith(body), settings)).toMatchObject({ createdAt: CREATED_AT });
	});

	test.each([
		['created', createdWith({ status: 'ACCEPTED' }, true), 202],
		['duplicate', recordedJson(SAMPLE, conflict, true), 409],
	])('%s, with the status code when it is asked for', (_, raw, statusCode) => {
		const settings = { ...SIMPLIFIED, includeStatusCode: true };
		expect(entries(raw, settings).at(-1)).toEqual(['statusCode', statusCode]);
	});

	test.each([
		['duplicate', recordedJson(SAMPLE, conflict, false)],
		['dryRun', dryRunJson(SAMPLE)],
	])('%s', (outcome, raw) => {
		expect(entries(raw)).toEqual([
			['outcome', outcome],
			['externalId', IDS.externalId],
			['amount', SENT.amount],
			['currency', SENT.currency],
			['message', expect.any(String)],
			['recipientEntityId', SENT.recipientEntityId],
			['reference', SENT.reference],
			['eventId', IDS.eventId],
		]);
	});

	test('rejected', () => {
		expect(Object.entries(shownFailure(failureJson(SAMPLE, rejection)))).toEqual([
			['outcome', 'rejected'],
			['externalId', IDS.externalId],
			['amount', SENT.amount],
			['currency', SENT.currency],
			['message', rejection.message],
			['description', rejection.fix],
			['recipientEntityId', SENT.recipientEntityId],
			['eventId', IDS.eventId],
			['statusCode', 422],
			['error', `${rejection.message}. ${rejection.fix}`],
		]);
	});

	test('a duplicate that is to be reported', () => {
		expect(shownFailure(failureJson(SAMPLE, conflict))).toMatchObject({
			outcome: 'duplicate',
			statusCode: 409,
			error: expect.stringContaining(conflict.message) as string,
		});
	});

	test('invalid: the problems are in the description', () => {
		const problem = {
			field: 'currency' as const,
			label: 'currency',
			message: '"EURO" is none',
			fix: 'Use EUR.',
		};
		const input = { externalId: 'x', amount: 1.5, currency: 'EURO', reference: { a: 1 } };
		const raw = invalidJson({ itemIndex: 0, input, problems: [problem] });
		expect(Object.entries(shownInvalid(raw))).toEqual([
			['outcome', 'invalid'],
			['externalId', 'x'],
			['amount', 1.5],
			['currency', 'EURO'],
			['message', 'currency: "EURO" is none'],
			['description', expect.stringContaining('Use EUR.')],
			['error', expect.stringContaining('currency: "EURO" is none. Use EUR.')],
		]);
	});
});

describe('selected fields', () => {
	const select = (...fields: string[]): OutputSettings => ({ mode: 'selectedFields', fields });

	test('always have the outcome and the Event ID', () => {
		expect(entries(createdWith({}), select())).toEqual([
			['outcome', 'created'],
			['eventId', IDS.eventId],
		]);
	});

	test('are in the order of the selection', () => {
		const settings = select('recipientEntityId', 'status', 'createdAt', 'unheardOf');
		expect(entries(createdWith({ status: 'ACCEPTED' }), settings)).toEqual([
			['outcome', 'created'],
			['eventId', IDS.eventId],
			['recipientEntityId', SAMPLE.recipient.externalEntityId],
			['status', 'ACCEPTED'],
			['createdAt', CREATED_AT],
		]);
	});

	test('have the reason when the transaction is not recorded', () => {
		const failure = failureJson(SAMPLE, rejection);
		expect(shownFailure(failure, select('amount'))).toEqual({
			outcome: 'rejected',
			eventId: IDS.eventId,
			error: failure.error,
			amount: SENT.amount,
		});
	});

	test.each([[{}], [{ eventId: '' }]])('have an Event ID without a value for %j', (input) => {
		const problem = { field: 'amount' as const, label: "'Amount'", message: 'm', fix: 'f' };
		const raw = invalidJson({ itemIndex: 0, input, problems: [problem] });
		expect(shownInvalid(raw, select('message'))).toEqual({
			outcome: 'invalid',
			eventId: null,
			error: expect.stringContaining("'Amount': m. f"),
			message: "'Amount': m",
		});
	});
});

test('raw is everything', () => {
	const raw = createdWith({ links: { self: '/pmt_1' } });
	expect(shownSuccess(raw, { mode: 'raw' })).toBe(raw);
});

/** Results of every type for a transaction, with any response. */
const rawItems = (transaction: typeof SAMPLE, body: unknown, statusCode: boolean) => [
	...[
		dryRunJson(transaction),
		recordedJson(transaction, created(202, body), statusCode),
		recordedJson(transaction, duplicate(409, parseErrorBody(body), false), statusCode),
	].map((json) => ({ json, transaction, isFailure: false })),
	...[
		failureJson(
			transaction,
			failureFromResponse(400, parseErrorBody(body), 'rejected', transaction),
		),
		failureJson(
			transaction,
			failureFromResponse(500, parseErrorBody(body), 'unknown', transaction),
		),
		failureJson(transaction, unknownOutcome('no response', transaction)),
		failureJson(transaction, notSent('No connection', 'Check it.')),
	].map((json) => ({ json, transaction, isFailure: true })),
];

const anyBody = fc.oneof(
	fc.anything(),
	fc.dictionary(
		fc.constantFrom('id', 'status', 'error', 'description', 'outcome', 'amount', '__proto__'),
		fc.anything(),
	),
);

test('any transaction, any response: flat, few, without empty fields, and never another outcome, amount, or Event ID', () => {
	fc.assert(
		fc.property(anyInput, anyBody, fc.boolean(), (input, body, includeStatusCode) => {
			const { transaction } = validateItem(input, { now: 1e12, timeZone: 'UTC' });
			fc.pre(transaction !== undefined);
			for (const item of rawItems(transaction, body, includeStatusCode)) {
				const { outcome } = item.json as { outcome: string };
				const shown = simplify(item, { ...SIMPLIFIED, includeStatusCode });
				expect(Object.keys(shown).length).toBeLessThanOrEqual(includeStatusCode ? 11 : 10);
				for (const value of Object.values(shown)) {
					expect(value ?? '').not.toBe('');
					expect(typeof value).not.toBe('object');
				}
				const { eventId, externalId, amount, currency } = transaction;
				const recipientEntityId = transaction.recipient.externalEntityId;
				const sent = { eventId, externalId, amount, currency, recipientEntityId };
				expect(shown).toMatchObject({ outcome, ...sent });
				expect('error' in shown).toBe(item.isFailure);
			}
		}),
	);
});

test('any selection has the outcome and the Event ID, and nothing that is not selected', () => {
	const anyFields = fc.array(fc.oneof(fc.constantFrom('message', 'amount', 'id'), fc.string()));
	fc.assert(
		fc.property(anyFields, anyBody, (fields, body) => {
			const settings: OutputSettings = { mode: 'selectedFields', fields };
			for (const item of rawItems(SAMPLE, body, true)) {
				const { outcome } = item.json as { outcome: string };
				const shown = simplify(item, settings);
				expect(shown).toMatchObject({ outcome, eventId: SAMPLE.eventId });
				const allowed = ['outcome', 'eventId', 'error', ...fields];
				expect(Object.keys(shown).filter((name) => !allowed.includes(name))).toEqual([]);
			}
		}),
	);
});
