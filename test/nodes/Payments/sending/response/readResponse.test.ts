import {
	readResponse,
	rejectsToken,
} from '../../../../../nodes/Payments/sending/response/readResponse';
import { SAMPLE } from '../../../../support/builders/transactions';

const HTML = { 'content-type': 'text/html' };
const attempt = (status: number, body: unknown, headers = {}, retryUnknownOutcome = true) =>
	readResponse(
		{ status, headers, body },
		{ transaction: SAMPLE },
		{ retryUnknownOutcome, recordedCodes: [] },
	);

test.each<[evidence: string, status: number, body: unknown, object?]>([
	['decision', 409, { code: 'ANYTHING' }],
	['decision', 409, { code: 'REQUEST_IN_PROGRESS' }],
	['decision', 422, { code: 'IDEMPOTENCY_KEY_REUSED' }],
	['decision', 422, { message: 'No.' }],
	// The service answers a row with JSON. A text can come from what stands in front of it.
	['decision', 200, { success: false }],
	['decision', 200, [{ errorCode: 'LIMIT' }]],
	['answer', 200, 'n8n is starting up. Please wait'],
	['elsewhere', 200, '<html>'],
	['answer', 207, {}],
	['elsewhere', 422, 'Blocked', HTML],
	['answer', 404, {}],
	['overload', 503, {}],
	['overload', 503, '<html>'],
	['overload', 500, { message: 'No.' }],
])('shows of the service: %s, with %i %j', (evidence, status, body, headers = {}) =>
	expect(attempt(status, body, headers)).toMatchObject({ kind: 'failure', evidence }),
);

test.each<[retried: boolean, status: number, body: unknown, object?]>([
	[true, 500, {}],
	[true, 503, {}],
	[true, 409, { code: 'REQUEST_IN_PROGRESS' }],
	[true, 409, {}, { 'retry-after': '1' }],
	// With each of these, the service has decided.
	[false, 409, {}],
	[false, 409, { code: 'IDEMPOTENCY_KEY_REUSED' }],
	[false, 200, { success: false }],
	[false, 422, {}],
])('is retried with Retry on Unknown Outcome: %p, %i %j', (retryable, status, body, headers = {}) =>
	expect(attempt(status, body, headers)).toMatchObject({ kind: 'failure', retryable }),
);

test.each<[boolean, number, unknown, object?]>([
	[true, 401, {}],
	[true, 401, '<html>'],
	[true, 403, { error: 'invalid_token' }],
	[true, 400, '', { 'www-authenticate': 'Bearer error="invalid_token"' }],
	[false, 400, '', { 'www-authenticate': 'Bearer realm="invalid_token"' }],
	[false, 400, { error: 'invalid_request' }],
	[false, 403, { message: 'invalid_token' }],
	[false, 422, { error: 'invalid_token' }],
	// Who writes the reference must not end the list.
	[false, 400, { errors: [{ rejectedValue: 'invalid_token' }], reference: 'invalid_token' }],
])('rejects the token: %p, %i %j', (expected, status, body, headers = {}) =>
	expect(rejectsToken({ status, headers: { ...headers }, body })).toBe(expected),
);
