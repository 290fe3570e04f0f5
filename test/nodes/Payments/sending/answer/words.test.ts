import { conclusionOf } from '../../../../support/builders/answers';
import { SAMPLE } from '../../../../support/builders/transactions';
import {
	byOwnAttempt,
	notSent,
	stillUnknown,
	unknownOutcome,
} from '../../../../../nodes/Payments/sending/answer/words';
import {
	isSuccess,
	type DuplicateResult,
	type SendFailure,
} from '../../../../../nodes/Payments/results';

/** What a person reads of a response. */
const conclude = (status: number, body?: unknown, headers = {}) =>
	conclusionOf(status, body, { headers: { ...headers } }) as SendFailure;
const HTML = { 'content-type': 'text/html' };
const REPLAYED = { 'idempotent-replayed': 'true' };
const LOOK_UP = /^Look up the Event ID and the External ID at the service\./;
const RUN_AGAIN = /Run it again as it is/;
const RECORDED = { errorCode: 'EVENT_ALREADY_EXISTS', message: 'It exists' };

test('every result has the status, the body, the headers that help support, and the request ID', () => {
	const body = { errorCode: 'E1', message: 'No.' };
	const headers = { 'x-request-id': 'r1', date: 'd', 'retry-after': '2' };
	for (const [status, content] of [
		...[200, 400, 401, 409, 429, 500, 503].map((one) => [one, body] as const),
		...[[409, RECORDED] as const, [201, {}] as const],
	]) {
		const result = conclude(status, content, { ...headers, 'set-cookie': 's=1', server: 'nginx' });
		expect(result).toMatchObject({ status, body: content, requestId: 'r1' });
		expect(result.headers).toEqual(headers);
	}
	expect(conclude(202).headers).toBeUndefined();
	const open = conclude(500);
	expect(stillUnknown(open, conclude(422, body, headers))).toMatchObject({
		status: 422,
		body,
		headers,
	});
	expect(stillUnknown(open, conclude(422, body, headers)).requestId).toBe('r1');
});

const { eventId, externalId } = SAMPLE;
const RECORDED_IT = /^Recorded$/;
const ACCEPTED_IT = /^Accepted$/;
test.each<[number, unknown, RegExp]>([
	[201, {}, RECORDED_IT],
	[201, '', RECORDED_IT],
	[200, { eventId }, RECORDED_IT],
	[200, { data: { externalId } }, RECORDED_IT],
	[200, { id: 'T1' }, ACCEPTED_IT],
	[200, 'OK', ACCEPTED_IT],
	[202, { eventId, externalId }, ACCEPTED_IT],
	[202, '', ACCEPTED_IT],
	[202, { status: 'ACCEPTED' }, ACCEPTED_IT],
	[204, undefined, ACCEPTED_IT],
	[201, { status: 'REJECTED' }, /^Recorded, status "REJECTED"$/],
	[202, { Status: 'in review', id: 'T1' }, /^Accepted, status "in review"$/],
	[201, { status: 7 }, /^Recorded, status 7$/],
	[201, { status: 201 }, RECORDED_IT],
	[201, { status: true }, RECORDED_IT],
	[201, { data: { status: 'x' } }, RECORDED_IT],
])('created with %i and %j: %s', (status, body, says) => {
	const result = conclusionOf(status, body);
	expect(result).toMatchObject({
		outcome: 'created',
		isRecorded: says !== ACCEPTED_IT && status !== 202,
	});
	expect(result.message).toMatch(says);
});

test('a duplicate says whether this execution made it', () => {
	const result = conclusionOf(409, RECORDED) as DuplicateResult;
	// What the service says shows whether the code that was stated means it.
	expect(result.message).toMatch(/had this Event ID already.*It exists.*first values count$/);
	expect(result).toMatchObject({ outcome: 'duplicate', ownAttempt: false });
	expect(result.fix).toContain('External ID');
	const own = byOwnAttempt(result);
	expect(own.ownAttempt).toBe(true);
	expect(own.message).toMatch(/first values count.*earlier attempt/);
});

