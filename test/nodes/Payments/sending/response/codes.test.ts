import {
	hasCode,
	isReplay,
	meaningOfCodes,
} from '../../../../../nodes/Payments/sending/response/codes';
import { parseRecordedCodes } from '../../../../../nodes/Payments/recordedCodes';
import { readResponse } from '../../../../../nodes/Payments/sending/response/readResponse';
import {
	FIELDS,
	valueOf,
	type Field,
	type Transaction,
} from '../../../../../nodes/Payments/Transaction';
import { SAMPLE, sampleInput } from '../../../../support/builders/transactions';

const RETRY_AFTER = { 'retry-after': '1' };
const read = (status: number, body: unknown, stated = '', headers = {}, sent = SAMPLE) =>
	meaningOfCodes({ status, headers, body }, sent, parseRecordedCodes(stated).value!);

test.each<[status: number, code: string, meaning: string | undefined]>([
	...[400, 409, 422].flatMap((status): Array<[number, string, string]> => [
		[status, 'EVENT_ALREADY_EXISTS', 'recorded'],
		[status, 'REQUEST_IN_PROGRESS', 'inProgress'],
		[status, 'A request is outstanding for this Idempotency-Key', 'inProgress'],
		[status, 'IDEMPOTENCY_KEY_REUSED', 'otherContent'],
		[status, 'Idempotency-Key is already used', 'otherContent'],
	]),
	...[403, 425, 500].map((status): [number, string, undefined] => [
		status,
		'EVENT_ALREADY_EXISTS',
		undefined,
	]),
	[409, 'event_already_exists', undefined],
	[409, 'THE_EVENT_ALREADY_EXISTS', undefined],
	[409, 'EVENT_ALREADY_EXISTS: it exists', undefined],
	// Codes of other services mean something else at the next one.
	[409, 'idempotency_key_in_use', undefined],
	[409, 'IdempotencyKeyAlreadyExists', undefined],
	[409, 'idempotency_error', undefined],
	[409, 'DUPLICATE_TRANSACTION', undefined],
])('%i %s: %s', (status, code, meaning) => {
	expect(read(status, { code })).toBe(meaning);
	expect(read(status, { fehler: [{ kennung: code }] })).toBe(meaning);
});

test('what leaves it open comes first', () => {
	const codes = ['EVENT_ALREADY_EXISTS', 'IDEMPOTENCY_KEY_REUSED', 'REQUEST_IN_PROGRESS'];
	expect(read(409, { codes })).toBe('inProgress');
	expect(read(409, { codes: codes.slice(0, 2) })).toBe('otherContent');
	expect(read(409, { code: 'X', title: codes[1] }, 'X')).toBe('otherContent');
	// A service may use one for something else.
	expect(read(409, { code: codes[1] }, codes[1])).toBe('recorded');
	expect(read(409, { code: codes[2] }, codes[2])).toBe('recorded');
});

describe('Codes for Recorded Already', () => {
	test.each([
		[409, { code: 'DUPLICATE_TRANSACTION' }, 'DUPLICATE_TRANSACTION'],
		[422, { errors: [{ code: 'BENEFICIARY_ALREADY_EXISTS' }] }, 'BENEFICIARY_ALREADY_EXISTS'],
		[400, { code: 511, message: 'External ID already used.' }, '1, 511'],
		[400, { fehler: { kennung: 'TX-4711' } }, 'TX-4711'],
		[409, 'Already there', 'Already there'],
		[409, { type: 'https://a.example/problems/exists' }, 'https://a.example/problems/exists'],
		[409, { code: 'E409', message: 'eventId already exists' }, '"already exists"'],
		[409, '<e><m>It exists, already.</m></e>', 'A, "exists, already"'],
		[400, { text: `The key ${SAMPLE.eventId} was used before` }, '"was used before"'],
		[409, {}, '409'],
		[409, { code: 'ANYTHING' }, 'A, 409'],
	])('%i %j, stated as %s, is recorded', (status, body, stated) =>
		expect(read(status, body, stated)).toBe('recorded'),
	);

	test.each<[number, unknown, string, string | undefined, object?]>([
		// A code isn't looked for in a sentence, nor in another code.
		[422, { errorCode: 'E1001', message: 'E1001: daily limit exceeded' }, 'E100', undefined],
		[
			422,
			{ errorCode: 'E1001', message: 'E1001: daily limit exceeded' },
			'E1001: daily',
			undefined,
		],
		[422, { message: 'E100: daily limit exceeded' }, 'E100', undefined],
		[422, { errors: [{ code: 'BENEFICIARY_ALREADY_EXISTS' }] }, 'ALREADY_EXISTS', undefined],
		[422, { errors: [{ code: 'BENEFICIARY.EXISTS' }] }, 'EXISTS', undefined],
		[422, 'INSUFFICIENT FUNDS', 'IN', undefined],
		[409, { code: 'duplicate-transaction' }, 'DUPLICATE_TRANSACTION', undefined],
		[409, { DUPLICATE: true }, 'DUPLICATE', undefined],
		[403, { code: 'A' }, 'A', undefined],
		[500, { message: 'already exists' }, '"already exists"', undefined],
		[409, { code: 'A' }, 'B', undefined],
		[409, { code: 'A' }, '', undefined],
		[409, { message: 'Already Exists' }, '"already exists"', undefined],
		// A number that only repeats the status.
		[400, { code: 409, message: 'The limit is 409' }, '409', undefined],
		[422, { statusCode: 422, message: 'No.' }, '422', undefined],
		[409, {}, '409', 'inProgress', RETRY_AFTER],
		[409, { code: 'REQUEST_IN_PROGRESS' }, '409', 'inProgress'],
		[409, { code: 'IDEMPOTENCY_KEY_REUSED' }, '409', 'otherContent'],
		[400, { code: 'IDEMPOTENCY_KEY_REUSED', m: 'It exists' }, '"exists"', 'otherContent'],
	])('%i %j, stated as %s: %s', (status, body, stated, meaning, headers = {}) =>
		expect(read(status, body, stated, headers)).toBe(meaning),
	);
});

