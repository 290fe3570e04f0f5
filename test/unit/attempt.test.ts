import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { attemptToSend } from '../../nodes/Payments/sending/attempt';
import { request, type SharedCredential } from '../../nodes/Payments/sending/request';
import { readV1Error } from '../../nodes/Payments/sending/n8nV1';
import { enterStage, type RequestStage } from '../../nodes/shared/requestStage';
import { TokenRequestError } from '../../nodes/shared/token/tokenRequest';
import { SAMPLE } from '../support/builders/transactions';

/*
 * How what n8n's HTTP helper returns and throws is read, word by word. test/integration tests the same with n8n's own helper.
 */

const URL_ = 'https://api.example.com/api/v1/transactions';
const PAYMENT = { ...SAMPLE, eventId: 'evt-1', externalId: 'ext-1' };
const OPTIONS = { url: URL_, timeout: 5000, retryUnknownOutcome: false };

interface Call {
	credential: string;
	options: IHttpRequestOptions;
	data: SharedCredential;
}
type Helper = (call: Call) => unknown;

/** What the node asks of n8n; `helper` is in the place of its HTTP helper. */
function contextWith(helper: Helper) {
	const calls: Call[] = [];
	const context = {
		helpers: {
			async httpRequestWithAuthentication(
				this: unknown,
				credential: string,
				options: IHttpRequestOptions,
				{ credentialsDecrypted }: { credentialsDecrypted: { data: SharedCredential } },
			) {
				expect(this).toBe(context);
				const call = { credential, options, data: credentialsDecrypted.data };
				calls.push(call);
				return await Promise.resolve(helper(call));
			},
		},
	};
	return { context: context as unknown as IExecuteFunctions, calls };
}

const attempt = async (helper: Helper, options = {}) =>
	await attemptToSend(contextWith(helper).context, {}, PAYMENT, { ...OPTIONS, ...options });

const answer = (statusCode: number, body: unknown = {}, headers = {}) => ({
	statusCode,
	headers,
	body,
});

const throwAt =
	(stage: RequestStage | undefined, error: Error): Helper =>
	({ data }) => {
		if (stage) enterStage(data, stage);
		throw error;
	};

const UNKNOWN_REMEDY =
	'The transaction may exist (Event ID evt-1, External ID ext-1). Running it again sends the same event, so the service can recognize it.';

test('the request is a POST of the transaction as JSON, and follows no redirect', async () => {
	const { context, calls } = contextWith(() => answer(202));
	await attemptToSend(context, { accessToken: 'T' }, PAYMENT, OPTIONS);
	expect(calls).toEqual([
		{
			credential: 'paymentsApi',
			options: {
				method: 'POST',
				url: URL_,
				timeout: 5000,
				json: true,
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify(PAYMENT),
				returnFullResponse: true,
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: { ignore: true, except: [401] },
			},
			data: { accessToken: 'T' },
		},
	]);
});

describe('a response', () => {
	test.each([200, 202, 299])('with status %i is a success', async (status) => {
		expect(await attempt(() => answer(status, { id: 't1' }))).toEqual({
			kind: 'created',
			result: { outcome: 'created', message: 'Transaction created', status, body: { id: 't1' } },
		});
	});

	test.each([199, 300])('with status %i is none', async (status) => {
		expect(await attempt(() => answer(status))).toMatchObject({ kind: 'failed' });
	});

	test('that is a web page is not from the service', async () => {
		expect(await attempt(() => answer(200, 'x', { 'content-type': 'text/html' }))).toEqual({
			kind: 'failed',
			outcome: 'unknown',
			retryable: false,
			mayBeRecorded: true,
			result: {
				outcome: 'unknown',
				message: `It is not known whether the transaction was recorded: ${URL_} answered with a web page, which the service does not do`,
				fix: `Check the Base URL in the credential. ${UNKNOWN_REMEDY}`,
				status: 200,
			},
		});
	});

	test('409 about the event is a conflict', async () => {
		expect(await attempt(() => answer(409, { message: 'exists' }))).toEqual({
			kind: 'conflict',
			status: 409,
			error: { message: 'exists', warnings: [] },
		});
	});

	test.each([
		[409, { errorCode: 'EXTERNAL_ID' }, 'rejected', false, false],
		[400, {}, 'rejected', false, false],
		[429, {}, 'rejected', true, true],
		[500, {}, 'unknown', false, true],
	])('%i with %j is %s', async (status, body, outcome, retryable, mayBeRecorded) => {
		expect(await attempt(() => answer(status, body, { 'retry-after': '3' }))).toMatchObject({
			kind: 'failed',
			outcome,
			retryable,
			mayBeRecorded,
			retryAfter: '3',
			result: { outcome, status },
		});
	});

	test('500 is retried when the user says so', async () => {
		const options = { retryUnknownOutcome: true };
		expect(await attempt(() => answer(500), options)).toMatchObject({ retryable: true });
	});
});

