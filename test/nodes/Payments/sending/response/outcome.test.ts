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
const RUN_AGAIN = /Run it again as it is/;

test('every result has the status, the body, and the headers that help support', () => {
	const body = { errorCode: 'E1', message: 'No.' };
	const headers = { 'x-request-id': 'r1', date: 'd', 'retry-after': '2' };
	const last = response(400, body, { ...headers, 'set-cookie': 'session=1', server: 'nginx' });
	const open = undecided(response(500));
	for (const result of [
		...[created, rejected, undecided, mayBeRecorded, otherContent].map((make) => make(last)),
		...[stillInProgress(last), duplicate(last, false), mergeFailures(open, rejected(last))],
	]) {
		expect(result).toMatchObject({ status: 400, body });
		expect(result.headers).toEqual(headers);
	}
	expect(created(response(202, body)).headers).toBeUndefined();
});

test.each([
	[{ status: 'REJECTED' }, /recorded it, with the status "REJECTED"$/],
	[{ Status: 'in review', id: 'T1' }, /recorded it, with the status "in review"$/],
	[{ status: 7 }, /recorded it, with the status 7$/],
	[{ status: 202 }, /recorded it$/],
	[{ status: true }, /recorded it$/],
	[{ data: { status: 'x' } }, /recorded it$/],
	['', /recorded it$/],
])('created, with %j: %s', (body, says) =>
	expect(created(response(202, body)).message).toMatch(says),
);

test.each([true, false])('a duplicate says whether this execution made it: %p', (ownAttempt) => {
	const result = duplicate(response(409, { errorCode: 'E1', message: 'It exists' }), ownAttempt);
	expect(result).toMatchObject({ outcome: 'duplicate', ownAttempt });
	expect(result.message.includes('earlier attempt')).toBe(ownAttempt);
	// What the service says shows whether the code that was stated means it.
	expect(result.message).toMatch(/had this Event ID already.*E1: It exists.*first values count/);
	expect(result.fix).toContain('External ID');
});

test('a replay has no words: its body is the transaction', () =>
	expect(duplicate(response(200, { message: 'Hello' }), false).message).toMatch(/\(status 200\)/));

