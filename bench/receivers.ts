import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { createPaymentsWebhookApi } from '../host/n8n/credentials';
import type { Credential, N8nClient, StoredWorkflow } from '../host/n8n/client';
import { schemes } from '../sandbox/deliveries/sign';

const SECRET = 'a secret for the benchmark';
/** Only the Header Auth looks at it; all deliveries have it, so that all receivers get the same. */
const KEY_HEADER = 'x-benchmark-key';

/** An event as the service delivers it (docs/interface.md, 10.1), each with an id of its own. */
export function signedEvent(secret = SECRET) {
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
	const event = 'PAYMENT.STATUS_UPDATED';
	const body = JSON.stringify({
		id,
		event,
		data,
		previousValues: { status: 'PROCESSING' },
		createdAt,
	});
	const times = { createdAt, attemptAt: createdAt };
	const signature = schemes.messageSignature({ body, eventId: id, ...times, secret, endpoint: {} });
	const headers = { 'content-type': 'application/json', ...signature, [KEY_HEADER]: secret };
	return { body, headers };
}

/** What is built into the workflow of a receiver, and what a forged delivery is answered. */
type ReceiverNode = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'> & {
	onForgery: number;
};
const selected = { id: '', name: '' };
/** Responds when the execution is recorded ("Immediately"), which is the default of both nodes. */
const webhook = (authentication: string): Omit<ReceiverNode, 'onForgery'> => ({
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

/** What receives the deliveries: the Payments Trigger, or n8n's own node in its place. */
const NODES = {
	'payments-trigger': {
		type: 'n8n-nodes-payments.paymentsTrigger',
		typeVersion: 1.1,
		parameters: {},
		credentials: { paymentsWebhookApi: selected },
		onForgery: 401,
	},
	webhook: { ...webhook('none'), onForgery: 200 },
	'webhook-header-auth': {
		...webhook('headerAuth'),
		credentials: { httpHeaderAuth: selected },
		onForgery: 403,
	},
} satisfies Record<string, ReceiverNode>;
export type Receiver = keyof typeof NODES;

/** A published workflow that receives deliveries. */
export interface Listener {
	receiver: Receiver;
	workflow: StoredWorkflow;
	url: string;
}

/** Publishes a workflow of one receiver. */
async function publish(
	n8n: N8nClient,
	receiver: Receiver,
	credentials: Credential[],
): Promise<Listener> {
	const { onForgery: _, ...node } = NODES[receiver];
	const place = { id: '1', name: receiver, position: [0, 0] as [number, number] };
	const workflow = await n8n.importWorkflow(
		{
			name: receiver,
			nodes: [{ ...place, webhookId: randomUUID(), ...node }],
			connections: {},
			settings: { executionOrder: 'v1' },
		},
		credentials,
	);
	await n8n.activate(workflow);
	return { receiver, workflow, url: (await n8n.webhookUrls(workflow, receiver)).production };
}

/**
 * Shows that a receiver does what it is measured for: it accepts what is signed, and rejects a
 * forgery if it verifies anything.
 * @throws when it doesn't
 */
async function check({ receiver, url }: Listener): Promise<void> {
	const genuine = await fetch(url, { method: 'POST', ...signedEvent() });
	const forged = await fetch(url, { method: 'POST', ...signedEvent('another secret') });
	if (genuine.status !== 200 || forged.status !== NODES[receiver].onForgery)
		throw new Error(`${receiver} answered ${genuine.status}, and ${forged.status} to a forgery.`);
}

/** Publishes a workflow of each receiver in one n8n, and checks that it verifies what it should. */
export async function listen(n8n: N8nClient): Promise<Listener[]> {
	const header = { name: KEY_HEADER, value: SECRET };
	const credentials = [
		await createPaymentsWebhookApi(n8n, SECRET),
		await n8n.createCredential('Header Auth', 'httpHeaderAuth', header),
	];
	const listeners: Listener[] = [];
	for (const receiver of Object.keys(NODES) as Receiver[]) {
		const listener = await publish(n8n, receiver, credentials);
		await check(listener);
		listeners.push(listener);
	}
	return listeners;
}
