import {
	hasCode,
	codeSays,
	isReplay,
	namesOtherEvent,
	namesOwn,
} from '../../../../../nodes/Payments/sending/answer/codes';
import { parseRecordedCodes } from '../../../../../nodes/Payments/recordedCodes';
import {
	FIELDS,
	valueOf,
	type Field,
	type Transaction,
} from '../../../../../nodes/Payments/Transaction';
import { answerTo } from '../../../../support/builders/answers';
import { SAMPLE, sampleInput } from '../../../../support/builders/transactions';

const RETRY_AFTER = { 'retry-after': '1' };
const read = (status: number, body: unknown, stated = '', headers = {}, sent = SAMPLE) =>
	codeSays({ status, headers, body }, sent, parseRecordedCodes(stated).value!);

test.each([
	['EVENT_ALREADY_EXISTS', 'recorded'],
	['REQUEST_IN_PROGRESS', 'inProgress'],
	['A request is outstanding for this Idempotency-Key', 'inProgress'],
	['IDEMPOTENCY_KEY_REUSED', 'otherContent'],
	['Idempotency-Key is already used', 'otherContent'],
])('%s is %s, with a status that a code counts with', (code, meaning) => {
	for (const status of [400, 409, 422]) {
		expect(read(status, { code })).toBe(meaning);
		expect(read(status, { fehler: [{ kennung: code }] })).toBe(meaning);
	}
	for (const status of [403, 425, 500]) expect(read(status, { code })).toBeUndefined();
});

test('what leaves it open comes first', () => {
	const codes = ['EVENT_ALREADY_EXISTS', 'IDEMPOTENCY_KEY_REUSED', 'REQUEST_IN_PROGRESS'];
	expect(read(409, { codes })).toBe('inProgress');
	expect(read(409, { codes: codes.slice(0, 2) })).toBe('otherContent');
});

const LIMIT = { errorCode: 'E1001', message: 'E1001: daily limit exceeded' };
const EXISTS = { errors: [{ code: 'BENEFICIARY_ALREADY_EXISTS' }] };