test('a replay has no words: its body is the transaction', () =>
	expect(conclude(200, { message: 'Hello' }, REPLAYED).message).toMatch(/\(status 200\)/));

/** Advice about the setup, and none. */
const SCOPE = /Scope.*firewall/;
const BASE_URL = /Base URL/;
const NO_SETUP = /^(?!.*(Base URL|Scope)).*names/;
test.each<[number, unknown, RegExp]>([
	[400, { errorCode: 'E1' }, /names.*look it up first/],
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
	expect(conclude(status, body).fix).toMatch(fix),
);

const SCOPE_HEADER = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="OXYGEN"' };
const OTHER_SCOPE = { 'www-authenticate': 'Bearer realm="a", error=insufficient_scope' };
const MAYBE_LIMIT = /limit of requests.*later, as it is/;
test.each<[number, unknown, object, RegExp]>([
	// What the token isn't valid for, whatever else the response says.
	[401, undefined, SCOPE_HEADER, /^Select the Scope "OXYGEN"/],
	[403, undefined, SCOPE_HEADER, /^Select the Scope "OXYGEN"/],
	[403, { message: 'Not for this token' }, SCOPE_HEADER, /^Select the Scope "OXYGEN"/],
	[403, undefined, OTHER_SCOPE, /^Select another Scope/],
	[401, undefined, { 'www-authenticate': 'Bearer error="invalid_token"' }, /Open the credential/],
	// A limit, perhaps.
	[403, undefined, { 'retry-after': '5' }, MAYBE_LIMIT],
	[403, { message: 'Forbidden' }, { 'x-ratelimit-remaining': '0' }, MAYBE_LIMIT],
	[403, '', { 'ratelimit-remaining': ' 0' }, MAYBE_LIMIT],
	[403, '', { 'x-rate-limit-remaining': '0' }, MAYBE_LIMIT],
	[403, '', { ratelimit: '"default";r=0;t=30' }, MAYBE_LIMIT],
	[403, '', { ratelimit: 'limit=5, remaining=0, reset=3' }, MAYBE_LIMIT],
	[403, '', { 'x-ratelimit-remaining': '10', ratelimit: '"a";r=10' }, SCOPE],
	[403, { errorCode: 'AUTHORIZATION_FAILED' }, { 'retry-after': '5' }, SCOPE],
	[403, { errorCode: 'E1' }, { 'retry-after': '5' }, NO_SETUP],
	// The service's stored answer.
	[400, { errorCode: 'E1' }, REPLAYED, /same answer.*'Send Idempotency-Key Header'/],
	[403, undefined, REPLAYED, /same answer.*'Send Idempotency-Key Header'/],
	[500, undefined, REPLAYED, /^Look up.*same answer.*'Send Idempotency-Key Header'/],
])('%i and %j with %j: %s', (status, body, headers, fix) =>
	expect(conclude(status, body, headers).fix).toMatch(fix),
);

const REFUSAL = { errorCode: 'E1', amount: ['Is too large'] };
const PAGE = '<html>Attention</html>';
test.each<[says: RegExp, advises: RegExp, number, unknown?, object?]>([
	[/^rejected: .*\(status 422\): "errorCode: E1; amount: Is too large"$/, /names/, 422, REFUSAL],
	[/^rejected: .*redirects/, /Base URL/, 308],
	[/^rejected: .*a web page: "Attention"/, /firewall/, 406, PAGE, HTML],
	[
		/^rejected: .*repeats its stored answer.*rejected \(status 400\): "errorCode: E1"/,
		/same answer/,
		400,
		{ errorCode: 'E1' },
		REPLAYED,
	],
	[
		/^notSent: Not processed, .*limit \(status 429\): "E1: Slow down"/,
		/as it is.*'Max Retry Time'/,
		429,
		{ errorCode: 'E1', message: 'Slow down' },
	],
	[
		/^unknown: .* because it has error "E" \(status 200\): "E: Not enough"$/,
		RUN_AGAIN,
		200,
		{ error: 'E', message: 'Not enough' },
	],
	[/^unknown: .*because it is a web page/, /Base URL.*Run it again as it is/, 200, '<html>', HTML],
	[/^unknown: .*503/, /'Max Retry Time'.*Run it again as it is/, 503],
	[/^unknown: .*302/, /Base URL.*Run it again as it is/, 302],
	[/^unknown: .*500\): "x"/, /^Run it again as it is/, 500, 'x'],
	[/^unknown: .*repeats its stored answer.*500/, /same answer/, 500, '', REPLAYED],
	[/^unknown: .*again later.*409/, RUN_AGAIN, 409, '', { 'retry-after': '1' }],
	[/^unknown: .*about another Event ID.*409/, LOOK_UP, 409, { ...RECORDED, eventId: 'other' }],
	[
		/^unknown: Event ID known with other values: this change wasn't recorded \(status 422: .*REUSED/,
		/^Look up.*first values.*corrects.*'Created At'/,
		422,
		{ code: 'IDEMPOTENCY_KEY_REUSED' },
	],
])('%s, and the fix is %s', (says, advises, status, body = '', headers = {}) => {
	const { outcome, message, fix } = conclude(status, body, headers);
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
	const { outcome, fix } = conclude(409, body);
	expect([outcome, LOOK_UP.test(fix)]).toEqual(['unknown', true]);
	expect(fix.includes("'Codes for Recorded Already'")).toBe(canBeStated);
});

