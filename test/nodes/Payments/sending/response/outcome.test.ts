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
	stillInProgress,
	undecided,
	unknownOutcome,
} from '../../../../../nodes/Payments/sending/response/outcome';
import type { ServiceResponse } from '../../../../../nodes/Payments/sending/response/responseBody';
import { isSuccess, type SendFailure } from '../../../../../nodes/Payments/results';

const response = (status: number, body?: unknown, headers = {}): ServiceResponse => ({
	status,
	headers,
	body,
});
const HTML = { 'content-type': 'text/html' };
const LOOK_UP = /^Look up the Event ID and the External ID at the service\./;

test('every result has the status, the body, and the headers that help support', () => {
	const body = { errorCode: 'E1', message: 'No.' };
	const headers = { 'x-request-id': 'r1', date: 'd' };
	const last = response(400, body, { ...headers, 'set-cookie': 'session=1', server: 'nginx' });
	for (const make of [created, rejected, undecided, mayBeRecorded, otherContent, stillInProgress])
		expect(make(last)).toMatchObject({ status: 400, headers, body });
	expect(duplicate(last, false)).toMatchObject({ status: 400, headers, body });
	expect(created(last).headers).toEqual(headers);
	expect(created(response(202, body)).headers).toBeUndefined();
	const open = undecided(response(500));
	expect(mergeFailures(open, rejected(last))).toMatchObject({ status: 400, headers, body });
});

test.each([
	[{ status: 'REJECTED' }, ', with the status "REJECTED"'],
	[{ Status: 'in review', id: 'T1' }, ', with the status "in review"'],
	[{ status: 7 }, ', with the status 7'],
	[{ status: 202 }, ''],
	[{ status: true }, ''],
	[{ data: { status: 'x' } }, ''],
	['', ''],
])('created, with %j: it is recorded%s', (body, quoted) =>
	expect(created(response(202, body)).message).toBe(
		`Transaction created: the service recorded it${quoted}`,
	),
);

test.each([true, false])('a duplicate says whether this execution made it: %p', (ownAttempt) => {
	const result = duplicate(response(409, { errorCode: 'E1', message: 'It exists' }), ownAttempt);
	expect(result).toMatchObject({ outcome: 'duplicate', ownAttempt });
	expect(result.message.includes('earlier attempt')).toBe(ownAttempt);
	// What the service says shows whether the code that was stated means it.
	expect(result.message).toContain('E1: It exists');
	expect(result.message).toMatch(/had this Event ID already.*the first values count/);
	expect(result.fix).toContain('External ID');
});

test('a replay has no words: its body is the transaction', () =>
	expect(duplicate(response(200, { message: 'Hello' }), false).message).toMatch(/\(status 200\)/));

test.each([
	[400, /names.*look it up before/],
	[401, /Open the credential/],
	[403, /names/],
	[404, /names/],
	[405, /names/],
	[407, /proxy/],
	[422, /names.*look it up before/],
])('rejected with %i: the words of the service, and %s', (status, fix) => {
	const result = rejected(response(status, { errorCode: 'E1', amount: ['Is too large'] }));
	expect(result.message).toBe(
		`The service rejected the transaction (status ${status}): "errorCode: E1; amount: Is too large"`,
	);
	expect(result.fix).toMatch(fix);
	expect(result.fix).not.toMatch(/Base URL|Scope/);
});