test.each<[meaning: string | undefined, number, unknown, stated: string, headers?: object]>([
	['recorded', 409, { code: 'DUPLICATE_TRANSACTION' }, 'DUPLICATE_TRANSACTION'],
	['recorded', 422, EXISTS, 'BENEFICIARY_ALREADY_EXISTS'],
	['recorded', 400, { code: 511, message: 'External ID already used.' }, '1, 511'],
	['recorded', 400, { fehler: { kennung: 'TX-4711' } }, 'TX-4711'],
	['recorded', 409, 'Already there', 'Already there'],
	['recorded', 409, { type: 'https://a.example/exists' }, 'https://a.example/exists'],
	['recorded', 409, { message: 'It exists, already.' }, 'A, "It exists, already."'],
	['recorded', 409, { errors: { event_id: ['is taken'] }, m: 'Taken' }, 'Taken'],
	// A number, where codes stand.
	['recorded', 409, { errors: [{ error_code: '12' }] }, '12'],
	['recorded', 409, { error: 12 }, '12'],
	['recorded', 409, { type: '12' }, '12'],
	['recorded', 409, { codes: [7, 12] }, '12'],
	['recorded', 409, { subErrorCode: 12 }, '12'],
	['recorded', 409, {}, '409'],
	['recorded', 409, { code: 'ANYTHING' }, 'A, 409'],
	[undefined, 409, { code: 'event_already_exists' }, ''],
	[undefined, 409, { code: 'THE_EVENT_ALREADY_EXISTS' }, ''],
	[undefined, 409, { code: 'EVENT_ALREADY_EXISTS: it exists' }, ''],
	// Codes of other services mean something else at the next one.
	[undefined, 409, { code: 'idempotency_key_in_use' }, ''],
	[undefined, 409, { code: 'IdempotencyKeyAlreadyExists' }, ''],
	[undefined, 409, { code: 'DUPLICATE_TRANSACTION' }, ''],
	// A number where something else is counted.
	[undefined, 400, { errorCode: 'INVALID_AMOUNT', line: 12 }, '12'],
	[undefined, 400, { errorCode: 'INVALID_AMOUNT', position: '12', details: [12] }, '12'],
	[undefined, 400, { sortCode: '12', limits: { code: { max: 12 } } }, '12'],
	[undefined, 400, 12, '12'],
	// A part of a text is none of it, whatever is in quotes.
	[undefined, 409, { message: 'eventId already exists' }, '"already exists"'],
	[undefined, 422, { message: 'The reference already\nexists is invalid' }, 'already exists'],
	[undefined, 409, { message: 'Already Exists' }, 'already exists'],
	[undefined, 500, { message: 'already exists' }, 'already exists'],
	// A code isn't looked for in a sentence, nor in another code.
	[undefined, 422, LIMIT, 'E100'],
	[undefined, 422, LIMIT, 'E1001: daily'],
	[undefined, 422, { message: 'E100: daily limit exceeded' }, 'E100'],
	[undefined, 422, EXISTS, 'ALREADY_EXISTS'],
	[undefined, 422, 'INSUFFICIENT FUNDS', 'IN'],
	[undefined, 409, { code: 'duplicate-transaction' }, 'DUPLICATE_TRANSACTION'],
	[undefined, 409, { DUPLICATE: true }, 'DUPLICATE'],
	[undefined, 409, { code: 'A' }, ''],
	[undefined, 403, { code: 'A' }, 'A'],
	// A number that only repeats the status.
	[undefined, 400, { code: 409, message: 'The limit is 409' }, '409'],
	[undefined, 422, { statusCode: 422, message: 'No.' }, '422'],
	// What leaves it open comes first, unless the service uses it for something else.
	['inProgress', 409, {}, '409', RETRY_AFTER],
	['inProgress', 409, { code: 'REQUEST_IN_PROGRESS' }, '409'],
	['otherContent', 400, { code: 'IDEMPOTENCY_KEY_REUSED', m: 'It exists' }, 'It exists'],
	['otherContent', 409, { code: 'X', title: 'IDEMPOTENCY_KEY_REUSED' }, 'X'],
	['recorded', 409, { code: 'IDEMPOTENCY_KEY_REUSED' }, 'IDEMPOTENCY_KEY_REUSED'],
	['recorded', 409, { code: 'REQUEST_IN_PROGRESS' }, 'REQUEST_IN_PROGRESS'],
	// Retry-After asks for the same event again only with 409.
	['inProgress', 409, { code: 'LOCKED' }, '', RETRY_AFTER],
	['recorded', 409, { code: 'EVENT_ALREADY_EXISTS' }, '', RETRY_AFTER],
	[undefined, 400, { code: 'LOCKED' }, '', RETRY_AFTER],
])('%s: %i %j, where %j is stated', (meaning, status, body, stated, headers = {}) =>
	expect(read(status, body, stated, headers)).toBe(meaning),
);

