import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { createPaymentsWebhookApi } from '../host/n8n/credentials';
import type { Credential, N8nClient, StoredWorkflow } from '../host/n8n/client';
import { outputOf } from '../host/n8n/executions';
import { messageSignature } from '../sandbox/deliveries/sign/messageSignature';
import type { Delivery } from './load';

/** What receives the deliveries: the Payments Trigger, or what users build from n8n's own nodes. */
export const RECEIVERS = [
	'payments-trigger',
	'webhook',
	'webhook-header-auth',
	'webhook-crypto-if',
] as const;
export type Receiver = (typeof RECEIVERS)[number];

/** A published workflow that receives deliveries. */
export interface Listener {
	receiver: Receiver;
	workflow: StoredWorkflow;
	url: string;
}

const SECRET = 'a secret for the benchmark';
/** Only the Header Auth looks at it; all deliveries have it, so that all receivers get the same. */
const KEY_HEADER = 'x-benchmark-key';

/**
 * An event as the service delivers it (docs/interface.md, 10.1), each with an id of its
 * own.
 */
export function signedEvent(secret = SECRET): Delivery {
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
	const signature = messageSignature({
		body,
		eventId: id,
		createdAt,
		attemptAt: createdAt,
		secret,
		endpoint: {},
	});
	return { body, headers: { ...signature, [KEY_HEADER]: secret } };
}

type BenchNode = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

const selected = { id: '', name: '' };

/**
 * All respond when the execution is recorded ("Immediately"), which is the default of both nodes.
 */
const webhook = (parameters: object): BenchNode => ({
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2.1,
	parameters: {
		httpMethod: 'POST',
		path: randomUUID(),
		responseMode: 'onReceived',
		options: {},
		...parameters,
	},
});

const crypto = (parameters: object, more: object = {}): BenchNode => ({
	type: 'n8n-nodes-base.crypto',
	typeVersion: 2,
	parameters: { encoding: 'hex', ...parameters },
	...more,
});

const condition = (leftValue: string, rightValue: string, type: string, operation: string) => ({
	id: randomUUID(),
	leftValue: `={{ ${leftValue} }}`,
	rightValue: `={{ ${rightValue} }}`,
	operator: { type, operation },
});

const INPUT = "$json.headers['signature-input']";

/**
 * The signature verified by n8n's own nodes, as the service signs: the SHA-1 of the exact bytes, an
 * HMAC over it and over what follows LABEL= in `signature-input`, compared with the header, and the
 * time of signing within 120 minutes.
 */
const cryptoAndIf = (): Record<string, BenchNode> => ({
	'webhook-crypto-if': webhook({ options: { rawBody: true } }),
	Digest: crypto({
		action: 'hash',
		type: 'SHA1',
		binaryData: true,
		binaryPropertyName: 'data',
		dataPropertyName: 'digest',
	}),
	Signature: crypto(
		{
			action: 'hmac',
			type: 'SHA256',
			binaryData: false,
			value: `="digest": "{{ $json.digest }}"\n@signature-params: {{ ${INPUT}.slice(${INPUT}.indexOf('=') + 1) }}`,
			dataPropertyName: 'hmac',
		},
		{ credentials: { crypto: selected } },
	),
	If: {
		type: 'n8n-nodes-base.if',
		typeVersion: 2.3,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 3 },
				combinator: 'and',
				conditions: [
					condition('$json.hmac', "$json.headers.signature.split(':')[1]", 'string', 'equals'),
					condition(
						`Math.abs(Date.now() / 1000 - Number(${INPUT}.split('created=')[1]))`,
						'120 * 60',
						'number',
						'lt',
					),
				],
			},
			options: {},
		},
	},
});

const nodesOf = (receiver: Receiver): Record<string, BenchNode> =>
	({
		'payments-trigger': () => ({
			'payments-trigger': {
				type: 'n8n-nodes-payments.paymentsTrigger',
				typeVersion: 1.1,
				parameters: {},
				credentials: { paymentsWebhookApi: selected },
			},
		}),
		webhook: () => ({ webhook: webhook({}) }),
		'webhook-header-auth': () => ({
			'webhook-header-auth': {
				...webhook({ authentication: 'headerAuth' }),
				credentials: { httpHeaderAuth: selected },
			},
		}),
		'webhook-crypto-if': cryptoAndIf,
	})[receiver]();

async function createCredentials(n8n: N8nClient): Promise<Credential[]> {
	return [
		await createPaymentsWebhookApi(n8n, SECRET),
		await n8n.createCredential('Header Auth', 'httpHeaderAuth', {
			name: KEY_HEADER,
			value: SECRET,
		}),
		await n8n.createCredential('Crypto', 'crypto', { hmacSecret: SECRET }),
	];
}

/** Publishes a workflow of one receiver: its nodes in a row, the first of which is the trigger. */
async function publish(
	n8n: N8nClient,
	receiver: Receiver,
	credentials: Credential[],
): Promise<Listener> {
	const nodes = Object.entries(nodesOf(receiver)).map(([name, node], index) => ({
		id: String(index + 1),
		name,
		position: [index * 200, 0] as [number, number],
		...(index === 0 && { webhookId: randomUUID() }),
		...node,
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	const workflow = await n8n.importWorkflow(
		{ name: receiver, nodes, connections, settings: { executionOrder: 'v1' } },
		credentials,
	);
	await n8n.activate(workflow);
	return { receiver, workflow, url: (await n8n.webhookUrls(workflow, receiver)).production };
}

/** What a forged delivery is answered. Crypto and If accept it, and stop it in the execution. */
const ON_FORGERY: Record<Receiver, number> = {
	'payments-trigger': 401,
	webhook: 200,
	'webhook-header-auth': 403,
	'webhook-crypto-if': 200,
};

/**
 * Shows that a receiver does what it is measured for: it accepts what is signed, and those that
 * verify reject a forgery.
 * @throws when it doesn't
 */
async function check(n8n: N8nClient, { receiver, workflow, url }: Listener): Promise<void> {
	const send = async ({ headers, body }: Delivery) =>
		(
			await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body,
			})
		).status;
	const expected = [200, ON_FORGERY[receiver]];
	const answered = [await send(signedEvent()), await send(signedEvent('another secret'))];
	const executions = expected.filter((status) => status === 200).length;
	const { results } = await n8n.ended(workflow, executions);
	const passed: number[] = [];
	if (receiver === 'webhook-crypto-if') {
		for (const { id } of results.reverse()) {
			passed.push(outputOf(await n8n.execution(id), 'If').length);
		}
		expected.push(1, 0);
	}
	const found = [...answered, ...passed];
	if (found.join() !== expected.join())
		throw new Error(`${receiver} was to do ${expected.join()}, and did ${found.join()}.`);
}

/** Publishes a workflow of each receiver in one n8n, and checks that it verifies what it should. */
export async function listen(n8n: N8nClient): Promise<Listener[]> {
	const credentials = await createCredentials(n8n);
	const listeners: Listener[] = [];
	for (const receiver of RECEIVERS) {
		const listener = await publish(n8n, receiver, credentials);
		await check(n8n, listener);
		listeners.push(listener);
	}
	return listeners;
}
