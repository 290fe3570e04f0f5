import { randomUUID } from 'node:crypto';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import type { Transaction } from '../../nodes/Payments/Transaction';
import type { Check } from '../../check/Check';
import { verdictLines } from '../../check/report';
import { verdictOf, type VerdictName } from '../../check/verdict';
import { fc, propertyRuns } from '../support/properties';
import {
	checkService,
	type Answers,
	type Reply,
	type ServiceOptions,
} from '../support/servers/checkedService';

/*
 * Services after public APIs. Their answers to a repeat, to other content, and to what is invalid
 * are those of test/fixtures/documentedResponses.json, where it has the API.
 */

// cspell:ignore aceptado merchant datos

/** What a service answers. `id` is its own one of what it has recorded. */
interface Service {
	created: (id: string, sent: Transaction) => Reply;
	/** An amount that is no number. */
	invalid: Reply;
	/** An Event ID that is recorded. Without it, it's recorded again. */
	repeat?: (id: string, sent: Transaction) => Reply;
	/** The same with another amount. */
	otherAmount?: Reply;
	/** What it makes of Idempotency-Key. Without it, it doesn't read it. */
	key?: {
		/** The same content. Without it, the first answer again. */
		repeat?: Reply;
		/** Other content. Without it, the same as for the same content. */
		other?: Reply;
		/** Whether it keeps refusals, too. */
		keepsRefusals?: boolean;
		/** Of the first answer that is repeated. */
		headers?: Record<string, string>;
	};
	/** A movement of a year ago. */
	past?: Reply;
	/** With each answer. */
	headers?: Record<string, string>;
	/** Whether it answers a transaction that was refused in this way, whatever is sent since. */
	refusedBefore?: Reply;
}

interface Known {
	body: string;
	reply: Reply;
}

/** Checks a service. */
async function check(service: Service, options: ServiceOptions = {}) {
	const recorded = new Map<string, { ids: string[]; amount: string; isWithoutKey: boolean }>();
	const refused = new Set<string>();
	const keys = new Map<string, Known>();
	const refuse = (eventId: string, reply: Reply) => {
		refused.add(eventId);
		return reply;
	};
	const record = (sent: Transaction, isWithoutKey: boolean): Reply => {
		const { eventId, amount } = sent;
		if (service.refusedBefore && refused.has(eventId)) return service.refusedBefore;
		if (amount === 'not-a-number') return refuse(eventId, service.invalid);
		const isPast = sent.externalCreatedAt < Date.now() - 300 * 24 * 3_600_000;
		if (isPast && service.past) return refuse(eventId, service.past);
		const known = recorded.get(eventId);
		if (known && service.otherAmount && known.amount !== amount) return service.otherAmount;
		if (known && service.repeat) return service.repeat(known.ids[0], sent);
		const id = randomUUID();
		const ids = [...(known?.ids ?? []), id];
		recorded.set(eventId, { ids, amount, isWithoutKey: isWithoutKey || !!known?.isWithoutKey });
		return service.created(id, sent);
	};
	const answer = (body: string, key: string): Reply => {
		const { key: reads } = service;
		const known = keys.get(key);
		if (reads && known) {
			if (known.body !== body && reads.other) return reads.other;
			const [status, first, headers] = known.reply;
			return reads.repeat ?? [status, first, { ...headers, ...reads.headers }];
		}
		const reply = record(JSON.parse(body) as Transaction, key === '');
		if (key && (reply[0] < 300 || reads?.keepsRefusals)) keys.set(key, { body, reply });
		return reply;
	};
	const answers: Answers = ({ body, key = '' }, send) => {
		const [status, said, headers] = answer(body, key);
		send(status, said, { ...service.headers, ...headers });
	};
	const made = await checkService(answers, { ...options, invalid: answers });
	const { invalid, past } = made.asked!;
	const isSent = options.sendIdempotencyKey !== false;
	return {
		made,
		/** Whether something counts twice that was sent as the node sends it. */
		isTwice: [...recorded.values()].some(
			({ ids, isWithoutKey }) => ids.length > 1 && !(isWithoutKey && isSent),
		),
		isRefusalCreated: [invalid, past].some(
			({ says, transaction }) => says.outcome === 'created' && refused.has(transaction.eventId),
		),
	};
}

