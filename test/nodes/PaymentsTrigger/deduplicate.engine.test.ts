import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import { WITHOUT_RECORD, responses } from '../../../nodes/PaymentsTrigger/responses';
import { SECRET, signed } from '../../support/signed';
import { waitUntil } from '../../../host/waitUntil';
import { startReceiver, type Receiver, type Setup } from '../../support/engine/triggerServer';

const receivers: Receiver[] = [];
let workflows = 0;
const listen = async (setup: Setup = {}) => {
	const receiver = await startReceiver({ workflowId: `repeated${++workflows}`, ...setup });
	receivers.push(receiver);
	return receiver;
};
afterEach(async () => {
	const ended = receivers.splice(0).reverse();
	for (const receiver of ended) await receiver.stop();
	expect(ended.flatMap(({ thrown }) => thrown)).toEqual([]);
});

const eventOf = (id?: string, kind = 'PAYMENT.CREATED') => ({ ...(id && { id }), event: kind });
const deliver = async ({ url }: Receiver, json: unknown = eventOf('evt_1')) => {
	const body = JSON.stringify(json);
	const response = await fetch(url, { method: 'POST', body, headers: signed(body) });
	const text = await response.text();
	return {
		status: response.status,
		message: text && (JSON.parse(text) as { message: string } | null)?.message,
		retryAfter: response.headers.get('retry-after'),
	};
};
test('an event whose run failed is taken again, as often as it takes', async () => {
	const receiver = await listen();
	let failures = 3;
	receiver.answerRun = (response) => void response.writeHead(failures-- > 0 ? 500 : 200).end();
	const statuses = [];
	for (let i = 0; i < 5; i++) statuses.push((await deliver(receiver)).status);
	expect(statuses).toEqual([500, 500, 500, 200, 200]);
	expect(receiver.runs).toHaveLength(4);
});

test('an execution of which n8n has no record is no success, whatever n8n says: its event is taken again', async () => {
	const receiver = await listen();
	// None when the run succeeded.
	const words = [...WITHOUT_RECORD.map((message) => ({ message })), undefined];
	receiver.answerRun = (response) => response.json(words.shift());
	for (let i = 0; i < WITHOUT_RECORD.length; i++)
		expect(await deliver(receiver)).toMatchObject({
			status: 500,
			message: responses.unrecorded.message,
		});
	expect(await deliver(receiver)).toMatchObject({ status: 200, message: '' });
	expect(await deliver(receiver)).toMatchObject({
		status: 200,
		message: responses.duplicate.message,
	});
	expect(receiver.runs).toHaveLength(3);
});

test('a second delivery that comes while the first is being processed is asked to come back later', async () => {
	const receiver = await listen();
	let finish = () => {};
	receiver.answerRun = async (response) => {
		await new Promise<void>((resolve) => (finish = resolve));
		response.writeHead(200).end();
	};
	const first = deliver(receiver);
	await waitUntil('the first has run', () => receiver.runs.length > 0, { intervalMs: 1 });
	expect(await deliver(receiver)).toEqual({
		status: 503,
		message: responses.inFlight.message,
		retryAfter: '30',
	});
	finish();
	expect((await first).status).toBe(200);
	expect(await deliver(receiver)).toMatchObject({
		status: 200,
		message: responses.duplicate.message,
	});
	expect(receiver.runs).toHaveLength(1);
});

describe('a sender that hangs up', () => {
	/** Delivers evt_1, hangs up, and returns what makes n8n respond to it. */
	async function hangUp(receiver: Receiver, status: number, untilThen: () => Promise<unknown>) {
		let answer = () => {};
		let isGone = false;
		receiver.answerRun = async (response) => {
			response.on('close', () => (isGone = true));
			await new Promise<void>((resolve) => (answer = resolve));
			response.statusCode = status;
			response.json(undefined);
		};
		const body = JSON.stringify(eventOf('evt_1'));
		const sent = request(receiver.url, { method: 'POST', headers: signed(body) });
		sent.on('error', () => undefined).end(body);
		await untilThen();
		sent.destroy();
		await waitUntil('the first runs', () => receiver.runs.length > 0, { intervalMs: 1 });
		await waitUntil('it is noticed', () => isGone, { intervalMs: 1 });
		receiver.answerRun = (response) => void response.writeHead(200).end();
		return () => answer();
	}

	test.each([
		[200, 'is a duplicate', responses.duplicate.message, 1],
		[500, 'runs again', '', 2],
	])(
		'its event is being processed until n8n responds; after %d, it %s',
		async (status, _, message, runs) => {
			const receiver = await listen();
			const isRunning = async () =>
				await waitUntil('it runs', () => receiver.runs.length > 0, { intervalMs: 1 });
			const answer = await hangUp(receiver, status, isRunning);
			for (let i = 0; i < 3; i++) expect((await deliver(receiver)).status).toBe(503);
			expect(receiver.runs).toHaveLength(1);
			answer();
			await wait(0);
			expect(await deliver(receiver)).toMatchObject({ status: 200, message });
			expect(receiver.runs).toHaveLength(runs);
		},
	);
});

