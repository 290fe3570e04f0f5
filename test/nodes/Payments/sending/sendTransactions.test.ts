import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { idempotencyKey } from '../../../../nodes/Payments/sending/idempotencyKey';
import { sendTransactions } from '../../../../nodes/Payments/sending/sendTransactions';
import type { SendResult } from '../../../../nodes/Payments/results';
import { noteDeparture } from '../../../../nodes/shared/departure';
import { USER_AGENT } from '../../../../nodes/shared/userAgent';
import { transaction } from '../../../support/builders/transactions';

/* What a request has, and what the service's support asks for. */

interface Answer {
	statusCode: number;
	headers?: Record<string, string>;
}

const UUID = '5609c570-3b45-4bec-a326-9d50ee465156';

/** Sends transactions, one after the other, to a service that answers so, in this order. */
async function sendAll(
	answers: Answer[],
	{ eventIds = [UUID], sendIdempotencyKey = true } = {},
): Promise<{
	results: SendResult[];
	sent: Array<Record<string, unknown>>;
	startedAt: number[];
}> {
	const sent: Array<Record<string, unknown>> = [];
	const startedAt: number[] = [];
	const httpRequestWithAuthentication = async (_: string, { headers }: IHttpRequestOptions) => {
		startedAt.push(Date.now());
		sent.push({ ...headers });
		noteDeparture(headers, 'token');
		return await Promise.resolve({ headers: {}, body: '', ...answers[sent.length - 1] });
	};
	const context = {
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication },
	} as unknown as IExecuteFunctions;
	const credential = { authUrl: 'https://a.example', clientId: UUID, sendIdempotencyKey };
	const items = eventIds.map((eventId, itemIndex) => {
		return { itemIndex, transaction: { ...transaction(itemIndex), eventId } };
	});
	const results = await sendTransactions(context, credential, items, {
		url: 'https://a.example/api/v1/transactions',
		timeout: 1000,
		maxRetryTime: 90_000,
		maxConcurrentRequests: 1,
		maxRequestsPerSecond: 0,
		retryUnknownOutcome: false,
		recordedCodes: [],
	});
	return { results: items.map((_, index) => results.get(index) as SendResult), sent, startedAt };
}

async function send(answers: Answer[], { eventId = UUID, sendIdempotencyKey = true } = {}) {
	const all = await sendAll(answers, { eventIds: [eventId], sendIdempotencyKey });
	return { ...all, result: all.results[0] };
}

test('a result has the number of attempts, and when the last one started', async () => {
	const now = { statusCode: 503, headers: { 'retry-after': '0.01' } };
	const before = Date.now();
	const { result, startedAt } = await send([now, now, { statusCode: 422 }]);
	expect(result).toMatchObject({ outcome: 'unknown', attempts: 3 });
	expect(result.lastAttemptAt).toBeGreaterThanOrEqual(before + 20);
	expect(result.lastAttemptAt).toBeLessThanOrEqual(startedAt[2]);
});

test.each([
	['a UUID is the key itself', { eventId: UUID }, UUID, undefined],
	['another Event ID', { eventId: 'e-1' }, idempotencyKey('e-1'), idempotencyKey('e-1')],
	['no key', { eventId: 'e-1', sendIdempotencyKey: false }, undefined, undefined],
])('%s: the header, and what the result says of it', async (_, options, header, said) => {
	const { sent, result } = await send([{ statusCode: 202 }], options);
	expect([sent[0]['Idempotency-Key'], result.idempotencyKey]).toEqual([header, said]);
});

test('each request says who sends it', async () => {
	const { sent } = await send([{ statusCode: 202 }]);
	expect(sent[0]).toMatchObject(USER_AGENT);
});

test('a row that had no attempt has none', async () => {
	const inAnHour = { statusCode: 503, headers: { 'retry-after': '3600' } };
	const { results } = await sendAll([inAnHour], { eventIds: ['one', 'other'] });
	expect(results).toMatchObject([
		{ outcome: 'unknown', attempts: 1, idempotencyKey: idempotencyKey('one') },
		{ outcome: 'notSent', attempts: 0 },
	]);
	expect(results[1].lastAttemptAt).toBeUndefined();
	expect(results[1].idempotencyKey).toBeUndefined();
});

test.each<[string, Answer[], string | undefined]>([
	['of the last response', [{ statusCode: 422, headers: { 'x-request-id': 'r1' } }], 'r1'],
	[
		'of the refusal after a 503',
		[
			{ statusCode: 503, headers: { 'x-request-id': 'r1', 'retry-after': '0.01' } },
			{ statusCode: 422, headers: { 'x-request-id': 'r2' } },
		],
		'r2',
	],
	['missing', [{ statusCode: 422 }], undefined],
])('the ID of the request: %s', async (_, answers, id) =>
	expect((await send(answers)).result.requestId).toBe(id),
);
