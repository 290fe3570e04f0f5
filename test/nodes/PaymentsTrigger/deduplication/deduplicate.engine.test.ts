import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

import { responses } from '../../../../nodes/PaymentsTrigger/responses';
import { signed } from '../../../support/signed';
import { waitUntil } from '../../../../host/waitUntil';
import { startReceiver, type Receiver, type Setup } from '../../../support/engine/triggerServer';

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
		message: text && (JSON.parse(text) as { message: string }).message,
		retryAfter: response.headers.get('retry-after'),
	};
};
const ids = ({ runs }: Receiver) =>
	runs.map((outputs) => outputs.flat().map(({ json }) => json.id));

test('an event that was answered with success does not run again', async () => {
	const receiver = await listen();
	expect((await deliver(receiver)).status).toBe(200);
	expect(await deliver(receiver)).toMatchObject({
		status: 200,
		message: responses.duplicate.message,
	});
	expect(ids(receiver)).toEqual([['evt_1']]);
});

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
	// As n8n answers: words when the record is empty, none when the run succeeded.
	const words = [
		{ message: 'Workflow executed successfully but the last node did not return any data' },
		undefined,
	];
	receiver.answerRun = (response) => response.json(words.shift());
	expect(await deliver(receiver)).toMatchObject({
		status: 500,
		message: responses.unrecorded.message,
	});
	expect(await deliver(receiver)).toMatchObject({ status: 200, message: '' });
	expect(await deliver(receiver)).toMatchObject({
		status: 200,
		message: responses.duplicate.message,
	});
	expect(receiver.runs).toHaveLength(2);
});

test.each([300, 500])(
	"n8n's response with status %d to a failed execution stays as it is",
	async (status) => {
		const receiver = await listen();
		const message = 'Error in workflow';
		receiver.answerRun = (response) => {
			response.statusCode = status;
			response.json({ message });
		};
		expect(await deliver(receiver)).toMatchObject({ status, message });
	},
);

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

test.each([
	[
		'while the workflow runs',
		async ({ runs }: Receiver) =>
			void (await waitUntil('the first runs', () => runs.length > 0, { intervalMs: 1 })),
	],
	['at once', async () => await wait(0)],
])(
	'a sender that hangs up %s has heard nothing: its event is taken again',
	async (_, untilThen) => {
		const receiver = await listen();
		receiver.answerRun = async (response) => {
			if (!('x-hangs-up' in response.req.headers)) response.writeHead(200).end();
			else if (!response.closed) await once(response, 'close');
		};
		const body = JSON.stringify(eventOf('evt_1'));
		const sent = request(receiver.url, {
			method: 'POST',
			headers: { ...signed(body), 'x-hangs-up': 'yes' },
		}).on('error', () => undefined);
		sent.end(body);
		await untilThen(receiver);
		sent.destroy();
		// Until the trigger has noticed, the first delivery counts as under way; an answer without a
		// message comes from a run alone.
		const answer = await waitUntil('the event is taken again', async () => {
			const { status, message } = await deliver(receiver);
			return status !== 503 && { status, message };
		});
		expect(answer).toEqual({ status: 200, message: '' });
	},
);

test('of a list, the events that are new run, and each once', async () => {
	const receiver = await listen();
	await deliver(receiver, [eventOf('a'), eventOf('b'), eventOf('a')]);
	await deliver(receiver, [eventOf('b'), eventOf('c')]);
	expect(ids(receiver)).toEqual([['a', 'b'], ['c']]);
});

test('what has no id, another event type or another trigger is not the same event', async () => {
	const receiver = await listen();
	for (const one of [eventOf(), eventOf(), eventOf('a'), eventOf('a', 'PAYMENT.STATUS_UPDATED')])
		expect((await deliver(receiver, one)).message).toBe('');
	expect(receiver.runs).toHaveLength(4);
	const another = await listen();
	await deliver(another, eventOf('a'));
	expect(another.runs).toHaveLength(1);
});