describe('no response', () => {
	const notSent = (temporary: boolean) => ({
		kind: 'failed',
		outcome: 'notSent',
		retryable: temporary,
		mayBeRecorded: false,
	});
	const CHECK_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

	test('because n8n could not store the token', async () => {
		expect(await attempt(throwAt('tokenStorage', new Error('secret')))).toEqual({
			...notSent(true),
			result: {
				outcome: 'notSent',
				message:
					"The transaction was not sent, because n8n's database could not store the access token",
				fix:
					"Check n8n's database (connection, disk space), then run the workflow again. Nothing was sent.",
			},
		});
	});

	test.each([
		['Wait.', true, `Wait. ${CHECK_CREDENTIAL}`],
		['', false, CHECK_CREDENTIAL],
	])('because there is no token (fix "%s", temporary %p)', async (given, temporary, fix) => {
		const error = new TokenRequestError({ problem: 'No token', fix: given, temporary });
		expect(await attempt(throwAt('tokenRequest', error))).toEqual({
			...notSent(temporary),
			result: { outcome: 'notSent', message: 'No token', fix },
		});
	});

	test.each([
		['authentication', {}, true],
		['authentication', { code: 'ECONNRESET' }, true],
		['request', {}, false],
		[undefined, { code: 'ECONNRESET' }, false],
	] as const)('because of the stage %s, error %j', async (stage, members, thisTransactionOnly) => {
		const error = Object.assign(new Error('The domain is not allowed.'), members);
		expect(await attempt(throwAt(stage, error))).toEqual({
			...notSent(false),
			result: {
				outcome: 'notSent',
				message: 'The domain is not allowed.',
				fix: CHECK_CREDENTIAL,
			},
			thisTransactionOnly,
		});
	});

	test('because no connection was made', async () => {
		const error = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
		expect(await attempt(throwAt('request', error))).toEqual({
			...notSent(true),
			result: {
				outcome: 'notSent',
				message:
					'The transaction was not sent, because nothing answers at api.example.com, so the service may be down or the port wrong',
				fix: 'Nothing was sent, so running the workflow again is safe.',
			},
		});
	});

	test.each([
		[{ isAxiosError: true }, false],
		[{ code: 'ECONNRESET' }, true],
	])('because the connection broke: %j', async (members, retryUnknownOutcome) => {
		const error = Object.assign(new Error('x'), members);
		const result = await attempt(throwAt('request', error), { retryUnknownOutcome });
		expect(result).toEqual({
			kind: 'failed',
			outcome: 'unknown',
			retryable: retryUnknownOutcome,
			mayBeRecorded: true,
			result: {
				outcome: 'unknown',
				message: expect.stringMatching(
					/^It is not known whether the transaction was recorded: .*api\.example\.com/,
				) as string,
				fix: UNKNOWN_REMEDY,
			},
		});
	});
});

describe('what n8n throws', () => {
	const responseOf = async (error: Error) =>
		(await request(contextWith(throwAt('request', error)).context, {}, { url: URL_, body: {} }))
			.response;

	test('has the response on its cause', async () => {
		const response = { status: 401, headers: { a: 'b' }, data: { message: 'No.' } };
		const cause = Object.assign(new Error('x'), { response });
		const read = { status: 401, headers: { a: 'b' }, body: { message: 'No.' } };
		expect(await responseOf(Object.assign(new Error('wrapped'), { cause }))).toEqual(read);
		expect(await responseOf(cause)).toEqual(read);
		expect(await responseOf(Object.assign(cause, { cause: 'a text' }))).toEqual(read);
	});

	test('in n8n 1 has the status in place of a cause', async () => {
		const error = Object.assign(new Error('x'), { httpCode: '401', context: { data: 'No.' } });
		expect(await responseOf(error)).toEqual({ status: 401, headers: {}, body: 'No.' });
		expect(readV1Error(Object.assign(new Error('x'), { httpCode: '500' }))).toEqual({
			response: { status: 500, headers: {}, body: undefined },
		});
	});

	test.each([
		['connect ECONNREFUSED 127.0.0.1:443', 'connect'],
		['getaddrinfo ENOTFOUND x', 'getaddrinfo'],
		['bind EADDRINUSE', 'bind'],
		['read ECONNRESET', 'read'],
		['write EPIPE', 'write'],
		['shutdown ENOTCONN', 'shutdown'],
		['xconnect ECONNREFUSED', undefined],
		['connect ECONNREFUSEDx', undefined],
		['connect Economy', undefined],
		['reconnects', undefined],
	])('in n8n 1, "%s" is the system call %s', (message, syscall) => {
		const error = Object.assign(new Error(message), { httpCode: 'ECODE' });
		expect(readV1Error(error)).toEqual({ error });
		expect(error).toMatchObject({ code: 'ECODE', syscall });
		const wrapped = Object.assign(new Error('x'), { httpCode: 'ECODE', messages: ['y', message] });
		readV1Error(wrapped);
		expect(wrapped).toMatchObject({ code: 'ECODE', syscall });
	});

	test.each([
		[{}],
		[{ httpCode: null }],
		[{ httpCode: '' }],
		[{ httpCode: '401', cause: new Error('x') }],
	])('is not from n8n 1: %p', (members) => {
		expect(readV1Error(Object.assign(new Error('x'), members))).toBeUndefined();
	});
});

