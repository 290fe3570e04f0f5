import {
	created,
	duplicate,
	eventIdReused,
	failureFromResponse,
	isRecorded,
	isSuccess,
	mostUncertain,
	mergeFailures,
	notSent,
	unknownOutcome,
	type SendFailure,
} from '../../nodes/Payments/sending/outcome';
import type { ErrorBody } from '../../nodes/Payments/sending/responseBody';
import { SAMPLE } from '../support/builders/transactions';

const PAYMENT = { ...SAMPLE, eventId: 'evt-1', externalId: 'ext-1' };
const NOTHING: ErrorBody = { warnings: [] };
const WORDS: ErrorBody = {
	errorCode: 'E1',
	message: 'No.',
	warnings: [
		{ position: 'amount', issue: 'too large' },
		{ position: 'currency', issue: 'closed' },
	],
};
const QUOTED = 'E1: No. – amount: too large; currency: closed';
const DETAILS = { errorCode: 'E1', warnings: WORDS.warnings };

test('created', () => {
	expect(created(202, { id: 1 })).toEqual({
		outcome: 'created',
		message: 'Transaction created',
		status: 202,
		body: { id: 1 },
	});
});

describe('duplicate', () => {
	const fix =
		'If it is the same payment, nothing is left to do. If it is another payment, leave Event ID empty, or give it an Event ID of its own.';

	test.each<[ErrorBody, boolean, string]>([
		[NOTHING, false, 'The service has recorded this Event ID before (status 409)'],
		[WORDS, false, `The service has recorded this Event ID before (status 409: ${QUOTED})`],
		[
			NOTHING,
			true,
			'The service has this Event ID. It may have been recorded by an earlier attempt of this execution (status 409)',
		],
		[
			WORDS,
			true,
			`The service has this Event ID. It may have been recorded by an earlier attempt of this execution (status 409: ${QUOTED})`,
		],
	])('%j, own attempt %p: %s', (error, ownAttempt, message) => {
		const { errorCode, warnings } = error;
		const details = { errorCode, warnings };
		expect(duplicate(409, error, ownAttempt)).toEqual({
			outcome: 'duplicate',
			message,
			fix,
			status: 409,
			...details,
			ownAttempt,
		});
	});
});

test.each<[Partial<ErrorBody>, string]>([
	[{}, ''],
	[{ errorCode: 'E1' }, ': E1'],
	[{ message: 'No.' }, ': No.'],
	[{ errorCode: 'E1', message: 'No.' }, ': E1: No.'],
	[{ warnings: [{ position: 'a', issue: 'b' }] }, ': a: b'],
	[WORDS, `: ${QUOTED}`],
])('the words of the service, %j, become "%s"', (words, quoted) => {
	const { message } = failureFromResponse(400, { ...NOTHING, ...words }, 'rejected', PAYMENT);
	expect(message).toBe(`The service rejected the transaction (status 400)${quoted}`);
});

test('an Event ID that the execution used for another transaction', () => {
	expect(eventIdReused(409, WORDS)).toEqual({
		outcome: 'rejected',
		message: `This execution sent another transaction with the same Event ID (status 409: ${QUOTED})`,
		fix: 'Give each payment an Event ID of its own, or leave Event ID empty.',
		status: 409,
		...DETAILS,
	});
});

describe('rejected', () => {
	test.each([
		[400, 'Correct the fields that are named, then run the workflow again.'],
		[
			401,
			'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
		],
		[
			403,
			"The client is not permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard.",
		],
		[
			404,
			'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.',
		],
		[
			409,
			'The service has something else with these values. Correct what the message names, then run the workflow again.',
		],
		[422, 'Look up what the service says, correct it, then run the workflow again.'],
		[
			429,
			"The service limits the rate of requests. Lower the option 'Max Concurrent Requests', or raise 'Max Retry Time'.",
		],
		[299, 'Look up what the service says, correct it, then run the workflow again.'],
	])('status %i: %s', (status, fix) => {
		expect(failureFromResponse(status, WORDS, 'rejected', PAYMENT)).toEqual({
			outcome: 'rejected',
			message: `The service rejected the transaction (status ${status}): ${QUOTED}`,
			fix,
			status,
			...DETAILS,
		});
	});

	test.each([300, 302, 399])('status %i is a redirect', (status) => {
		expect(failureFromResponse(status, WORDS, 'rejected', PAYMENT)).toEqual({
			outcome: 'rejected',
			message: `The service redirects the request to another address (status ${status})`,
			fix: 'Enter the final address as Base URL in the credential: a payment is not sent to an address that you did not enter.',
			status,
			...DETAILS,
		});
	});
});

