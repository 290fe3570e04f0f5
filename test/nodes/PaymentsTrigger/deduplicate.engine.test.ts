import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import { WITHOUT_RECORD, responses } from '../../../nodes/PaymentsTrigger/responses';
import { signed } from '../../support/signed';
import { waitUntil } from '../../../host/waitUntil';
import { startReceiver, type Receiver, type Setup } from '../../support/engine/triggerServer';

/* Which deliveries run, and which are duplicates. For how long, deduplicate.test.ts decides. */

const receivers: Receiver[] = [];
let workflows = 0;
const listen = async (setup: Setup = {}) => {
	const receiver = await startReceiver({ workflowId: `repeated${++workflows}`, ...setup });
	receivers.push(receiver);
	return receiver;
};
afterEach(async () => {
	jest.restoreAllMocks();
	const ended = receivers.splice(0).reverse();
	for (const receiver of ended) await receiver.stop();
	expect(ended.flatMap(({ thrown }) => thrown)).toEqual([]);
});

const eventOf = (id?: string, event = 'PAYMENT.CREATED') => ({ ...(id && { id }), event });
const deliver = async (
	{ url }: Receiver,
	json: unknown = eventOf('evt_1'),
	headersFor: (body: string) => Record<string, string> = signed,
) => {
	const body = JSON.stringify(json);
	const response = await fetch(url, { method: 'POST', body, headers: headersFor(body) });
	const text = await response.text();
	return {
		status: response.status,
		message: text && (JSON.parse(text) as { message: string } | null)?.message,
		retryAfter: response.headers.get('retry-after'),
	};
};
const DUPLICATE = { status: 200, message: responses.duplicate.message };
const STANDARD = {
	scheme: 'standardWebhooks',
	secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
const standardHeaders = (body: string, id: string, at = Date.now()) => ({
	'webhook-id': id,
	'webhook-timestamp': String(Math.floor(at / 1000)),
	'webhook-signature': new Webhook(STANDARD.secret).sign(id, new Date(at), body),
});

test('an event whose execution failed runs again, as often as it takes', async () => {
	const receiver = await listen();
	let failures = 3;
	receiver.answerRun = (response) => void response.writeHead(failures-- > 0 ? 500 : 200).end();
	const statuses = [];
	for (let i = 0; i < 5; i++) statuses.push((await deliver(receiver)).status);
	expect(statuses).toEqual([500, 500, 500, 200, 200]);
	expect(receiver.runs).toHaveLength(4);
});

test('an execution of which n8n has no record is no success, whatever n8n says: its event runs again', async () => {
	const receiver = await listen();
	// None when the execution succeeded.
	const words = [...WITHOUT_RECORD.map((message) => ({ message })), undefined];
	receiver.answerRun = (response) => response.json(words.shift());
	const unrecorded = { status: 500, message: responses.unrecorded.message };
	for (let i = 0; i < WITHOUT_RECORD.length; i++)
		expect(await deliver(receiver)).toMatchObject(unrecorded);
	expect(await deliver(receiver)).toMatchObject({ status: 200, message: '' });
	expect(await deliver(receiver)).toMatchObject(DUPLICATE);
	expect(receiver.runs).toHaveLength(3);
});

test.each<[string, boolean, number, object, number]>([
	['waits', false, 200, DUPLICATE, 1],
	['hangs up', true, 200, DUPLICATE, 1],
	['hangs up', true, 500, { status: 200, message: '' }, 2],
])(
	'while an event is processed, it comes back later, also if its sender %s; n8n responds with %3$d',
	async (_, hangsUp, status, then, runs) => {
		const receiver = await listen();
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
		await waitUntil('it runs', () => receiver.runs.length > 0, { intervalMs: 1 });
		if (hangsUp) {
			sent.destroy();
			await waitUntil('it is noticed', () => isGone, { intervalMs: 1 });
		}
		receiver.answerRun = (response) => void response.writeHead(200).end();
		const { message } = responses.inFlight;
		for (let i = 0; i < 2; i++)
			expect(await deliver(receiver)).toEqual({ status: 503, message, retryAfter: '30' });
		expect(receiver.runs).toHaveLength(1);
		answer();
		await wait(0);
		expect(await deliver(receiver)).toMatchObject(then);
		expect(receiver.runs).toHaveLength(runs);
	},
);

test('what starts no execution is logged as information, with its event types as they are written', async () => {
	const receiver = await listen();
	await deliver(receiver, [eventOf('a', 'payment.paid'), eventOf('b', 'PAYEE.\nCREATED')]);
	expect(receiver.infos.at(-1)).toMatch(/with 200 .*: .*"payment\.paid", "PAYEE\.\\nCREATED"/);
	await deliver(receiver, eventOf('c'));
	const before = receiver.infos.length;
	await deliver(receiver, eventOf('c'));
	expect(receiver.infos.slice(before)).toEqual([
		expect.stringMatching(/with 200 .*: .*already acknowledged/),
	]);
	expect([receiver.runs.length, receiver.warnings]).toEqual([1, []]);
});

test.each<[string, INodeParameters, number[], number]>([
	['messageSignature', {}, [10, 120.5, 125], 126],
	['messageSignature', { timestampTolerance: 600 }, [125, 600, 605], 606],
	['standardWebhooks', { timestampTolerance: 5 }, [7.1, 10], 10.1],
])(
	'%s, options %j, signed 5 minutes ahead: the same bytes are a duplicate while their signature is accepted',
	async (scheme, options, minutes, tooOld) => {
		const begin = Date.UTC(2026, 0, 1);
		const signedAt = begin + 5 * 60_000;
		const isStandard = scheme === 'standardWebhooks';
		const receiver = await listen({
			parameters: { options },
			...(isStandard && { credential: STANDARD }),
		});
		const statusAt = async (minute: number) => {
			jest.spyOn(Date, 'now').mockReturnValue(begin + minute * 60_000);
			const headersFor = (body: string) =>
				isStandard
					? standardHeaders(body, 'msg_1', signedAt)
					: signed(body, { created: signedAt / 1000 });
			return (await deliver(receiver, eventOf(), headersFor)).status;
		};
		for (const minute of [0, ...minutes])
			expect([minute, await statusAt(minute)]).toEqual([minute, 200]);
		expect([await statusAt(tooOld), receiver.runs.length]).toEqual([401, 1]);
	},
);

test.each<[string, Setup]>([
	['with the option off', { parameters: { options: { deduplicate: 0 } } }],
	['while the workflow is tried out in the editor', { mode: 'manual' }],
])('%s, every delivery runs', async (_, setup) => {
	const receiver = await listen(setup);
	for (let i = 0; i < 3; i++) await deliver(receiver);
	expect(receiver.runs).toHaveLength(3);
});

test.each<[string, Setup[]]>([
	['workflow', [{}, {}]],
	['trigger of a workflow', ['a', 'b'].map((nodeId) => ({ workflowId: 'both', nodeId }))],
])('each %s has deliveries of its own', async (_, setups) => {
	for (const setup of setups) {
		const receiver = await listen(setup);
		await deliver(receiver);
		expect(receiver.runs).toHaveLength(1);
	}
});

describe('Standard Webhooks: a duplicate has the same signed ID and the same bytes', () => {
	const statusOf = (status: string) => ({ ...eventOf(), data: { id: 'pay_1', status } });
	const STATUSES = ['CREATED', 'PROCESSING', 'COMPLETED', 'RETURNED'].map(statusOf);

	test.each<[string, Array<[string, object]>, number]>([
		['one ID for all statuses of a payment', STATUSES.map((one) => ['pay_1', one]), 4],
		['an ID for each event', STATUSES.map((one, index) => [`msg_${index}`, one]), 4],
		['the same bytes for two events', ['msg_1', 'msg_2'].map((id) => [id, STATUSES[0]]), 2],
		[
			'attempts that are numbered in the body, which are one event each',
			[1, 2].map((attempt) => ['msg_1', { ...STATUSES[0], attempt }]),
			2,
		],
	])('%s', async (_, deliveries, runs) => {
		const receiver = await listen({ credential: STANDARD });
		// Each attempt is signed anew.
		for (let attempt = 0; attempt < 3; attempt++)
			for (const [id, event] of deliveries) {
				const at = Date.now() + attempt * 1000;
				const made = await deliver(receiver, event, (body) => standardHeaders(body, id, at));
				expect(made).toMatchObject(attempt === 0 ? { status: 200, message: '' } : DUPLICATE);
			}
		expect(receiver.runs).toHaveLength(runs);
	});
});

test('200 events, each delivered one to three times, shuffled, 20 at a time, every third execution failing: each succeeds exactly once', async () => {
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
	const deliveries = Array.from({ length: 200 }, (_, index) =>
		Array.from({ length: 1 + (index % 3) }, () => ({ id: `evt_${index}`, at: Math.random() })),
	).flat();
	const queue = deliveries.sort((one, other) => one.at - other.at).map(({ id }) => id);
	const sender = async () => {
		// The service repeats until 2xx.
		for (let id = queue.pop(); id; id = queue.pop())
			if ((await deliver(receiver, eventOf(id))).status !== 200) queue.unshift(id);
	};
	await Promise.all(Array.from({ length: 20 }, sender));
	expect(succeeded.size).toBe(200);
	expect(new Set(succeeded.values())).toEqual(new Set([1]));
});
