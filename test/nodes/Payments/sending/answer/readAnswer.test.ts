import { readAnswer } from '../../../../../nodes/Payments/sending/answer/readAnswer';
import { receive } from '../../../../../nodes/shared/serviceResponse';
import { answerTo } from '../../../../support/builders/answers';
import { SAMPLE } from '../../../../support/builders/transactions';

const REPLAYED = { 'idempotent-replayed': 'true' };
const HTML = { 'content-type': 'text/html' };
const attempt = (status: number, body: unknown, headers = {}) =>
	answerTo(status, body, { headers, retryUnknownOutcome: true });

test.each<[evidence: string, status: number, body: unknown, object?]>([
	['decision', 409, { code: 'ANYTHING' }],
	['decision', 409, { code: 'REQUEST_IN_PROGRESS' }],
	['decision', 422, { code: 'IDEMPOTENCY_KEY_REUSED' }],
	['decision', 422, { message: 'No.' }],
	// The service answers a row with JSON. A text can come from what stands in front of it.
	['decision', 200, { success: false }],
	['decision', 200, [{ errorCode: 'LIMIT' }]],
	['undecided', 200, 'n8n is starting up. Please wait'],
	['elsewhere', 200, '<html>'],
	['undecided', 207, {}],
	['elsewhere', 422, 'Blocked', HTML],
	['undecided', 404, {}],
	['undecided', 401, {}, { 'www-authenticate': 'Bearer error="insufficient_scope"' }],
	['overload', 503, {}],
	['overload', 503, '<html>'],
	['overload', 500, { message: 'No.' }],
])('shows of the service: %s, with %i %j', (evidence, status, body, headers = {}) =>
	expect(attempt(status, body, headers)).toMatchObject({ shows: evidence }),
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
	expect(attempt(status, body, headers)).toMatchObject({ isSentAgain: retryable }),
);

test.each<[boolean, number, unknown, object?]>([
	[true, 401, {}],
	[true, 401, '<html>'],
	[true, 403, { error: 'invalid_token' }],
	[true, 400, '', { 'www-authenticate': 'Bearer error="invalid_token"' }],
	[false, 400, '', { 'www-authenticate': 'Bearer realm="invalid_token"' }],
	[false, 401, {}, { 'www-authenticate': 'Bearer error="insufficient_scope"' }],
	[false, 400, { error: 'invalid_request' }],
	[false, 403, { message: 'invalid_token' }],
	[false, 422, { error: 'invalid_token' }],
	// Who writes the reference must not end the list.
	[false, 400, { errors: [{ rejectedValue: 'invalid_token' }], reference: 'invalid_token' }],
])('rejects the token: %p, %i %j', (expected, status, body, headers = {}) =>
	expect(attempt(status, body, headers).says === 'unauthorized').toBe(expected),
);

test.each<[accepts: boolean, status: number, body: unknown, object?]>([
	[true, 202, {}],
	[true, 409, { code: 'ANYTHING' }],
	[true, 422, { message: 'No.' }],
	// What stands in front of the service can answer so without a look at the token.
	[false, 404, {}],
	[false, 403, {}],
	[false, 422, 'Blocked', HTML],
	[false, 429, {}],
	[false, 503, {}],
	[false, 401, {}],
])('shows that the token is accepted: %p, %i %j', (accepts, status, body, headers = {}) => {
	const rejected = { counts: true, isProven: false, waitMs: 0 };
	const token = { accept: jest.fn(), reject: () => rejected };
	const response = receive({ status, headers: { ...headers }, body }, 'a-token');
	const options = { retryUnknownOutcome: false, recordedCodes: [] };
	readAnswer({ says: 'response', response, token: 'a-token' }, SAMPLE, options, token);
	expect(token.accept.mock.calls).toEqual(accepts ? [['a-token']] : []);
});

const own = SAMPLE.eventId;
test.each<[says: string, status: number, body: unknown, object?, stated?: string]>([
	['success', 202, {}],
	['recorded', 208, {}],
	['recorded', 200, { id: 'T1' }, REPLAYED],
	['recorded', 409, { code: 'EVENT_ALREADY_EXISTS' }],
	['recorded', 409, {}, {}, '409'],
	['recorded', 409, { code: 'TAKEN', existing: { eventId: own } }, {}, 'TAKEN'],
	// About another event.
	['otherEvent', 409, { code: 'EVENT_ALREADY_EXISTS', eventId: 'other' }],
	['otherEvent', 409, { code: 'TAKEN', data: { existing: { event_id: 'other' } } }, {}, 'TAKEN'],
	['otherEvent', 409, { eventId: 'other', amount: '5.00' }, {}, '409'],
	['otherEvent', 422, { code: 'TAKEN', eventId: 'other' }, {}, 'TAKEN'],
	['otherEvent', 208, { data: { eventId: 'other' } }],
	['otherEvent', 200, { id: 'T1', data: [{ eventId: 'other' }] }, REPLAYED],
	// A refusal is one, also with an eventId, which can be that of the service's log.
	['refused', 400, { code: 'LIMIT', eventId: 'log-1' }],
	['refused', 422, { errors: [{ code: 'LIMIT' }], eventId: 'other' }],
	['conflict', 409, { code: 'LIMIT', eventId: 'other' }],
	['inProgress', 409, { eventId: 'other' }, { 'retry-after': '1' }],
	['denied', 200, { success: false }],
	['unconfirmed', 200, 'No.'],
	['limit', 429, {}],
	['undefined', 499, {}],
])('says %s: %i %j', (says, status, body, headers = {}, stated = '') =>
	expect(answerTo(status, body, { headers: { ...headers }, stated }).says).toBe(says),
);

test('what came decides, and not what is left of it for a person', () => {
	const request = Array.from({ length: 3000 }, (_, index) => index);
	const long = { request, text: 'x'.repeat(30_000) };
	expect(answerTo(200, { ...long, success: false, errorCode: 'LIMIT' }).says).toBe('denied');
	expect(answerTo(409, { ...long, code: 'EVENT_ALREADY_EXISTS' }).says).toBe('recorded');
	expect(
		answerTo(409, { ...long, code: 'TAKEN', eventId: 'other' }, { stated: 'TAKEN' }).says,
	).toBe('otherEvent');
	// The token is hidden in what is shown, also where it's the code.
	const token = 'a-token-of-this-client';
	const answer = answerTo(409, { code: token }, { token, stated: token });
	expect(answer.says).toBe('recorded');
	expect(JSON.stringify(answer)).not.toContain(token);
	// Deeper than functions that call themselves can go.
	const deep = (inner: string) =>
		JSON.parse(`${'{"a":['.repeat(20_000)}${inner}${']}'.repeat(20_000)}`) as unknown;
	expect(answerTo(409, deep('{"code":"EVENT_ALREADY_EXISTS"}')).says).toBe('recorded');
	expect(answerTo(200, { error: deep('1') }).says).toBe('denied');
});