/** Advice about the setup, and none. */
const SCOPE = /Scope.*firewall/;
const BASE_URL = /Base URL/;
const NO_SETUP = /^(?!.*(Base URL|Scope)).*names/;
test.each<[number, unknown, RegExp]>([
	[400, { errorCode: 'E1' }, /names.*look it up before/],
	[400, undefined, /doesn't say why/],
	[401, { errorCode: 'E1' }, /Open the credential/],
	[407, { errorCode: 'E1' }, /proxy/],
	[307, undefined, BASE_URL],
	// Where the body says no more than the status.
	[403, undefined, SCOPE],
	[403, { message: 'Forbidden' }, SCOPE],
	[403, { errorCode: 'AUTHORIZATION_FAILED', message: 'Not permitted.' }, SCOPE],
	[404, {}, BASE_URL],
	[404, { detail: 'Not Found' }, BASE_URL],
	[405, '', BASE_URL],
	[410, 'Gone', BASE_URL],
	[501, undefined, BASE_URL],
	// Where it does.
	[403, { errorCode: 'E1' }, NO_SETUP],
	[403, { error: 'insufficient_rights' }, NO_SETUP],
	[403, { fehler: { text: 'Das Konto ist gesperrt' } }, NO_SETUP],
	[404, { code: 'RECIPIENT_NOT_FOUND' }, NO_SETUP],
	[404, '<e>No such account</e>', NO_SETUP],
	[405, { mensaje: 'No se permiten transferencias' }, NO_SETUP],
	// What stands in front of the service is said once.
	[403, '<html>Blocked</html>', /Scope((?!firewall).)*firewall((?!firewall).)*$/],
])('rejected with %i and %j: %s', (status, body, fix) =>
	expect(rejected(response(status, body)).fix).toMatch(fix),
);

const REFUSAL = { errorCode: 'E1', amount: ['Is too large'] };
test.each<[says: RegExp, advises: RegExp, SendFailure]>([
	[
		/^rejected: .*\(status 422\): "errorCode: E1; amount: Is too large"$/,
		/names/,
		rejected(response(422, REFUSAL)),
	],
	[/^rejected: .*redirects/, /Base URL/, rejected(response(308))],
	[
		/^rejected: .*a web page: "Attention"/,
		/firewall/,
		rejected(response(406, '<html>Attention</html>', HTML)),
	],
	[
		/^notSent: .*limits the rate.*status 429: "E1: Slow down"/,
		/Nothing was processed.*as it is.*'Max Retry Time'/,
		rateLimited(response(429, { errorCode: 'E1', message: 'Slow down' })),
	],
	[
		/^unknown: .*status 200: "E: Not enough", .* because it is x$/,
		RUN_AGAIN,
		notConfirmed(response(200, { error: 'E', message: 'Not enough' }), 'it is x'),
	],
	[
		/^unknown: .*because x$/,
		/Base URL.*Run it again as it is/,
		notConfirmed(response(200, '<html>', HTML), 'x'),
	],
	[/^unknown: .*503/, /'Max Retry Time'.*Run it again as it is/, undecided(response(503))],
	[/^unknown: .*302/, /Base URL.*Run it again as it is/, undecided(response(302))],
	[/^unknown: .*500: "x"/, /^Run it again as it is/, undecided(response(500, 'x'))],
	[/^unknown: .*again later.*409/, RUN_AGAIN, stillInProgress(response(409))],
	[
		/^unknown: .*other content \(status 422: .*REUSED/,
		/^Look up.*'Created At'/,
		otherContent(response(422, { code: 'REUSED' })),
	],
])('%s, and the fix is %s', (says, advises, { outcome, message, fix }) => {
	expect(`${outcome}: ${message}`).toMatch(says);
	expect(fix).toMatch(advises);
});

test.each([
	[{ code: 'E409', message: 'It exists' }, true],
	[{ message: 'Duplicate transaction' }, true],
	[{ errors: [{ reason: 'ALREADY_THERE' }] }, true],
	['The reference must be unique', true],
	[{ code: 'INSUFFICIENT_FUNDS' }, false],
	[{ message: 'Wallet frozen' }, false],
	[{ status: 409, error: 'Conflict', path: '/' }, false],
	[undefined, false],
])('409 %j: look it up; it can be stated: %p', (body, canBeStated) => {
	const { outcome, fix } = mayBeRecorded(response(409, body));
	expect([outcome, LOOK_UP.test(fix)]).toEqual(['unknown', true]);
	expect(fix.includes("'Codes for Recorded Already'")).toBe(canBeStated);
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
	const opened = [
		undecided(response(503, { message: 'Overloaded. Retry: in a minute' })),
		unknownOutcome("api.example.com didn't respond in time"),
		stillInProgress(response(409)),
		otherContent(response(422)),
	];

	test.each([400, 401, 404, 422, 308])('%i: it is looked up first', (status) => {
		const last = rejected(response(status));
		for (const open of opened) {
			const merged = mergeFailures(open, last);
			expect(merged).toMatchObject({ outcome: 'unknown', status });
			expect(merged.message).toBe(`${open.message}. Retry: ${last.message}`);
			expect(merged.fix).toMatch(LOOK_UP);
			expect(merged.fix).toContain(last.fix);
			expect(merged.fix.match(/Look up the Event ID/g)).toHaveLength(1);
		}
	});

	test.each([
		['429', rateLimited(response(429))],
		['no connection', notSent('Nothing responds', 'Check it')],
	])('%s: the same again', (_, last) => {
		for (const open of opened) {
			const merged = mergeFailures(open, last);
			expect(merged).toMatchObject({ outcome: 'unknown', fix: open.fix });
			expect(merged.status).toBe(last.status ?? open.status);
			expect(merged.message).toContain(last.message);
		}
	});

	test('the last one counts if it leaves it open itself, or nothing was open', () => {
		const last = unknownOutcome('x');
		const refusal = rejected(response(422));
		expect(mergeFailures(opened[0], last)).toBe(last);
		expect(mergeFailures(undefined, last)).toBe(last);
		expect(mergeFailures(undefined, refusal)).toBe(refusal);
	});
});