describe('with a clock', () => {
	const MINUTE = 60_000;
	let now: number;
	beforeEach(() => {
		now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
	});
	afterEach(() => jest.restoreAllMocks());

	/**
	 * Delivers evt_1, minutes after it happened. As in public practice, its signature has the time of
	 * the event.
	 */
	function createResend(receiver: Receiver) {
		const created = Math.floor(now / 1000);
		const start = now;
		const body = JSON.stringify(eventOf('evt_1'));
		return async (minutes: number) => {
			now = start + minutes * MINUTE;
			const headers = signed(body, { created });
			const response = await fetch(receiver.url, { method: 'POST', body, headers });
			await response.text();
			return { status: response.status, runs: receiver.runs.length };
		};
	}

	test('a lost response: the automatic retries do not run again; an event resent by a person later does', async () => {
		const send = createResend(await listen());
		expect(await send(0)).toEqual({ status: 200, runs: 1 });
		for (const minutes of [10, 20, 30])
			expect(await send(minutes)).toEqual({ status: 200, runs: 1 });
		expect(await send(31)).toEqual({ status: 200, runs: 2 });
		expect(await send(41)).toEqual({ status: 200, runs: 2 });
		expect(await send(119)).toEqual({ status: 200, runs: 3 });
		// The signature has the time of the event, so what is resent too late is rejected.
		expect(await send(121)).toEqual({ status: 401, runs: 3 });
	});

	test("the window is the user's, and what is no number counts as the default", async () => {
		for (const [deduplicationWindow, duplicateAt, newAt] of [
			[5, 5, 6],
			['={{ 5 }}', 5, 6],
			['={{ 16 / 3 }}', 5, 6],
			['={{ null }}', 30, 31],
			[0, 30, 31],
			[-1, 30, 31],
		]) {
			const parameters = { options: { deduplicationWindow } } as Setup['parameters'];
			const send = createResend(await listen({ parameters }));
			await send(0);
			expect(await send(Number(duplicateAt))).toEqual({ status: 200, runs: 1 });
			expect(await send(Number(newAt))).toEqual({ status: 200, runs: 2 });
			now -= Number(newAt) * MINUTE;
		}
	});
});

test('two events whose numeric ids JavaScript cannot tell apart both run', async () => {
	const receiver = await listen();
	for (const id of ['9007199254740992', '9007199254740993']) {
		const body = `{"event":"PAYMENT.CREATED","id":${id}}`;
		const response = await fetch(receiver.url, { method: 'POST', body, headers: signed(body) });
		expect(response.status).toBe(200);
	}
	expect(receiver.runs).toHaveLength(2);
});

test('with the option off, and while the workflow is tried out in the editor, every delivery runs', async () => {
	for (const setup of [
		{ parameters: { options: { deduplicateDeliveries: false } } },
		{ mode: 'manual' as const },
	]) {
		const receiver = await listen(setup);
		for (let i = 0; i < 3; i++) await deliver(receiver);
		expect(receiver.runs).toHaveLength(3);
	}
});

describe('Standard Webhooks: the signed id of the delivery', () => {
	const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

	/** Delivers the same body with each of the ids, and returns how many events each run has. */
	async function deliverWith(ids: string[], json: unknown) {
		const receiver = await listen({ credential: { scheme: 'standardWebhooks', secret } });
		const body = JSON.stringify(json);
		for (const id of ids) {
			const headers = {
				'webhook-id': id,
				'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
				'webhook-signature': new Webhook(secret).sign(id, new Date(), body),
			};
			expect((await fetch(receiver.url, { method: 'POST', body, headers })).status).toBe(200);
		}
		return receiver.runs.map(([items]) => items.length);
	}

	test('counts where the event has none', async () => {
		expect(await deliverWith(['msg_1', 'msg_1', 'msg_2'], eventOf())).toEqual([1, 1]);
	});

	test('counts for none of several events', async () => {
		expect(await deliverWith(['msg_1', 'msg_1'], [eventOf(), eventOf()])).toEqual([2, 2]);
	});
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