test.each([
	['created', conclusionOf(202), true, true],
	['a duplicate', conclusionOf(409, RECORDED), true, false],
	[
		'a duplicate of its own',
		byOwnAttempt(conclusionOf(409, RECORDED) as DuplicateResult),
		true,
		true,
	],
	['rejected', conclusionOf(400), false, false],
	['unknown', unknownOutcome(''), false, false],
	['not sent', notSent('', ''), false, false],
])('%s: a success %p, with duplicates stopped %p', (_, result, ...expected) => {
	expect([isSuccess(result, 'continue'), isSuccess(result, 'stop')]).toEqual(expected);
});

describe('after an attempt that may have been recorded, only created and duplicate settle', () => {
	const opened = [
		conclude(503, { message: 'Overloaded. Retry: in a minute' }),
		unknownOutcome("api.example.com didn't respond in time"),
		conclude(409, '', { 'retry-after': '1' }),
		conclude(422, { code: 'IDEMPOTENCY_KEY_REUSED' }),
	];

	test.each([400, 401, 404, 422, 308])('%i: it is looked up first', (status) => {
		const last = conclude(status);
		for (const open of opened) {
			const merged = stillUnknown(open, last);
			expect(merged).toMatchObject({ outcome: 'unknown', status });
			expect(merged.message).toBe(`${open.message}. Retry: ${last.message}`);
			expect(merged.fix).toMatch(LOOK_UP);
			expect(merged.fix).toContain(last.fix);
			expect(merged.fix.match(/Look up the Event ID/g)).toHaveLength(1);
		}
	});

	test.each([
		['429', conclude(429)],
		['no connection', notSent('Nothing responds', 'Check it')],
	])('%s: the same again', (_, last) => {
		for (const open of opened) {
			const merged = stillUnknown(open, last);
			expect(merged).toMatchObject({ outcome: 'unknown', fix: open.fix });
			expect(merged.status).toBe(last.status ?? open.status);
			expect(merged.message).toContain(last.message);
		}
	});
});

test('messages, requests IDs, and bodies have no half characters', () => {
	const half = '\ud83d';
	const result = conclusionOf(
		422,
		{ [`a${half}`]: [`No${half}.\0 \u200b`] },
		{
			headers: { 'x-request-id': 'r\u0085\u200b1' },
		},
	);
	expect(result.message).toContain('"a\ufffd: No\ufffd.\ufffd"');
	expect(result.requestId).toBe('r 1');
	expect(JSON.stringify(result.body)).toBe('{"a�":["No�.� ​"]}');
	// A pair is cut in the middle.
	const long = conclusionOf(422, { message: `${'x'.repeat(4999)}😀` });
	expect(JSON.stringify(long)).not.toMatch(/\\ud[89a-f]/);
});
