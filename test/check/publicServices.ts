import type { VerdictName } from '../../check/verdict';
import type { Reply } from '../support/servers/checkedService';
import type { Service } from '../support/servers/describedService';

/*
 * Services after public APIs, each with what is right for it. Their answers to a repeat, to other
 * content, and to what is invalid are those of test/fixtures/documentedResponses.json, where it has
 * the API, or of the page that is named.
 */

// cspell:ignore didit doku Juspay Kraken labstack Moov NetSuite Qonto refid Upvest

export const accepts: Service['created'] = () => [202];
export const withId: Service['created'] = (id) => [201, { id, status: 'pending' }];
/** The first answer, whatever is sent. */
const sameId: Service['repeat'] = (id) => [200, { id, status: 'pending' }];
export const always =
	(...reply: Reply): Service['repeat'] =>
	() =>
		reply;

export const CODES = 'Payments API → Codes for Recorded Already';
export const KEY = 'Payments API → Send Idempotency-Key Header';
export const SCOPE = 'Payments API → Scope';
const CHANGED_IS_REJECTED =
	/changed after it was .* ends as rejected, although the service has it.*look up whether/;
const EVERY_409 = /every other answer with 409 counts as recorded/;
const NO_CODE = /No code tells a repeat from all other answers/;
const REMEMBERS = /It remembers an Event ID for \d+ s at least: ask for how long/;

const MOOV = {
	...{ createdOn: '2026-11-01T10:00:00Z', amount: { value: 100, currency: 'EUR' } },
	source: { paymentMethodType: 'moov-wallet', type: 'wallet' },
};
/** What tells a service that counts an Event ID once from one that doesn't. */
const ASYNCHRONOUS = [
	/with 1\.0\d and 1\.0\d\. It must be there once.*more often, the service doesn't fit/,
	/with "not-a-number" and 1\.00\. An event must say that the first was declined.*there once/,
];
const NOT_VERSION_4: [RegExp, Reply] = [
	/^$|^.{14}4/,
	[400, { errorType: 'invalid_request', errorMessage: 'X-Idempotency-Key must be a UUID v4' }],
];
const problem = (status: number, code: string) => ({
	...{ type: 'https://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html', title: 'Error', status },
	'o:errorDetails': [{ detail: 'See the job', 'o:errorCode': code }],
});

export interface Expected extends Service {
	/** If it isn't "fits", or "fitsIfSet" because something has to be set. */
	verdict?: VerdictName;
	/** What has to be set, by its field. */
	set?: Record<string, string>;
	/** What the verdict says. */
	says?: RegExp[];
	/** A text that it names, and with which it fits once it's entered. */
	fixedText?: string;
}

