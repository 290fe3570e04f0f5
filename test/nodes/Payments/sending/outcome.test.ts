import {
	created,
	duplicate,
	mayBeRecorded,
	mergeFailures,
	notConfirmed,
	notSent,
	otherContent,
	rateLimited,
	rejected,
	undecided,
	unknownOutcome,
} from '../../../../nodes/Payments/sending/outcome';
import type { ServiceResponse } from '../../../../nodes/Payments/sending/response/responseBody';
import { isRecorded, isSuccess, type SendFailure } from '../../../../nodes/Payments/results';

const response = (status: number, body?: unknown, headers = {}): ServiceResponse => ({
	status,
	headers,
	body,
});
const HTML = { 'content-type': 'text/html' };
const LOOK_UP = /^Look up the Event ID and the External ID at the service\./;

test('every result has the status and the body', () => {
	const body = { errorCode: 'E1', message: 'No.' };
	for (const make of [created, rejected, undecided, mayBeRecorded])
		expect(make(response(400, body))).toMatchObject({ status: 400, body });
	expect(otherContent(response(400, body), false)).toMatchObject({ status: 400, body });
	expect(duplicate(response(409, body), false)).toMatchObject({ status: 409, body });
});

test.each([true, false])('a duplicate says whether this execution made it: %p', (ownAttempt) => {
	const result = duplicate(response(409, { errorCode: 'E1' }), ownAttempt);
	expect(result).toMatchObject({ outcome: 'duplicate', ownAttempt });
	expect(result.message.includes('earlier attempt')).toBe(ownAttempt);
	expect(result.message).not.toContain('E1');
	expect(result.fix).toContain('External ID');
});

test.each([
	[400, /names.*look it up before/],
	[401, /Open the credential/],
	[403, /Scope.*firewall/],
	[404, /Base URL/],
	[410, /Base URL/],
	[422, /names.*look it up before/],
])('rejected with %i: %s', (status, fix) => {
	const result = rejected(response(status, { errorCode: 'E1', amount: ['Is too large'] }));
	expect(result.message).toMatch(
		new RegExp(`rejected.*\\(status ${status}\\): E1 – amount: Is too large$`),
	);
	expect(result.fix).toMatch(fix);
});

test('429: nothing was processed, so it is run again as it is', () => {
	const result = rateLimited(response(429, { errorCode: 'E1', message: 'Slow down' }));
	expect(result).toMatchObject({ outcome: 'notSent', status: 429 });
	expect(result.message).toMatch(/limits the rate.*status 429: E1: Slow down/);
	expect(result.fix).toMatch(/Nothing was processed.*as it is.*'Max Retry Time'/);
});

test.each([307, 308])('rejected with %i: a redirect', (status) => {
	expect(rejected(response(status))).toMatchObject({
		message: expect.stringMatching(/redirects/),
		fix: expect.stringMatching(/Base URL/),
	});
});

test('a web page may come from what stands in front of the service', () => {
	const result = rejected(response(406, '<html>Attention required</html>', HTML));
	expect(result.message).toContain('a web page');
	expect(result.fix).toMatch(/firewall/);
	expect(notConfirmed(response(200, '<html>', HTML), 'x').fix).toMatch(/Base URL/);
});

test.each([
	[{ code: 'E409', message: 'It exists' }, /"recorded already" by the code E409, add E409 to/],
	[{ message: 'It exists' }, /by this message, add the part of it/],
	[{ status: 409, error: 'Conflict', path: '/' }, /add .*'Codes for Recorded Already'/],
	[undefined, /says nothing, add 409 to 'Codes for Recorded Already'/],
])('409 %j: look it up, and how to state it', (body, fix) => {
	const result = mayBeRecorded(response(409, body));
	expect(result.outcome).toBe('unknown');
	expect(result.fix).toMatch(LOOK_UP);
	expect(result.fix).toMatch(fix);
});

// Such a code is in every answer to a row that has something to correct.
test.each([
	{ error: 'Bad Request', message: ['eventId already exists'] },
	{ code: 'VALIDATION_ERROR', errors: [{ field: 'eventId', message: 'already exists' }] },
])('400 about the Event ID: no code is to be stated that other rows get, too: %j', (body) => {
	const { fix } = mayBeRecorded(response(400, body));
	expect(fix).toMatch(/by this message/);
	expect(fix).not.toMatch(/Bad Request|VALIDATION_ERROR/);
});

describe('the Event ID with other content', () => {
	test.each([
		[400, 'rejected', /only if it has neither/],
		[422, 'rejected', /only if it has neither/],
		// A conflict: other services say so that they have recorded it.
		[409, 'unknown', /'Codes for Recorded Already'/],
	])('custom, with %i: %s, after a look-up', (status, outcome, fix) => {
		const result = otherContent(response(status, { code: 'IDEMPOTENCY_KEY_REUSED' }), true);
		expect(result.outcome).toBe(outcome);
		expect(result.fix).toMatch(LOOK_UP);
		expect(result.fix).toMatch(fix);
	});

	test.each([400, 409, 422])('generated, with %i: unknown, and what to set', (status) => {
		const result = otherContent(response(status, { code: 'IDEMPOTENCY_KEY_REUSED' }), false);
		expect(result.outcome).toBe('unknown');
		expect(result.fix).toMatch(LOOK_UP);
		expect(result.fix).toMatch(/'Created At' and 'Received At'/);
	});
});

test.each([
	['created', created(response(202)), true, true, true],
	['a duplicate', duplicate(response(409), false), true, true, false],
	['a duplicate of its own', duplicate(response(409), true), true, true, true],
	['rejected', rejected(response(400)), false, false, false],
	['unknown', unknownOutcome(''), false, false, false],
	['not sent', notSent('', ''), false, false, false],
])('%s: recorded %p, a success %p, with duplicates stopped %p', (_, result, ...expected) => {
	expect([isRecorded(result), isSuccess(result, 'continue'), isSuccess(result, 'stop')]).toEqual(
		expected,
	);
});

describe('what is known after the last attempt', () => {
	const open = undecided(response(503, { message: 'Overloaded. Retry: in a minute' }));

	test.each<[string, SendFailure]>([
		['400', rejected(response(400))],
		['401', rejected(response(401))],
		['404', rejected(response(404))],
		['308', rejected(response(308))],
		['other content', otherContent(response(422), true)],
	])('what was left open stays open after a final %s, and is looked up first', (_, last) => {
		const merged = mergeFailures(open, last);
		expect(merged).toMatchObject({ outcome: 'unknown', status: last.status });
		expect(merged.message).toBe(`${open.message}. Retry: ${last.message}`);
		expect(merged.fix).toMatch(LOOK_UP);
		expect(merged.fix.match(/Look up the Event ID/g)).toHaveLength(1);
	});

	test.each<[string, SendFailure]>([
		['429', rateLimited(response(429))],
		['no connection', notSent('Nothing responds', 'Check it')],
	])('and after %s, the same is run again', (_, last) => {
		const merged = mergeFailures(open, last);
		expect(merged).toMatchObject({ outcome: 'unknown', status: last.status ?? 503 });
		expect(merged.fix).toBe(open.fix);
	});

	test('the last one counts if it leaves it open itself, or nothing was open', () => {
		const last = unknownOutcome('x');
		expect(mergeFailures(open, last)).toBe(last);
		expect(mergeFailures(undefined, last)).toBe(last);
	});
});