const accepts: Service['created'] = () => [202];
const withId: Service['created'] = (id) => [201, { id, status: 'pending' }];
/** The first answer, whatever is sent. */
const sameId: Service['repeat'] = (id) => [200, { id, status: 'pending' }];
const always =
	(...reply: Reply): Service['repeat'] =>
	() =>
		reply;

const CODES = 'Payments API → Codes for Recorded Already';
const CREATED_AT = 'Payments → Created At';
const KEY = 'Payments API → Send Idempotency-Key Header';
const DATA = 'a value of your data';

interface Expected extends Service {
	/** If it isn't "fits", or "fitsIfSet" because something has to be set. */
	verdict?: VerdictName;
	/** What has to be set, by its field. */
	set?: Record<string, string>;
	says?: RegExp[];
}

const SERVICES: Record<string, Expected> = {
	'the interface, with its checklist': {
		created: accepts,
		invalid: [400, { errorCode: 'INVALID_REQUEST_DATA', message: 'amount: No number' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		otherAmount: [422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }],
		says: [/on: the service doesn't read it/, /takes a 'Created At' of a year ago/],
	},
	'the interface, as it is published: a key with another payload gets 409': {
		created: withId,
		invalid: [400, { errorCode: 'INVALID_REQUEST_DATA', message: 'amount: No number' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		key: {
			other: [409, { errorCode: 'INVALID_REQUEST', message: 'The key has another payload' }],
			keepsRefusals: true,
		},
		set: { [KEY]: 'off' },
	},
	'the IETF draft Idempotency-Key': {
		created: withId,
		invalid: [400, { title: 'Bad Request', detail: 'The amount is no number' }],
		key: { other: [422, { title: 'Idempotency-Key is already used' }] },
		set: { [CREATED_AT]: DATA },
		says: [/on: the service reads it/],
	},
	Stripe: {
		created: (id) => [200, { id: `tr_${id}`, object: 'transfer', failure_code: null }],
		invalid: [400, { error: { type: 'invalid_request_error', param: 'amount' } }],
		key: {
			other: [400, { error: { type: 'idempotency_error', message: 'Keys for idempotent …' } }],
			headers: { 'idempotent-replayed': 'true' },
		},
		set: { [CREATED_AT]: DATA },
		says: [/on: the service reads it/, /No answer announces a limit/],
	},
	GoCardless: {
		created: (id) => [201, { payments: { id: `PM${id}`, status: 'pending_submission' } }],
		invalid: [422, { error: { code: 422, type: 'validation_failed', errors: [] } }],
		key: {
			repeat: [
				409,
				{
					error: {
						code: 409,
						type: 'invalid_state',
						errors: [{ reason: 'idempotent_creation_conflict' }],
					},
				},
			],
		},
		headers: { 'ratelimit-limit': '1000', 'ratelimit-remaining': '998' },
		set: { [CODES]: 'idempotent_creation_conflict' },
		says: [/ratelimit-limit: 1000/, /Max Requests per Second/],
	},
	'Modern Treasury, which keeps refusals': {
		created: (id) => [201, { id, object: 'payment_order', status: 'pending' }],
		invalid: [422, { errors: { code: 'parameter_invalid', parameter: 'amount' } }],
		key: { keepsRefusals: true },
		says: [/External ID of its own/, /on: without it, the service isn't known to fit/],
	},
	'one that keeps refusals by the key, and knows the Event ID': {
		created: withId,
		invalid: [422, { errors: { code: 'parameter_invalid' } }],
		repeat: sameId,
		key: { keepsRefusals: true },
		set: { [KEY]: 'off' },
	},
	'one that keeps refusals by the key, and has a code of its own for the Event ID': {
		created: withId,
		invalid: [422, { errors: { code: 'parameter_invalid' } }],
		repeat: always(409, { code: 'TX_KNOWN' }),
		key: { keepsRefusals: true },
		set: { [CODES]: 'TX_KNOWN', [KEY]: 'off' },
	},
	Mangopay: {
		created: (id) => [200, { Id: id, Status: 'CREATED' }],
		invalid: [400, { Message: 'One or several required parameters', Type: 'param_error' }],
		key: { repeat: [409, { Type: 'idempotent_creation_conflict', Id: 'bf6c', errors: null }] },
		set: { [CODES]: 'idempotent_creation_conflict' },
	},
	Adyen: {
		created: (id) => [200, { pspReference: id.slice(0, 16).toUpperCase(), status: 'received' }],
		invalid: [422, { status: 422, errorCode: '702', errorType: 'validation' }],
		key: {},
		says: [/on: the service reads it/],
	},
	Increase: {
		created: (id) => [200, { id: `transfer_${id}`, status: 'pending_approval' }],
		invalid: [400, { type: 'invalid_parameters_error', status: 400 }],
		key: {
			other: [409, { type: 'idempotency_key_already_used_error', status: 409 }],
			headers: { 'idempotent-replayed': 'true' },
		},
		set: { [CREATED_AT]: DATA },
	},
	TrueLayer: {
		created: (id) => [202, { id }],
		invalid: [400, { title: 'Invalid Parameters', errors: { amount_in_minor: ['required'] } }],
		key: { other: [422, { title: 'Idempotency-Key Reuse', status: 422 }] },
		set: { [CREATED_AT]: DATA },
	},
	Square: {
		created: (id) => [200, { payment: { id, status: 'COMPLETED' } }],
		invalid: [400, { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST' }] }],
		key: { other: [400, { errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] }] },
		set: { [CREATED_AT]: DATA },
	},
	Wise: {
		created: (id) => [200, { id, status: 'incoming_payment_waiting' }],
		invalid: [422, { errors: [{ code: 'NOT_VALID', path: 'amount' }] }],
		repeat: (id) => [200, { id, status: 'incoming_payment_waiting' }],
		says: [/keeps the first amount/],
	},
	PayPal: {
		created: (id) => [201, { batch_header: { payout_batch_id: id } }],
		invalid: [400, { name: 'VALIDATION_ERROR', details: [{ issue: 'INVALID_AMOUNT' }] }],
		repeat: always(422, {
			name: 'UNPROCESSABLE_ENTITY',
			details: [{ issue: 'DUPLICATE_TRANSACTION' }],
		}),
		set: { [CODES]: 'DUPLICATE_TRANSACTION' },
	},
	Airwallex: {
		created: withId,
		invalid: [400, { code: 'validation_failed', source: 'transfer_amount' }],
		repeat: always(400, { code: 'request_id_duplicate', params: { wallet_transfer_id: 't1' } }),
		headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-reset': '20' },
		set: { [CODES]: 'request_id_duplicate' },
		says: [/x-ratelimit-reset: 20.* waits 20 s/],
	},
	dLocal: {
		created: (id) => [200, { payout_id: id, status: 0 }],
		invalid: [400, { code: 300, message: 'Invalid amount.' }],
		repeat: always(400, { code: 511, message: 'External ID already used.' }),
		set: { [CODES]: '"External ID already used."' },
	},
	'MTN MoMo': {
		created: accepts,
		invalid: [400, { code: 'INVALID_AMOUNT', message: 'Amount is invalid' }],
		repeat: always(409, {
			code: 'RESOURCE_ALREADY_EXIST',
			message: 'Duplicated reference id. Creation of resource failed.',
		}),
		set: { [CODES]: 'RESOURCE_ALREADY_EXIST' },
	},
	'TBC Bank': {
		created: withId,
		invalid: [400, { title: 'Invalid', status: 400, code: 'AMOUNT_INVALID' }],
		repeat: always(400, {
			title: 'Duplicated Single Transfer Request',
			status: 400,
			code: 'DUPLICATED_SINGLE_TRANSFER_REQUEST',
		}),
		past: [400, { title: 'Too old', status: 400, code: 'VALUE_DATE_IN_THE_PAST' }],
		set: { [CODES]: 'DUPLICATED_SINGLE_TRANSFER_REQUEST' },
		says: [/'Created At' of a year ago ends as rejected.*VALUE_DATE_IN_THE_PAST/],
	},
	EnKash: {
		created: withId,
		invalid: [400, { code: 400, message: 'Amount is not valid.' }],
		repeat: always(409, { code: 409, message: 'Transaction ID already exists.' }),
		set: { [CODES]: '"Transaction ID already exists."' },
	},
	'Banking Circle': {
		created: (id) => [201, { paymentId: id }],
		invalid: [400, { error: { id: 'e0', code: 400, message: 'Amount is invalid' } }],
		repeat: (id, { eventId }) => [
			400,
			{
				error: {
					id: id.slice(0, 8),
					code: 400,
					message: `IdempotencyKey ${eventId} was already used at 2024-05-01 creating entity ${id}.`,
					details: [],
				},
			},
		],
		set: { [CODES]: '"was already used at"' },
	},
	Bitpanda: {
		created: withId,
		invalid: [422, { errors: [{ code: 'validation.amount', title: 'Amount is invalid' }] }],
		repeat: always(409, { errors: [{ code: 'external.transaction.exists' }] }),
		headers: { ratelimit: '"default";r=98;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
		set: { [CODES]: 'external.transaction.exists' },
		says: [/ratelimit-policy: "default";q=100;w=60.* waits 30 s/],
	},
	'Django REST framework, a unique column': {
		created: accepts,
		invalid: [400, { amount: ['A valid number is required.'] }],
		repeat: always(400, { eventId: ['transaction with this eventId already exists.'] }),
		verdict: 'doesntFit',
	},
	Laravel: {
		created: accepts,
		invalid: [422, { message: 'The amount must be a number.', errors: { amount: [] } }],
		repeat: always(422, {
			message: 'The event id has already been taken.',
			errors: { event_id: ['The event id has already been taken.'] },
		}),
		set: { [CODES]: '"The event id has already been taken."' },
	},
	'M-Pesa, whose refusals are successes': {
		created: (id) => [200, { OriginatorConversationID: id, ResponseCode: '0' }],
		invalid: [200, { OriginatorConversationID: 'c-1', ResponseCode: '1' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		verdict: 'doesntFit',
	},
	'Alipay, whose refusals are successes': {
		created: (id) => [200, { code: '10000', msg: 'Success', trade_no: id }],
		invalid: [200, { code: '40004', msg: 'Business Failed', sub_code: 'PARAMS_INVALID' }],
		repeat: (id) => [200, { code: '10000', msg: 'Success', trade_no: id }],
		verdict: 'doesntFit',
	},
	'Unit21, an ingestion of events': {
		created: (id) => [201, { unit21_id: id }],
		invalid: [400, { message: 'amount is not a number' }],
		repeat: (_, { eventId }) => [409, { message: `Event ${eventId} already exists` }],
		past: [409, { message: 'The event is too old' }],
		set: { [CODES]: '"already exists"' },
		says: [/year ago ends as unknown/],
	},
	'an ingestion that repeats what was sent': {
		created: (_, { eventId }) => [200, { transactionId: eventId, executedRules: [] }],
		invalid: [400, { message: 'amount is not a number' }],
		repeat: (_, { eventId }) => [200, { transactionId: eventId, executedRules: [] }],
		verdict: 'notKnown',
	},
	'one that records each request': {
		created: withId,
		invalid: [400, { message: 'amount is not a number' }],
		verdict: 'doesntFit',
		says: [/counts twice/],
	},
};

test('there are 29, and their settings are named as the editor names them', () => {
	expect(Object.keys(SERVICES)).toHaveLength(29);
	const names = new PaymentsApi().properties.map(
		({ displayName }) => `Payments API → ${displayName}`,
	);
	expect(names).toEqual(expect.arrayContaining([CODES, KEY]));
});

const settingsIn = ({ findings }: Check): Record<string, string> =>
	Object.fromEntries(
		findings.flatMap((one) => (one.kind === 'set' ? [[one.field, one.value]] : [])),
	);

/** Checks a service, and once more with what has to be set in the credential: then it fits. */
async function checkTwice(service: Service) {
	const first = await check(service);
	const set = settingsIn(first.made);
	if (verdictOf(first.made.findings) !== 'fitsIfSet' || !(set[CODES] ?? set[KEY])) return first;
	const options = { recordedCodes: set[CODES], sendIdempotencyKey: set[KEY] === undefined };
	const again = await check(service, options);
	expect(Object.keys(settingsIn(again.made)).filter((field) => field !== CREATED_AT)).toEqual([]);
	expect(verdictOf(again.made.findings)).toMatch(/^fits/);
	expect([again.isTwice, again.isRefusalCreated]).toEqual([false, false]);
	return first;
}

test.each(Object.entries(SERVICES))('%s', async (_, { verdict, set, says = [], ...service }) => {
	const { made } = await checkTwice(service);
	const { findings } = made;
	expect(verdictOf(findings)).toBe(verdict ?? (set ? 'fitsIfSet' : 'fits'));
	expect(settingsIn(made)).toEqual(set ?? {});
	const said = verdictLines({ findings, check: made }).join('\n');
	for (const one of says) expect(said).toMatch(one);
});

test('whatever a service is like, none fits that counts twice, or whose refusal ends as created', async () => {
	const answer: fc.Arbitrary<Service['created']> = fc.constantFrom(
		...[accepts, withId, ((id) => [201, { booking: id }]) as Service['created']],
		(id) => [201, undefined, { location: `/t/${id}` }],
		(_, { eventId }) => [200, { transactionId: eventId }],
	);
	const code = fc.constantFrom('EVENT_ALREADY_EXISTS', 'TX_KNOWN', 'INVALID_STATE');
	const refusal: fc.Arbitrary<Reply> = fc.oneof(
		fc.tuple(fc.constantFrom(200, 400, 403, 409, 422), fc.record({ code })),
		fc.constantFrom<Reply>([202], [409], [500], [200, { success: false }]),
	);
	// Nobody sees a refusal that is answered as what is recorded.
	const visible = refusal.filter(([status]) => status !== 202);
	const kept = fc.constantFrom<Reply>([400, { code: 'SEEN' }], [409, { code: 'SEEN' }], [409]);
	const key = fc.record(
		{ repeat: refusal, other: refusal, keepsRefusals: fc.boolean() },
		{ requiredKeys: [] },
	);
	const service = fc.record(
		{
			...{
				created: answer,
				invalid: refusal,
				repeat: fc.oneof(
					answer,
					refusal.map((one) => always(...one)!),
				),
			},
			...{ otherAmount: refusal, past: visible, refusedBefore: kept, key },
		},
		{ requiredKeys: ['created', 'invalid'] },
	);
	await fc.assert(
		fc.asyncProperty(service, async (one) => {
			const { made, isTwice, isRefusalCreated } = await checkTwice(one);
			const fits = verdictOf(made.findings).startsWith('fits');
			expect(fits && (isTwice || isRefusalCreated)).toBe(false);
		}),
		{ numRuns: propertyRuns(200, 20) },
	);
}, 120_000);