describe('tokens', () => {
	test('n8n gets a copy of the credential of this type, and nothing else of it', async () => {
		const shared: SharedCredential = { accessToken: 'T' };
		const helper = jest.fn(
			async (...args: unknown[]) => await Promise.resolve(args && answer(202)),
		);
		const context = { helpers: { httpRequestWithAuthentication: helper } };
		await request(context as unknown as IExecuteFunctions, shared, { url: URL_, body: {} });
		const [[credential, , additional]] = helper.mock.calls;
		expect(credential).toBe('paymentsApi');
		expect(additional).toEqual({
			credentialsDecrypted: { id: '', name: '', type: 'paymentsApi', data: { accessToken: 'T' } },
		});
		const { data } = (additional as { credentialsDecrypted: { data: unknown } })
			.credentialsDecrypted;
		expect(data).not.toBe(shared);
	});

	test('a request that has sent the newest token itself is not retried after a 401', async () => {
		const shared: SharedCredential = { accessToken: 'old' };
		const { context, calls } = contextWith(({ data }) => {
			// Both requests share one token request, and the other one came back first.
			shared.accessToken = 'new';
			data.accessToken = 'new';
			throw Object.assign(new Error('x'), { response: { status: 401, headers: {}, data: {} } });
		});
		expect(await attemptToSend(context, shared, PAYMENT, OPTIONS)).toMatchObject({
			kind: 'failed',
			outcome: 'rejected',
		});
		expect(calls).toHaveLength(1);
	});

	test('a response 401 that n8n 1 returns is asked for again, so that n8n fetches a token', async () => {
		const { context, calls } = contextWith(({ options }) =>
			options.ignoreHttpStatusErrors === false ? answer(202) : answer(401),
		);
		const { response } = await request(context, {}, { url: URL_, body: {} });
		expect(response?.status).toBe(202);
		expect(calls.map(({ options }) => options.ignoreHttpStatusErrors)).toEqual([
			{ ignore: true, except: [401] },
			false,
		]);
	});

	test('a new token is shared with the other requests', async () => {
		const shared: SharedCredential = { accessToken: 'old', clientId: 'c' };
		const { context } = contextWith(({ data }) => {
			data.accessToken = 'new';
			enterStage(data, 'request');
			return answer(202);
		});
		const result = await request(context, shared, { url: URL_, body: {} });
		expect(result).toEqual({
			response: { status: 202, headers: {}, body: {} },
			outdatedToken: false,
			stage: 'request',
		});
		expect(shared).toEqual({ accessToken: 'new', clientId: 'c' });
	});

	test('a request whose token was replaced meanwhile is retried after a 401', async () => {
		const shared: SharedCredential = { accessToken: 'old' };
		const { context, calls } = contextWith(({ data }) => {
			if (data.accessToken === 'newer') return answer(202);
			shared.accessToken = 'newer';
			throw Object.assign(new Error('x'), { response: { status: 401, headers: {}, data: {} } });
		});
		const result = await attemptToSend(context, shared, PAYMENT, OPTIONS);
		expect(result.kind).toBe('created');
		expect(calls.map(({ data }) => data.accessToken)).toEqual(['old', 'newer']);
		expect(shared.accessToken).toBe('newer');
	});

	test.each([
		['another status', 400, 'newer', 1],
		['the same token', 401, 'old', 1],
	])('not with %s', async (_, status, token, requests) => {
		const shared: SharedCredential = { accessToken: 'old' };
		const { context, calls } = contextWith(() => {
			shared.accessToken = token;
			throw Object.assign(new Error('x'), { response: { status, headers: {}, data: {} } });
		});
		await attemptToSend(context, shared, PAYMENT, OPTIONS);
		expect(calls).toHaveLength(requests);
	});
});