describe('unknown', () => {
	const fix =
		'The transaction may exist (Event ID evt-1, External ID ext-1). Running it again sends the same event, so the service can recognize it.';

	test('for a reason', () => {
		expect(unknownOutcome('the line broke', PAYMENT)).toEqual({
			outcome: 'unknown',
			message: 'It is not known whether the transaction was recorded: the line broke',
			fix,
		});
	});

	test.each([
		[500, WORDS, `status 500 (${QUOTED})`, fix],
		[500, NOTHING, 'status 500', fix],
		[
			503,
			NOTHING,
			'status 503',
			`The service is not available at the moment. Try again later, or raise the option 'Max Retry Time'. ${fix}`,
		],
	])('status %i: %j', (status, error, words, remedies) => {
		const { errorCode, warnings } = error;
		expect(failureFromResponse(status, error, 'unknown', PAYMENT)).toEqual({
			outcome: 'unknown',
			message: `It is not known whether the transaction was recorded: the service answered with ${words}`,
			fix: remedies,
			status,
			errorCode,
			warnings,
		});
	});
});

test('not sent', () => {
	const fix = 'Nothing was sent, so running the workflow again is safe.';
	expect(notSent('No token')).toEqual({ outcome: 'notSent', message: 'No token', fix });
	expect(notSent('No token', 'Wait.')).toMatchObject({ fix: 'Wait.' });
});

test.each([
	['created', created(202, {}), true, true, true],
	['a duplicate', duplicate(409, NOTHING, false), true, true, false],
	['a duplicate of its own', duplicate(409, NOTHING, true), true, true, true],
	['rejected', failureFromResponse(400, NOTHING, 'rejected', PAYMENT), false, false, false],
	['unknown', unknownOutcome('', PAYMENT), false, false, false],
	['not sent', notSent(''), false, false, false],
])('%s: recorded %p, a success %p, with duplicates stopped %p', (_, result, ...expected) => {
	expect([isRecorded(result), isSuccess(result, 'continue'), isSuccess(result, 'stop')]).toEqual(
		expected,
	);
});

const failure = (outcome: SendFailure['outcome'], status?: number): SendFailure => ({
	outcome,
	status,
	message: `${outcome} ${status}`,
	fix: `fix of ${outcome} ${status}`,
});

describe('of two failed attempts', () => {
	const byOpenness = [
		failure('notSent'),
		failure('rejected', 400),
		failure('unknown', 503),
		failure('unknown', 500),
	];

	test.each(
		byOpenness.flatMap((earlier, i) => byOpenness.map((later, j) => ({ earlier, later, i, j }))),
	)(
		'$earlier.message, then $later.message: the one that leaves more open counts, or the later one',
		({ earlier, later, i, j }) => {
			expect(mostUncertain(earlier, { ...later })).toEqual(i > j ? earlier : later);
		},
	);

	test('the later one counts when both leave the same open', () => {
		const [earlier, later] = [failure('rejected', 400), failure('rejected', 401)];
		expect(mostUncertain(earlier, later)).toBe(later);
		expect(mostUncertain(undefined, later)).toBe(later);
	});
});

describe('what is known after the last attempt', () => {
	const merged = (earlier: SendFailure, last: SendFailure) => ({
		...last,
		outcome: earlier.outcome,
		message: `${earlier.message}. Retry: ${last.message}`,
		fix: earlier.fix,
	});
	const last400 = failure('rejected', 400);

	test.each<[string, SendFailure | undefined, SendFailure, 'last' | 'merged']>([
		['nothing was open', undefined, last400, 'last'],
		['the last one leaves more open', failure('rejected', 429), failure('unknown', 500), 'last'],
		['both leave the same open', failure('unknown', 500), failure('unknown', 502), 'last'],
		['an unknown outcome stays open', failure('unknown', 500), last400, 'merged'],
		['not even sent', failure('unknown', 500), failure('notSent'), 'merged'],
		[
			'a 503 did nothing, and then the content is rejected',
			failure('unknown', 503),
			last400,
			'last',
		],
		['a 503, then 409', failure('unknown', 503), failure('rejected', 409), 'merged'],
		['a 503, then 429', failure('unknown', 503), failure('rejected', 429), 'merged'],
		['a 503, then not sent', failure('unknown', 503), failure('notSent'), 'merged'],
		['a 500, then a 503', failure('unknown', 500), failure('unknown', 503), 'merged'],
		['rejected, then not sent', failure('rejected', 429), failure('notSent'), 'merged'],
	])('%s', (_, earlier, last, expected) => {
		expect(mergeFailures(earlier, last)).toEqual(
			expected === 'last' ? last : merged(earlier!, last),
		);
	});
});
