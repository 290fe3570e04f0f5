import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { N8nClient } from '../host/n8n/client';
import { createPaymentsWebhookApi } from '../host/n8n/credentials';
import { isOver } from '../host/n8n/executions';
import { startN8n } from '../host/n8n/startN8n';
import { waitUntil } from '../host/waitUntil';
import { exampleOf } from '../sandbox/deliveries/eventCatalog';
import { schemes } from '../sandbox/deliveries/sign';
import { newId } from '../sandbox/state/ids';
import { median, table, type Tell } from './figures';

const SECRET = 'a secret for the benchmark';
/** Only the Header Auth looks at it; all deliveries have it, so that all receivers get the same. */
const KEY_HEADER = 'x-benchmark-key';
/** How long deliveries are sent for one figure. */
const DURATION_MS = 3000;
/** Each sends as soon as it has a response. */
const SENDERS = 20;

/** The settings of n8n, and the variables for them. */
const SETTINGS = {
	'n8n as it comes': {},
	/** By deploy/queue. */
	'With the recommended settings': {
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	},
};

type Receiver = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'> & {
	/** How it responds to a delivery that another secret has signed. */
	onForgery: number;
};
const selected = { id: '', name: '' };
/** Responds when the execution is recorded ("Immediately"), which is the default of both nodes. */
const webhook = (authentication: string) => ({
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: {
		httpMethod: 'POST',
		path: randomUUID(),
		responseMode: 'onReceived',
		authentication,
		options: {},
	},
});

/** The Payments Trigger, and n8n's own node in its place. */
const RECEIVERS: Record<string, Receiver> = {
	'Payments Trigger': {
		type: 'n8n-nodes-payments.paymentsTrigger',
		typeVersion: 1.1,
		parameters: {},
		credentials: { paymentsWebhookApi: selected },
		onForgery: 401,
	},
	'Webhook, which verifies nothing': { ...webhook('none'), onForgery: 200 },
	'Webhook with Header Auth': {
		...webhook('headerAuth'),
		credentials: { httpHeaderAuth: selected },
		onForgery: 403,
	},
};

/** Delivers an event as the service does (docs/interface.md, 10.1). Returns the status. */
async function deliver(url: string, secret = SECRET): Promise<number> {
	const [event, id, createdAt] = ['PAYMENT.STATUS_UPDATED', newId('evt'), Date.now()];
	const body = JSON.stringify({ id, event, ...exampleOf(event, createdAt), createdAt });
	const times = { createdAt, attemptAt: createdAt };
	const signature = schemes.messageSignature({ body, eventId: id, ...times, secret, endpoint: {} });
	const headers = { 'content-type': 'application/json', ...signature, [KEY_HEADER]: secret };
	const response = await fetch(url, { method: 'POST', body, headers });
	await response.arrayBuffer();
	return response.status;
}

/** Publishes a workflow that starts with a receiver. */
async function publish(n8n: N8nClient, name: string, { onForgery: _, ...receiver }: Receiver) {
	const header = { name: KEY_HEADER, value: SECRET };
	const credentials = [
		await createPaymentsWebhookApi(n8n, SECRET),
		await n8n.createCredential('Header Auth', 'httpHeaderAuth', header),
	];
	const node: INode = { id: '1', name, position: [0, 0], webhookId: randomUUID(), ...receiver };
	const workflow = await n8n.importWorkflow({ name, nodes: [node], connections: {} }, credentials);
	await n8n.activate(workflow);
	return { workflow, url: (await n8n.webhookUrls(workflow, name)).production };
}

/** Delivers events as fast as they are responded to. Returns how many were accepted, and ms. */
async function deliverMany(url: string) {
	let accepted = 0;
	const startedAt = performance.now();
	const send = async () => {
		while (performance.now() < startedAt + DURATION_MS)
			if ((await deliver(url)) === 200) accepted++;
	};
	await Promise.all(Array.from({ length: SENDERS }, send));
	return { accepted, ms: performance.now() - startedAt };
}

/** Publishes each receiver, shows that it does what it's measured for, and measures it in turns. */
async function measureReceivers(n8n: N8nClient, rounds: number): Promise<number[]> {
	const listeners = [];
	for (const [name, receiver] of Object.entries(RECEIVERS)) {
		const { workflow, url } = await publish(n8n, name, receiver);
		const statuses = [await deliver(url), await deliver(url, 'another secret')];
		if (statuses[0] !== 200 || statuses[1] !== receiver.onForgery)
			throw new Error(`${name} answered ${statuses[0]}, and ${statuses[1]} to a forgery.`);
		const accepted = statuses.filter((status) => status === 200).length;
		listeners.push({ name, workflow, url, accepted, rates: [] as number[] });
	}
	// The first round doesn't count: n8n still compiles.
	for (let round = 0; round <= rounds; round++)
		for (const listener of listeners) {
			const { accepted, ms } = await deliverMany(listener.url);
			listener.accepted += accepted;
			if (round > 0) listener.rates.push(accepted / (ms / 1000));
			const isRecorded = async () => {
				const { count, results } = await n8n.executions(listener.workflow);
				return count === listener.accepted && results.every(isOver);
			};
			const what = `${listener.name} has ${listener.accepted} executions, which are over`;
			await waitUntil(what, isRecorded);
		}
	return listeners.map(({ rates }) => median(rates));
}

/**
 * The Payments Trigger, which verifies each signature and recognizes duplicates, against what users
 * build from n8n's own nodes.
 */
export async function measureTrigger(tarball: string, rounds: number, tell: Tell) {
	const columns: number[][] = [];
	for (const [settings, env] of Object.entries(SETTINGS)) {
		tell(`trigger: ${settings}`);
		const n8n = await startN8n({ tarball, env });
		await n8n.client.setUpOwner();
		columns.push(await measureReceivers(n8n.client, rounds));
		await n8n.stop();
	}
	const rows = Object.keys(RECEIVERS).map((name, index) => [
		name,
		// Three significant digits are all that a measurement like this is good for.
		...columns.map((rates) => Number(rates[index].toPrecision(3))),
	]);
	const head = ['Deliveries accepted per second', ...Object.keys(SETTINGS)];
	return { section: 'trigger', text: table([head, ...rows]), verdicts: [] };
}