describe('who writes the transaction doesn’t decide its outcome', () => {
	/** How services repeat a request in a refusal. */
	const repeats: Array<[string, (sent: Transaction, value: unknown) => unknown]> = [
		['as it was', (sent) => ({ errorCode: 'LIMIT', request: sent })],
		['with other names', (sent) => ({ errorCode: 'LIMIT', input: Object.values(sent).map(flat) })],
		['the value alone', (_, value) => ({ errors: [{ rejectedValue: value, message: 'Invalid' }] })],
		['in a sentence', (_, value) => ({ message: `The value ${String(value)} isn't allowed` })],
		['as JSON', (sent) => ({ message: 'Invalid', request: JSON.stringify(sent) })],
		[
			'as XML',
			(_, value) => `<error><value>${String(value).replace('&', '&amp;')}</value></error>`,
		],
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
					const response = { status: 422, headers: {}, body: repeat(sent, value) };
					const recordedCodes = parseRecordedCodes(stated).value!;
					const options = { retryUnknownOutcome: false, recordedCodes };
					expect(readResponse(response, { transaction: sent }, options)).toMatchObject({
						result: { outcome: 'rejected' },
					});
				}
			}
		},
	);

	const withReference = (reference: string) => ({ ...SAMPLE, reference });
	test.each<[reference: string, body: unknown, stated: string]>([
		['EVENT_ALREADY_EXISTS', { rejectedValue: 'EVENT_ALREADY_EXISTS' }, ''],
		['a & b already exists', '<e>a &amp; b already exists</e>', '"already exists"'],
		['already', { message: 'Reference already exists in another batch' }, '"already exists"'],
		['ALREADY', { message: 'Reference already exists in another batch' }, '"already exists"'],
		['Payment', { title: 'Payment exists' }, 'Payment exists'],
		['E100', { data: { reference: 'E100' } }, 'E100'],
		// Another one's reference.
		['x', { existing: { reference: 'E100', sender: { note: 'E100' } } }, 'E100'],
		['x', { 'existing.external_id': 'E100', '$.reference': ['E100'] }, 'E100'],
		['x', { sender_country_code: 'E100', 'recipient.externalEntityId': 'E100' }, 'E100'],
	])('reference %j, %j, stated as %j', (reference, body, stated) =>
		expect(read(422, body, stated, {}, withReference(reference))).toBe(undefined),
	);

	test.each<[reference: string, body: unknown, stated: string]>([
		// What was sent counts as a word of its own only.
		['CA', { code: 'DUPLICATE' }, 'DUPLICATE'],
		['a', { message: 'It already exists' }, '"already exists"'],
		['INV-511', { code: 511 }, '511'],
		// The sender is from Belgium.
		['x', { message: 'It should not be duplicated' }, '"should not be duplicated"'],
		['x', { message: 'IT MUST NOT BE DUPLICATED' }, 'IT MUST NOT BE DUPLICATED'],
		['INV-1', { message: 'INV-1: already exists' }, '"already exists"'],
		['(a', { message: '(a: already exists' }, '"already exists"'],
	])('reference %j, %j, stated as %j, is recorded', (reference, body, stated) =>
		expect(read(422, body, stated, {}, withReference(reference))).toBe('recorded'),
	);
});

test.each<[number, string | undefined]>([
	[409, 'inProgress'],
	[400, undefined],
])('%i with Retry-After and no known code: %s', (status, meaning) => {
	expect(read(status, { code: 'LOCKED' }, '', RETRY_AFTER)).toBe(meaning);
	expect(read(status, { code: 'EVENT_ALREADY_EXISTS' }, '', RETRY_AFTER)).toBe('recorded');
});

test.each([
	[{ 'idempotent-replayed': 'true' }, true],
	[{ 'idempotent-replayed': ' TRUE' }, true],
	[{ 'idempotent-replayed': 'false' }, false],
	[{ 'x-idempotency-replayed': 'true', 'request-idempotency': 'true' }, false],
])('%j is a replay: %p', (headers, expected) => expect(isReplay(headers)).toBe(expected));

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