/** Those that were checked first. */
const EARLIER: Record<string, Expected> = {
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
		says: [
			/on: the service reads it/,
			/times, or reference .* as unknown.* 'Created At' from your data/,
		],
	},
	Stripe: {
		created: (id) => [200, { id: `tr_${id}`, object: 'transfer', failure_code: null }],
		invalid: [400, { error: { type: 'invalid_request_error', param: 'amount' } }],
		key: {
			other: [400, { error: { type: 'idempotency_error', message: 'Keys for idempotent …' } }],
			headers: { 'idempotent-replayed': 'true' },
		},
		verdict: 'fitsBut',
		says: [/on: the service reads it/, /No answer announces a limit/, CHANGED_IS_REJECTED],
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
		verdict: 'fitsBut',
		says: [
			/ends as rejected when it's corrected.*External ID of its own/,
			/on: the service reads it/,
		],
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
	},
	TrueLayer: {
		created: (id) => [202, { id }],
		invalid: [400, { title: 'Invalid Parameters', errors: { amount_in_minor: ['required'] } }],
		key: { other: [422, { title: 'Idempotency-Key Reuse', status: 422 }] },
		verdict: 'fitsBut',
		says: [CHANGED_IS_REJECTED],
	},
	Square: {
		created: (id) => [200, { payment: { id, status: 'COMPLETED' } }],
		invalid: [400, { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST' }] }],
		key: { other: [400, { errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] }] },
	},
	Wise: {
		created: (id) => [200, { id, status: 'incoming_payment_waiting' }],
		invalid: [422, { errors: [{ code: 'NOT_VALID', path: 'amount' }] }],
		repeat: (id) => [200, { id, status: 'incoming_payment_waiting' }],
		says: [/amount, times, or reference .* ends as created.*the first transaction/],
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
		set: { [CODES]: '511' },
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
		set: { [CODES]: '409' },
		says: [EVERY_409],
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
		verdict: 'doesntFit',
		says: [NO_CODE],
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
		says: [NO_CODE],
	},
	Laravel: {
		created: accepts,
		invalid: [422, { message: 'The amount must be a number.', errors: { amount: [] } }],
		repeat: always(422, {
			message: 'The event id has already been taken.',
			errors: { event_id: ['The event id has already been taken.'] },
		}),
		verdict: 'doesntFit',
		says: [NO_CODE],
		fixedText: 'The event id has already been taken.',
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
		verdict: 'fitsBut',
		says: [/year ago ends as unknown/, /Each time, look up its Event ID/, NO_CODE],
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

let stored = 0;

/** Those whose verdict was written down before they were checked for the first time. */
const LATER: Record<string, Expected> = {
	// docs.moov.io/guides/money-movement/manage-transfers: "a 409 with the original transfer in the
	// body". A success "means Moov accepted the transfer".
	'Moov, 409 with the stored transfer': {
		created: (id) => [200, { ...MOOV, transferID: id, status: 'created' }],
		invalid: [422, { amount: { value: 'must be a whole number' } }],
		repeat: (id) => [409, { ...MOOV, transferID: id, status: 'created' }],
		set: { [CODES]: '409' },
		says: [EVERY_409, REMEMBERS],
	},
	'the same, after 202 without a body, and its state moves on': {
		created: accepts,
		invalid: [422, { amount: { value: 'must be a whole number' } }],
		repeat: (id) => [
			409,
			{ ...MOOV, transferID: id, status: stored++ % 2 === 0 ? 'RECEIVED' : 'SETTLED' },
		],
		set: { [CODES]: '409' },
		says: [EVERY_409, /accepts a transaction \(status 202\).*an event tells the rest/],
	},
	// developers.doku.com/get-started-with-doku-api/idempotency-request: "the same Response body with
	// HTTP Status Code 409 Conflict"
	'DOKU, 409 with the first response': {
		created: (id) => [200, { response: { payment: { token_id: id, type: 'SALE' } } }],
		invalid: [400, { error: { code: 'invalid_parameter' } }],
		repeat: (id) => [409, { response: { payment: { token_id: id, type: 'SALE' } } }],
		set: { [CODES]: '409' },
	},
	// juspay.io/upi-merchant-stack/docs/resources/codes-guide: 200 for "any business logic or
	// validation error", with "status = FAILURE"
	'Juspay, an envelope': {
		created: (id) => [200, { status: 'SUCCESS', payload: { gatewayTransactionId: id } }],
		invalid: [200, { status: 'FAILURE', responseCode: 'INVALID_DATA', payload: {} }],
		repeat: always(200, { status: 'FAILURE', responseCode: 'DUPLICATE_REQUEST', payload: {} }),
		verdict: 'fitsBut',
		says: [
			/A repeat ends as unknown.*look up its Event ID/,
			/no number ends as unknown.*before you/,
		],
	},
	'an envelope with a yes and a no': {
		created: (id) => [200, { success: true, data: { id } }],
		invalid: [200, { success: false, errorCode: 'LIMIT' }],
		repeat: always(200, { success: false, errorCode: 'KNOWN' }),
		verdict: 'fitsBut',
		says: [
			/A repeat ends as unknown.*look up its Event ID/,
			/no number ends as unknown.*before you/,
		],
	},
	// Kraken Spot REST: a list of errors, empty on success, and always 200
	'Kraken, which records each request, and names it in its own way': {
		created: (id) => [200, { error: [], result: { refid: id } }],
		invalid: [200, { error: ['EGeneral:Invalid arguments:amount'] }],
		verdict: 'notKnown',
		says: [/Event ID \S+ was sent \d+ times, with 1.07 and 1.00|was sent \d+ times, with 1.00/],
	},
	// documentation.idenfy.com/transaction-monitoring: 202 "ingest accepted", and later
	// `transaction.status_changed`, such as REJECTED. What a repeat gets is that of the interface.
	'iDenfy, which rejects later, by an event': {
		created: (id) => [202, { id, status: 'PASSED' }],
		invalid: [400, { message: { amount: ['not a number'] }, identifier: 'INVALID' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		says: [/accepts a transaction \(status 202\).*an event tells the rest/],
	},
	// experienceleague.adobe.com, Experience Platform, streaming ingestion: "asynchronous validation"
	'everything is accepted, refusals too, and an Event ID counts once': {
		created: accepts,
		invalid: [202],
		repeat: always(202),
		verdict: 'notKnown',
		says: ASYNCHRONOUS,
	},
	'everything is accepted, refusals too, and each request counts': {
		created: accepts,
		invalid: [202],
		verdict: 'notKnown',
		says: ASYNCHRONOUS,
	},
	// docs.aws.amazon.com, DynamoDB, TransactWriteItems: a client request token is "valid for 10
	// minutes", and with other parameters, there is an IdempotentParameterMismatch.
	'DynamoDB, which forgets after ten minutes, and answers nothing': {
		created: () => [200, {}],
		invalid: [400, { __type: 'com.amazon.coral.validate#ValidationException' }],
		key: { other: [400, { __type: 'com.amazonaws.dynamodb#IdempotentParameterMismatch' }] },
		remembersMs: 600_000,
		verdict: 'notKnown',
		says: [CHANGED_IS_REJECTED, /It must be there once/],
	},
	// docs.qonto.com/get-started/general/idempotent-requests: keys "expire after 30 minutes", and the
	// first response is repeated "even if the request body differs".
	'Qonto, which forgets after 30 minutes': {
		created: (id) => [200, { transfer: { id, status: 'pending' } }],
		invalid: [422, { errors: [{ code: 'invalid', source: { pointer: '/amount' } }] }],
		key: {},
		remembersMs: 1_800_000,
		says: [REMEMBERS],
	},
	// docs.oracle.com, NetSuite, asynchronous requests: 400 with `o:errorCode`
	'NetSuite, problem details with a code of its own': {
		created: (id) => [202, undefined, { location: `/services/rest/async/v1/job/${id}` }],
		invalid: [400, problem(400, 'INVALID_CONTENT')],
		key: { repeat: [400, problem(400, 'IDEMPOTENCY_ERROR')] },
		set: { [CODES]: 'IDEMPOTENCY_ERROR' },
	},
	// echo.labstack.com/pro/problems/idempotency-key-reused
	'Echo, problem details for other content': {
		created: withId,
		invalid: [400, { type: 'about:blank', title: 'Bad Request', status: 400 }],
		key: {
			other: [
				422,
				{
					...{ type: 'https://echo.labstack.com/pro/problems/idempotency-key-reused', status: 422 },
					...{ title: 'Unprocessable Entity', code: 'idempotency_key_reused' },
				},
			],
		},
		verdict: 'fitsBut',
		says: [CHANGED_IS_REJECTED],
	},
	// docs.upvest.co/errors/missing_idempotency_key
	'Upvest, which needs the header': {
		created: withId,
		invalid: [400, { type: 'https://docs.upvest.co/errors/validation', title: 'Invalid' }],
		key: {
			unreadable: [
				/./,
				[400, { type: 'https://docs.upvest.co/errors/missing_idempotency_key', status: 400 }],
			],
		},
		says: [/on: the service reads it/],
	},
	// docs.cdp.coinbase.com/api-reference/v2/idempotency: "strictly enforces the UUID v4 format"
	'CDP, whose keys are UUIDs of version 4': {
		created: withId,
		invalid: [400, { errorType: 'invalid_request', errorMessage: 'amount' }],
		key: { unreadable: NOT_VERSION_4 },
		verdict: 'doesntFit',
		says: [/valid transaction isn't created.*X-Idempotency-Key must be a UUID v4/],
	},
	'the same, and it knows the Event ID': {
		created: withId,
		invalid: [400, { errorType: 'invalid_request', errorMessage: 'amount' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		key: { unreadable: NOT_VERSION_4 },
		set: { [KEY]: 'off' },
	},
	// docs.didit.me/transaction-monitoring/integration-guide
	'didit, a sentence about its own field': {
		created: (id) => [201, { uuid: id, status: 'APPROVED' }],
		invalid: [400, { amount: ['A valid number is required.'] }],
		repeat: always(400, {
			transaction_id: ['A transaction with this transaction_id already exists.'],
		}),
		verdict: 'doesntFit',
		says: [NO_CODE, /A repeat ends as rejected, although/],
		fixedText: 'A transaction with this transaction_id already exists.',
	},
	// docs.billit.be/docs/idempotent-tokens
	'Billit, a sentence as code': {
		created: (id) => [200, { OrderID: id }],
		invalid: [400, { errors: [{ Code: 'Amount is not valid' }] }],
		key: { repeat: [409, { errors: [{ Code: 'Idempotent token already exists' }] }] },
		set: { [CODES]: '409' },
	},
	'one that needs the scope OXYGEN': {
		created: accepts,
		invalid: [400, { errorCode: 'INVALID_REQUEST_DATA' }],
		repeat: always(409, { errorCode: 'EVENT_ALREADY_EXISTS' }),
		scope: ['OXYGEN', [403, { errorCode: 'AUTHORIZATION_FAILED' }]],
		set: { [SCOPE]: 'OXYGEN' },
	},
};

export const SERVICES = { ...EARLIER, ...LATER };