test.each([
	[400, undefined, /doesn't say why/],
	[403, undefined, /Scope.*firewall/],
	[403, { message: 'Forbidden' }, /Scope.*firewall/],
	[403, { errorCode: 'AUTHORIZATION_FAILED', message: 'Not permitted.' }, /Scope.*firewall/],
	[404, {}, /Base URL/],
	[404, { detail: 'Not Found' }, /Base URL/],
	[405, '', /Base URL/],
	[410, 'Gone', /Base URL/],
	[501, undefined, /Base URL/],
])('rejected with %i and %j, which says no more than the status: %s', (status, body, fix) =>
	expect(rejected(response(status, body)).fix).toMatch(fix),
);

test.each([
	[404, { code: 'RECIPIENT_NOT_FOUND' }],
	[404, { errorCode: 'RESOURCE_MISSING', message: 'No such entity' }],
	[404, '<e>No such account</e>'],
	[403, 'Balance account is suspended'],
	[403, { fehler: { text: 'Das Konto ist gesperrt' } }],
	[403, { error: 'insufficient_rights' }],
	[405, { mensaje: 'No se permiten transferencias' }],
])('rejected with %i and %j: no advice about the setup', (status, body) => {
	const { message, fix } = rejected(response(status, body));
	expect(fix).not.toMatch(/Base URL|Scope/);
	expect(message).toMatch(/: "[^"]{10,}"$/);
});

test('429: nothing was processed, so it is run again as it is', () => {
	const result = rateLimited(response(429, { errorCode: 'E1', message: 'Slow down' }));
	expect(result).toMatchObject({ outcome: 'notSent', status: 429 });
	expect(result.message).toMatch(/limits the rate.*status 429: "E1: Slow down"/);
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
	expect(result.message).toContain('a web page: "Attention required"');
	expect(result.fix).toMatch(/firewall/);
	expect(rejected(response(403, '<html>Blocked</html>')).fix).toMatch(/Scope.*firewall/);
	expect(notConfirmed(response(200, '<html>', HTML), 'x').fix).toMatch(/Base URL/);
});

test('a success that says no has the words of the service, and the reason', () =>
	expect(
		notConfirmed(response(200, { error: 'E', message: 'Not enough' }), 'it is x').message,
	).toMatch(/status 200: "E: Not enough", .* because it is x$/));

test.each([
	[503, /'Max Retry Time'.*Run it again as it is/],
	[302, /Base URL.*Run it again as it is/],
	[500, /^Run it again as it is/],
])('undecided, with %i: %s', (status, fix) =>
	expect(undecided(response(status, { message: 'x' })).fix).toMatch(fix),
);

test.each([
	[{ code: 'E409', message: 'It exists' }],
	[{ message: 'Duplicate transaction' }],
	[{ errors: [{ reason: 'ALREADY_THERE' }] }],
	['The reference must be unique'],
])('409 %j: look it up, and it can be stated', (body) => {
	const result = mayBeRecorded(response(409, body));
	expect(result.outcome).toBe('unknown');
	expect(result.fix).toMatch(LOOK_UP);
	expect(result.fix).toMatch(/'Codes for Recorded Already'/);
});

test.each([
	[{ code: 'INSUFFICIENT_FUNDS' }],
	[{ message: 'Wallet frozen' }],
	[{ status: 409, error: 'Conflict', path: '/' }],
	[undefined],
])('409 %j can mean something else: only look it up', (body) => {
	const result = mayBeRecorded(response(409, body));
	expect(result.outcome).toBe('unknown');
	expect(result.fix).toMatch(LOOK_UP);
	expect(result.fix).not.toContain('Codes for Recorded Already');
});

test.each([400, 409, 422])('the Event ID with other content, with %i: unknown', (status) => {
	const result = otherContent(response(status, { code: 'IDEMPOTENCY_KEY_REUSED' }));
	expect(result.outcome).toBe('unknown');
	expect(result.message).toMatch(/other content \(status \d+: .*IDEMPOTENCY_KEY_REUSED/);
	expect(result.fix).toMatch(LOOK_UP);
	expect(result.fix).toMatch(/'Created At'/);
});

test.each([
	['created', created(response(202)), true, true],
	['a duplicate', duplicate(response(409), false), true, false],
	['a duplicate of its own', duplicate(response(409), true), true, true],
	['rejected', rejected(response(400)), false, false],
	['unknown', unknownOutcome(''), false, false],
	['not sent', notSent('', ''), false, false],
])('%s: a success %p, with duplicates stopped %p', (_, result, ...expected) => {
	expect([isSuccess(result, 'continue'), isSuccess(result, 'stop')]).toEqual(expected);
});

describe('after an attempt that may have been recorded, only created and duplicate settle', () => {
	const opened: Array<[string, SendFailure]> = [
		['503', undecided(response(503, { message: 'Overloaded. Retry: in a minute' }))],
		['502', undecided(response(502))],
		['a timeout', unknownOutcome("api.example.com didn't respond in time")],
		['in progress', stillInProgress(response(409))],
		['other content', otherContent(response(422))],
	];
	const final: Array<[string, SendFailure]> = [400, 401, 403, 404, 422, 308].map((status) => [
		String(status),
		rejected(response(status)),
	]);
	const again: Array<[string, SendFailure]> = [
		['429', rateLimited(response(429))],
		['no connection', notSent('Nothing responds', 'Check it')],
		['no token', notSent("n8n can't get an access token", 'Check it')],
	];
	const pairs = (lasts: typeof final) =>
		opened.flatMap(([first, open]) => lasts.map(([name, last]) => ({ first, open, name, last })));

	test.each(pairs(final))('$first, then $name: unknown, and looked up first', ({ open, last }) => {
		const merged = mergeFailures(open, last);
		expect(merged).toMatchObject({ outcome: 'unknown', status: last.status });
		expect(merged.message).toBe(`${open.message}. Retry: ${last.message}`);
		expect(merged.fix).toMatch(LOOK_UP);
		expect(merged.fix).toContain(last.fix);
		expect(merged.fix.match(/Look up the Event ID/g)).toHaveLength(1);
	});

	test.each(pairs(again))('$first, then $name: unknown, and the same again', ({ open, last }) => {
		const merged = mergeFailures(open, last);
		expect(merged).toMatchObject({ outcome: 'unknown', fix: open.fix });
		expect(merged.status).toBe(last.status ?? open.status);
		expect(merged.message).toContain(last.message);
	});

	test('the last one counts if it leaves it open itself, or nothing was open', () => {
		const last = unknownOutcome('x');
		expect(mergeFailures(opened[0][1], last)).toBe(last);
		expect(mergeFailures(undefined, last)).toBe(last);
		expect(mergeFailures(undefined, final[0][1])).toBe(final[0][1]);
	});
});
