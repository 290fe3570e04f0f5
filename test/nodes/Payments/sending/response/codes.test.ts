import { meaningOfCodes } from '../../../../../nodes/Payments/sending/response/codes';
import { readErrorBody } from '../../../../../nodes/Payments/sending/response/errorBody';

const RETRY_AFTER = { 'retry-after': '1' };
const read = (status: number, body: unknown, stated = '', headers = {}) =>
	meaningOfCodes(status, headers, readErrorBody(body, status), stated);

test.each<[status: number, code: string, meaning: string | undefined]>([
	...[400, 409, 422].map(
		(status) => [status, 'EVENT_ALREADY_EXISTS', 'recorded'] as [number, string, string],
	),
	[409, 'Event already exists', 'recorded'],
	[409, 'https://api.example.com/problems/event-already-exists', 'recorded'],
	[409, 'THE_EVENT_ALREADY_EXISTS', undefined],
	[403, 'EVENT_ALREADY_EXISTS', undefined],
	[500, 'EVENT_ALREADY_EXISTS', undefined],
	...[400, 409, 422, 425].map(
		(status) => [status, 'IdempotencyKeyInUse', 'inProgress'] as [number, string, string],
	),
	...[400, 409, 422].map(
		(status) => [status, 'idempotency_error', 'otherContent'] as [number, string, string],
	),
	[425, 'idempotency_error', undefined],
	[409, 'DUPLICATE_TRANSACTION', undefined],
	[409, 'duplicate_request', undefined],
])('%i %s: %s', (status, code, meaning) => expect(read(status, { code })).toBe(meaning));

test('a code counts as a whole, and a sentence never', () => {
	expect(read(409, { message: 'EVENT_ALREADY_EXISTS' })).toBe(undefined);
	expect(read(409, { code: 'X', message: 'A request is outstanding' })).toBe(undefined);
});

test('in progress counts before the others', () => {
	const body = { error: { code: 'idempotency_key_in_use', type: 'idempotency_error' } };
	expect(read(409, body)).toBe('inProgress');
	expect(read(409, body, 'idempotency_error')).toBe('inProgress');
});

describe('Codes for Recorded Already', () => {
	test.each([
		[409, { code: 'DUPLICATE_TRANSACTION' }, 'duplicate-transaction'],
		[400, { code: 511, message: 'External ID already used.' }, '1, 511'],
		[409, { code: 'E409', message: 'eventId already exists' }, 'already exists'],
		[422, { eventId: ['transaction with this eventId already exists.'] }, 'already exists'],
		[409, 'Already there', 'Already there'],
		[409, {}, '409'],
		[409, { code: 'ANYTHING' }, 'A, 409 ,'],
		// A service may use a code for something else than others do.
		[400, { code: 'idempotency_error' }, 'idempotency_error'],
	])('%i %j, stated as "%s", is recorded', (status, body, stated) =>
		expect(read(status, body, stated)).toBe('recorded'),
	);

	test.each<[number, unknown, string, string | undefined, object?]>([
		[403, { code: 'A' }, 'A', undefined],
		[409, { code: 'A' }, 'B', undefined],
		[409, { code: 'A' }, '', undefined],
		[409, { code: '!' }, '!, ,', undefined],
		[400, { message: 'The limit is 409' }, '409', undefined],
		[400, { message: 'The limit is 511' }, '511', undefined],
		[409, { message: 'Eventid Already Exists' }, 'already exists', undefined],
		[409, { code: 'idempotency_key_in_use' }, '409', 'inProgress'],
		[409, { code: 'idempotency_error' }, '409', 'otherContent'],
		[400, { code: 'idempotency_error', message: 'It exists' }, 'exists', 'otherContent'],
		[409, {}, '409', 'inProgress', RETRY_AFTER],
	])('%i %j, stated as "%s": %s', (status, body, stated, meaning, headers = {}) =>
		expect(read(status, body, stated, headers)).toBe(meaning),
	);
});

// Adyen: docs.adyen.com/development-resources/api-idempotency.
test('a transient error, which its header names, is in progress', () =>
	expect(read(422, { errorCode: '704' }, '', { 'transient-error': 'true' })).toBe('inProgress'));

test.each<[number, string | undefined]>([
	[409, 'inProgress'],
	[400, undefined],
])('%i with Retry-After and no known code: %s', (status, meaning) => {
	expect(read(status, { code: 'LOCKED' }, '', RETRY_AFTER)).toBe(meaning);
	expect(read(status, { code: 'EVENT_ALREADY_EXISTS' }, '', RETRY_AFTER)).toBe('recorded');
});