describe('who writes the transaction doesn’t decide its outcome', () => {
	/** How services repeat a request in a refusal. */
	const repeats: Array<[string, (sent: Transaction, value: unknown) => unknown]> = [
		['as it was', (sent) => ({ errorCode: 'LIMIT', request: sent })],
		['with other names', (sent) => ({ errorCode: 'LIMIT', input: Object.values(sent).map(flat) })],
		['the value alone', (_, value) => ({ errors: [{ rejectedValue: value, message: 'Invalid' }] })],
		['in a sentence', (_, value) => ({ message: `The value ${String(value)} isn't allowed` })],
		['as JSON', (sent) => ({ message: 'Invalid', request: JSON.stringify(sent) })],
		['as XML', (_, value) => `<error><value>${String(value)}</value></error>`],
		['in capitals', (_, value) => ({ rejectedValue: String(value).toUpperCase() })],
		['cut off', (_, value) => ({ message: `Too long: ${String(value).slice(0, 30)}…` })],
	];
	const flat = (value: unknown) =>
		typeof value === 'object' && value ? Object.values(value) : value;
	/** A value of each field. The amounts and times are what such a field has. */
	const VALUES: Partial<Record<Field, unknown>> = {
		amount: '511.00',
		baseAmount: '511.00',
		currency: 'EUR',
		'sender.countryCode': 'BE',
		'recipient.countryCode': 'DK',
		externalCreatedAt: 1748432324513,
		receivedAt: 1748432324513,
	};

	test.each(FIELDS.flatMap((field) => repeats.map(([how, repeat]) => ({ field, how, repeat }))))(
		'$field, repeated $how',
		({ field, repeat }) => {
			for (const value of field in VALUES ? [VALUES[field]] : ['E100', 'was already recorded']) {
				const sent = sampleInput({ [field]: value }) as unknown as Transaction;
				expect(valueOf(sent, field)).toBe(value);
				for (const stated of [String(value), `"${String(value)}"`]) {
					const answer = answerTo(422, repeat(sent, value), { stated, sent });
					expect(answer).toMatchObject({ failure: { outcome: 'rejected' } });
				}
			}
		},
	);

	test.each<[meaning: string | undefined, reference: string, body: unknown, stated: string]>([
		[undefined, 'EVENT_ALREADY_EXISTS', { rejectedValue: 'EVENT_ALREADY_EXISTS' }, ''],
		[undefined, 'Payment', { title: 'Payment exists' }, 'Payment exists'],
		[undefined, 'already  exists', { title: 'already  exists' }, 'already  exists'],
		// Another one's reference.
		[undefined, 'x', { existing: { reference: 'E100', sender: { note: 'E100' } } }, 'E100'],
		[undefined, 'x', { 'existing.external_id': 'E100', '$.reference': ['E100'] }, 'E100'],
		[undefined, 'x', { sender_country_code: 'E100', 'a.externalEntityId': 'E100' }, 'E100'],
		// What was sent counts as a word of its own only.
		['recorded', 'CA', { code: 'DUPLICATE' }, 'DUPLICATE'],
		['recorded', 'INV-511', { code: 511 }, '511'],
		// The sender is from Belgium.
		['recorded', 'x', { message: 'IT MUST NOT BE DUPLICATED' }, 'IT MUST NOT BE DUPLICATED'],
	])('%s: reference %j, %j, where %j is stated', (meaning, reference, body, stated) =>
		expect(read(422, body, stated, {}, { ...SAMPLE, reference })).toBe(meaning),
	);
});

test.each([
	[{ 'idempotent-replayed': 'true' }, true],
	[{ 'idempotent-replayed': ' TRUE' }, true],
	[{ 'idempotent-replayed': 'false' }, false],
	[{ 'x-idempotency-replayed': 'true', 'request-idempotency': 'true' }, false],
])('%j is a replay: %p', (headers, expected) => expect(isReplay({ headers })).toBe(expected));

test.each([
	[{ error: 'invalid_token' }, true],
	[{ error: { code: 'invalid_token' } }, true],
	[{ errorCode: 'invalid_token' }, true],
	[{ error: 'invalid_token: it ended' }, false],
	[{ rejectedValue: 'invalid_token', errors: [{ code: 'invalid_token' }] }, false],
	['invalid_token', false],
])('%j has the code: %p', (body, expected) =>
	expect(hasCode(body, 'invalid_token')).toBe(expected),
);

const own = SAMPLE.eventId;
test.each<[boolean, unknown]>([
	[false, {}],
	[false, { eventId: own }],
	[false, { event_id: own.toUpperCase(), data: { eventId: own } }],
	[false, { eventId: null, errors: { eventId: [] } }],
	// A sentence about the field names none.
	[false, { errors: { event_id: ['The event id has already been taken.'] } }],
	[false, { id: 'other', event: { id: 'other' }, externalId: 'other' }],
	[false, 'eventId: other'],
	[true, { eventId: 'other' }],
	[true, { eventId: 5 }],
	[true, { data: [{ existing: { event_id: ' other ' } }] }],
	[true, { eventId: own, 'existing.eventId': 'other' }],
	[true, { errors: { EventID: ['other'] } }],
	[true, JSON.parse(`${'{"a":'.repeat(20_000)}{"eventId":"other"}${'}'.repeat(20_000)}`)],
])('names another event: %p', (expected, body) =>
	expect(namesOtherEvent(body, SAMPLE)).toBe(expected),
);

test.each<[boolean, unknown]>([
	[true, { eventId: own.toUpperCase() }],
	[true, { data: [{ external_id: SAMPLE.externalId }] }],
	[false, { id: own, transaction: 'T1' }],
	[false, { externalId: SAMPLE.externalId.toUpperCase(), eventId: 'other' }],
	[false, own],
	[false, ''],
])('has the transaction that was sent: %p, %j', (expected, body) =>
	expect(namesOwn(body, SAMPLE)).toBe(expected),
);
