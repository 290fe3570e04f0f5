import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { N8nClient, StoredWorkflow } from '../test/support/n8n/client';
import { isOver } from '../test/support/n8n/executions';
import type { N8n } from '../test/support/n8n/startN8n';
import { createPaymentsWebhookApi } from '../test/support/n8n/credentials';
import { messageSignature } from '../sandbox/deliveries/sign/messageSignature';
import { deliver, type Delivery, type Load, type LoadResult } from './load';
import { median } from './numbers';

export type Receiver = 'payments-trigger' | 'webhook';

export interface TriggerSeries {
	receiver: Receiver;
	load: Load;
	/** Deliveries of all rounds together. */
	sent: number;
	accepted: number;
	/** Medians over the rounds: per second, and ms. */
	acceptedPerSecond: number;
	p50: number;
	p99: number;
}

const LOADS: readonly Load[] = [
	{ connections: 20 },
	{ perSecond: 20 },
	{ perSecond: 50 },
	{ perSecond: 100 },
];
const SECRET = 'a secret for the benchmark';

/** An event as the service delivers it (public practice, Webhook delivery), each with an id of its own. */
function signedEvent(): Delivery {
	const createdAt = Date.now();
	const id = `evt_${randomUUID()}`;
	const data = {
		id: 'pay_1',
		direction: 'PAYIN',
		reference: 'Invoice 2025-0042',
		amount: '2501.00',
		currency: 'EUR',
		paymentScheme: 'SCT',
		status: 'COMPLETED',
		createdAt,
	};
	const body = JSON.stringify({
		id,
		event: 'PAYMENT.STATUS_UPDATED',
		data,
		previousValues: { status: 'PROCESSING' },
		createdAt,
	});
	return {
		body,
		headers: messageSignature({
			body,
			eventId: id,
			createdAt,
			attemptAt: createdAt,
			secret: SECRET,
			endpoint: {},
		}),
	};
}

const NODES = {
	'payments-trigger': {
		type: 'n8n-nodes-payments.paymentsTrigger',
		typeVersion: 1.1,
		parameters: {},
		credentials: { paymentsWebhookApi: { id: '', name: '' } },
	},
	webhook: {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'benchmark', responseMode: 'onReceived', options: {} },
	},
};

/** A workflow of the trigger alone, active. Both answer when the run is recorded. */
async function listen(
	n8n: N8nClient,
	receiver: Receiver,
	credential: Awaited<ReturnType<typeof createPaymentsWebhookApi>>,
) {
	const node = {
		id: '1',
		name: receiver,
		position: [0, 0] as [number, number],
		webhookId: randomUUID(),
		...NODES[receiver],
	};
	const workflow = await n8n.importWorkflow(
		{ name: receiver, nodes: [node], connections: {}, settings: { executionOrder: 'v1' } },
		[credential],
	);
	await n8n.activate(workflow);
	return { receiver, workflow, url: (await n8n.webhookUrls(workflow, receiver)).production };
}

/** Waits until the runs that were started are over; resolves with how many there are. */
async function untilQuiet(n8n: N8nClient, workflow: StoredWorkflow): Promise<number> {
	for (let before = -1, tries = 0; ; await wait(500)) {
		const { count, results } = await n8n.executions(workflow);
		if (count === before && results.every(isOver)) return count;
		if (++tries > 600)
			throw new Error(`The runs of "${workflow.name}" were not over after 5 minutes.`);
		before = count;
	}
}

/**
 * The Payments Trigger, which verifies each signature and remembers each event, against n8n's own Webhook node, which does neither: the same deliveries,
 * alternating, in one n8n.
 * @throws when one of the two answered with success and recorded no run
 */
export async function measureTrigger(
	{ client }: N8n,
	{ rounds, seconds }: { rounds: number; seconds: number },
	tell: (line: string) => void,
): Promise<TriggerSeries[]> {
	const credential = await createPaymentsWebhookApi(client, SECRET);
	const receivers = [
		await listen(client, 'payments-trigger', credential),
		await listen(client, 'webhook', credential),
	];
	for (const { url } of receivers) await deliver(url, signedEvent, { perSecond: 20 }, 2);

	const all = LOADS.flatMap((load) =>
		receivers.map((to) => ({ ...to, load, results: [] as LoadResult[] })),
	);
	for (let round = 1; round <= rounds; round++) {
		for (const { receiver, workflow, url, load, results } of all) {
			const before = await untilQuiet(client, workflow);
			const result = await deliver(url, signedEvent, load, seconds);
			const recorded = (await untilQuiet(client, workflow)) - before;
			if (recorded !== result.accepted)
				throw new Error(
					`${receiver} accepted ${result.accepted} deliveries and recorded ${recorded} runs.`,
				);
			results.push(result);
			tell(
				`trigger, ${JSON.stringify(load)}, round ${round}: ${receiver} ${result.acceptedPerSecond.toFixed(0)} per s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
			);
		}
	}
	return all.map(({ receiver, load, results }) => {
		const sum = (member: 'sent' | 'accepted') =>
			results.reduce((total, result) => total + result[member], 0);
		const middle = (member: 'acceptedPerSecond' | 'p50' | 'p99') =>
			median(results.map((result) => result[member]));
		return {
			receiver,
			load,
			sent: sum('sent'),
			accepted: sum('accepted'),
			acceptedPerSecond: middle('acceptedPerSecond'),
			p50: middle('p50'),
			p99: middle('p99'),
		};
	});
}