test('what starts no execution is logged as information, with its event types as they are written', async () => {
	const receiver = await listen();
	await deliver(receiver, [eventOf('a', 'payment.paid'), eventOf('b', 'PAYEE.\nCREATED')]);
	expect(receiver.infos.at(-1)).toMatch(/with 200: .*"payment\.paid", "PAYEE\.\\nCREATED"/);
	await deliver(receiver, eventOf('c'));
	const before = receiver.infos.length;
	await deliver(receiver, eventOf('c'));
	expect(receiver.infos.slice(before)).toEqual([
		expect.stringMatching(/with 200: .*already acknowledged/),
	]);
	expect([receiver.runs.length, receiver.warnings]).toEqual([1, []]);
});

describe('the same bytes, delivered again', () => {
	const BODY = JSON.stringify(eventOf());
	const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const SCHEMES: Record<string, { secret: string; sign: (at: number) => Record<string, string> }> =
		{
			messageSignature: {
				secret: SECRET,
				sign: (at) => signed(BODY, { created: Math.floor(at / 1000) }),
			},
			standardWebhooks: {
				secret: WEBHOOK_SECRET,
				sign: (at) => ({
					'webhook-id': 'msg_1',
					'webhook-timestamp': String(Math.floor(at / 1000)),
					'webhook-signature': new Webhook(WEBHOOK_SECRET).sign('msg_1', new Date(at), BODY),
				}),
			},
			hmacSha256: {
				secret: SECRET,
				sign: () => ({
					'x-signature': createHmac('sha256', SECRET).update(BODY).digest('hex'),
				}),
			},
		};

	let now: number;
	beforeEach(() => {
		now = Date.UTC(2026, 0, 1);
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	afterEach(() => jest.restoreAllMocks());

	async function start(scheme: string, options: INodeParameters) {
		const { secret, sign } = SCHEMES[scheme];
		const receiver = await listen({
			credential: { scheme, secret, headerName: 'X-Signature' },
			parameters: { options },
		});
		const begin = now;
		return {
			/** Delivers BODY `minutes` after the beginning, as it was signed `signedMinutes` after it. */
			deliverAt: async (minutes: number, signedMinutes: number) => {
				now = begin + minutes * 60_000;
				const headers = sign(begin + signedMinutes * 60_000);
				return (await fetch(receiver.url, { method: 'POST', body: BODY, headers })).status;
			},
			executions: () => receiver.runs.length,
		};
	}

	test.each<[string, INodeParameters, number, number[], number]>([
		// Scheme, options, minutes that the service's clock is ahead, minutes of the deliveries, and
		// the minute from which on the signature is too old.
		['messageSignature', {}, 0, [10, 31, 119, 120], 121],
		['messageSignature', {}, 4, [119, 121, 124], 125],
		['messageSignature', {}, 5, [120.5, 125], 126],
		['messageSignature', { timestampTolerance: 0.1, deduplicate: 0.1 }, 5, [5.05, 5.1], 5.2],
		['messageSignature', { timestampTolerance: 600 }, 5, [125, 600, 605], 606],
		['standardWebhooks', { timestampTolerance: 5, deduplicate: 5 }, 4, [4.9, 5 + 2 / 60, 9], 9.1],
		['standardWebhooks', { timestampTolerance: 5, deduplicate: 7 }, 5, [7.1, 10], 10.1],
		['standardWebhooks', { timestampTolerance: 10_080 }, 5, [10_080, 10_085], 10_086],
	])(
		'%s, options %j, signed %d minutes ahead: is a duplicate for as long as the signature is accepted',
		async (scheme, options, aheadMinutes, minutes, tooOld) => {
			const { deliverAt, executions } = await start(scheme, options);
			for (const minute of [0, ...minutes])
				expect([minute, await deliverAt(minute, aheadMinutes)]).toEqual([minute, 200]);
			expect([await deliverAt(tooOld, aheadMinutes), executions()]).toEqual([401, 1]);
		},
	);

	test.each(['messageSignature', 'standardWebhooks'])(
		'%s, and signed anew: is a duplicate for as long as the last signature is accepted',
		async (scheme) => {
			const { deliverAt, executions } = await start(scheme, { timestampTolerance: 120 });
			expect(await deliverAt(0, 0)).toBe(200);
			// The service retries, because the first response got lost.
			for (const minute of [100, 126, 220]) expect(await deliverAt(minute, 100)).toBe(200);
			expect([await deliverAt(221, 100), executions()]).toEqual([401, 1]);
		},
	);

	test('hmacSha256, which has no time: runs again after the window, and 5 minutes', async () => {
		const { deliverAt, executions } = await start('hmacSha256', {
			timestampTolerance: 5,
			deduplicate: 10,
		});
		const executionsAt = async (minute: number) => {
			expect(await deliverAt(minute, 0)).toBe(200);
			return executions();
		};
		expect(await executionsAt(0)).toBe(1);
		expect(await executionsAt(15)).toBe(1);
		expect(await executionsAt(30)).toBe(1);
		expect(await executionsAt(45.1)).toBe(2);
	});

	test('with the option off, it runs for as long as the signature is accepted', async () => {
		const { deliverAt, executions } = await start('messageSignature', { deduplicate: 0 });
		for (const minute of [0, 1, 60, 125]) expect(await deliverAt(minute, 5)).toBe(200);
		expect([await deliverAt(126, 5), executions()]).toEqual([401, 4]);
	});
});

test('with the option off, and while the workflow is tried out in the editor, every delivery runs', async () => {
	for (const setup of [
		{ parameters: { options: { deduplicate: 0 } } },
		{ mode: 'manual' as const },
	]) {
		const receiver = await listen(setup);
		for (let i = 0; i < 3; i++) await deliver(receiver);
		expect(receiver.runs).toHaveLength(3);
	}
});

test('Standard Webhooks: the signed ID of the delivery counts', async () => {
	const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const receiver = await listen({ credential: { scheme: 'standardWebhooks', secret } });
	const body = JSON.stringify(eventOf('pay_1'));
	for (const id of ['msg_1', 'msg_1', 'msg_2']) {
		const headers = {
			'webhook-id': id,
			'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
			'webhook-signature': new Webhook(secret).sign(id, new Date(), body),
		};
		expect((await fetch(receiver.url, { method: 'POST', body, headers })).status).toBe(200);
	}
	expect(receiver.runs).toHaveLength(2);
});

test('500 events, each delivered one to three times, shuffled, 20 at a time, every third run failing: each succeeds exactly once', async () => {
	const receiver = await listen();
	const succeeded = new Map<string, number>();
	let answered = 0;
	receiver.answerRun = async (response) => {
		const [[{ json }]] = receiver.runs.at(-1)!;
		await wait(Math.random() * 5);
		const fails = answered++ % 3 === 0;
		const id = json.id as string;
		if (!fails) succeeded.set(id, (succeeded.get(id) ?? 0) + 1);
		response.writeHead(fails ? 500 : 200).end();
	};
	const queue = Array.from({ length: 500 }, (_, i) =>
		Array.from({ length: 1 + (i % 3) }, () => `evt_${i}`),
	).flat();
	for (let i = queue.length - 1; i > 0; i--) {
		const j = Math.floor(Math.random() * (i + 1));
		[queue[i], queue[j]] = [queue[j], queue[i]];
	}
	const sender = async () => {
		// The service repeats until 2xx.
		for (let id = queue.pop(); id; id = queue.pop())
			if ((await deliver(receiver, eventOf(id))).status !== 200) queue.unshift(id);
	};
	await Promise.all(Array.from({ length: 20 }, sender));
	expect(succeeded.size).toBe(500);
	expect(new Set(succeeded.values())).toEqual(new Set([1]));
});
