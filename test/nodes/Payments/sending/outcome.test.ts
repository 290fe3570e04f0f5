import {
	created,
	duplicate,
	failureFromResponse,
	mergeFailures,
	notSent,
	unknownOutcome,
} from '../../../../nodes/Payments/sending/outcome';
import { isRecorded, isSuccess, type SendFailure } from '../../../../nodes/Payments/results';

const NOTHING = undefined;
const WORDS = {
	errorCode: 'E1',
	message: 'No.',
	warnings: [
		{ position: 'amount', issue: 'too large' },
		{ position: 'currency', issue: 'closed' },
	],
};
const QUOTED = 'E1: No. – amount: too large; currency: closed';

test('created', () => {
	expect(created({ status: 202, body: { id: 1 } })).toEqual({
		outcome: 'created',
		message: 'Transaction created',
		status: 202,
		body: { id: 1 },
	});
});

test.each([
	[NOTHING, false],
	[WORDS, false],
	[NOTHING, true],
	[WORDS, true],
])('a duplicate says what the service said: %j, own attempt %p', (body, ownAttempt) => {
	const result = duplicate({ status: 409, body }, ownAttempt);
	expect(result).toMatchObject({ outcome: 'duplicate', status: 409, ownAttempt });
	expect(result.body).toBe(body);
	expect(result.message).toContain(body === WORDS ? `(status 409: ${QUOTED})` : '(status 409)');
	expect(result.message.includes('earlier attempt')).toBe(ownAttempt);
	expect(result.fix).toContain('Event ID');
});

test.each<[object, string]>([
	[{}, ''],
	[{ errorCode: 'E1' }, ': E1'],
	[{ message: 'No.' }, ': No.'],
	[{ errorCode: 'E1', message: 'No.' }, ': E1: No.'],
	[{ warnings: [{ position: 'a', issue: 'b' }] }, ': a: b'],
	[{ warnings: [{ position: '', issue: 'b' }] }, ': b'],
	[
		{ warnings: Array.from({ length: 22 }, () => ({ position: 'a', issue: 'b' })) },
		`: ${'a: b; '.repeat(20)}… and 2 more`,
	],
	[WORDS, `: ${QUOTED}`],
])('the words of the service, %j, become "%s"', (body, quoted) => {
	const { message } = failureFromResponse({ status: 400, body }, 'rejected');
	expect(message.endsWith(`(status 400)${quoted}`)).toBe(true);
});

describe('rejected', () => {
	test.each([
		[400, /Correct the fields/],
		[401, /Open the credential/],
		[403, /Scope/],
		[404, /Base URL/],
		[409, /Look up the Event ID and the External ID.*only if it has neither/],
		[422, /what the service says/],
		[429, /'Max Requests per Second'.*'Max Retry Time'/],
		[299, /what the service says/],
	])('status %i: %s', (status, fix) => {
		const result = failureFromResponse({ status, body: WORDS }, 'rejected');
		expect(result).toMatchObject({ outcome: 'rejected', status, body: WORDS });
		expect(result.message).toContain(`(status ${status}): ${QUOTED}`);
		expect(result.fix).toMatch(fix);
	});

	test.each([307, 308])('status %i is a redirect', (status) => {
		const result = failureFromResponse({ status, body: WORDS }, 'rejected');
		expect(result).toMatchObject({ outcome: 'rejected', status, body: WORDS });
		expect(result.message).toMatch(new RegExp(`redirects.*\\(status ${status}\\)`));
		expect(result.fix).toContain('Base URL');
	});
});

describe('unknown', () => {
	const AGAIN = /^Run it again as it is/;

	test('for a reason', () => {
		const result = unknownOutcome('the line broke');
		expect(result.outcome).toBe('unknown');
		expect(result.message).toContain(': the line broke');
		expect(result.fix).toMatch(AGAIN);
	});

	test.each([
		[500, WORDS, `status 500 (${QUOTED})`, AGAIN],
		[500, NOTHING, 'status 500', AGAIN],
		[303, NOTHING, 'status 303', /Base URL.*Run it again/],
		[503, NOTHING, 'status 503', /'Max Retry Time'.*Run it again/],
	])('status %i: %j', (status, body, words, fix) => {
		const result = failureFromResponse({ status, body }, 'unknown');
		expect(result).toMatchObject({ outcome: 'unknown', status });
		expect(result.body).toBe(body);
		expect(result.message.endsWith(words)).toBe(true);
		expect(result.fix).toMatch(fix);
	});
});

test.each([
	['created', created({ status: 202, body: {} }), true, true, true],
	['a duplicate', duplicate({ status: 409, body: NOTHING }, false), true, true, false],
	['a duplicate of its own', duplicate({ status: 409, body: NOTHING }, true), true, true, true],
	[
		'rejected',
		failureFromResponse({ status: 400, body: NOTHING }, 'rejected'),
		false,
		false,
		false,
	],
	['unknown', unknownOutcome(''), false, false, false],
	['not sent', notSent('', ''), false, false, false],
])('%s: recorded %p, a success %p, with duplicates stopped %p', (_, result, ...expected) => {
	expect([isRecorded(result), isSuccess(result, 'continue'), isSuccess(result, 'stop')]).toEqual(
		expected,
	);
});

const failure = (outcome: SendFailure['outcome'], status?: number): SendFailure => ({
	outcome,
	status,
	body: status && { status },
	message: `${outcome} ${status}`,
	fix: `fix of ${outcome} ${status}`,
});

describe('what is known after the last attempt', () => {
	const merged = (earlier: SendFailure, last: SendFailure) => ({
		outcome: earlier.outcome,
		status: last.status ?? earlier.status,
		body: last.body ?? earlier.body,
		message: `${earlier.message}. Retry: ${last.message}`,
		fix: [400, 409].includes(last.status!)
			? 'Look up the Event ID and the External ID at the service. Correct the row only if it has neither.'
			: earlier.fix,
	});
	const last400 = failure('rejected', 400);

	test.each<[string, SendFailure | undefined, SendFailure, 'last' | 'merged']>([
		['nothing was open', undefined, last400, 'last'],
		['the last one leaves more open', failure('rejected', 429), failure('unknown', 500), 'last'],
		['both leave the same open', failure('unknown', 500), failure('unknown', 502), 'last'],
		['an unknown outcome stays open', failure('unknown', 500), last400, 'merged'],
		['not even sent', failure('unknown', 500), failure('notSent'), 'merged'],
		['no response, and then the content is rejected', failure('unknown'), last400, 'merged'],
		['a 503, and then the content is rejected', failure('unknown', 503), last400, 'merged'],
		['a 503, then 409', failure('unknown', 503), failure('rejected', 409), 'merged'],
		[
			'a 503, then a client that may not pay',
			failure('unknown', 503),
			failure('rejected', 403),
			'merged',
		],
		['a 503, then 429', failure('unknown', 503), failure('rejected', 429), 'merged'],
		['a 503, then not sent', failure('unknown', 503), failure('notSent'), 'merged'],
		['a 500, then a 503', failure('unknown', 500), failure('unknown', 503), 'last'],
		['rejected, then not sent', failure('rejected', 429), failure('notSent'), 'last'],
	])('%s', (_, earlier, last, expected) => {
		expect(mergeFailures(earlier, last)).toEqual(
			expected === 'last' ? last : merged(earlier!, last),
		);
	});
});
