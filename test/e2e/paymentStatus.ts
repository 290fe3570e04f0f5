import axios from 'axios';
import type { Faults } from '../../sandbox/types';
import type { SandboxClient } from '../../sandbox/client';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';

/* The job where-is-my-payment: putting it into service, letting payments happen, and asking it. */

/** Who may ask by form and by webhook. */
export const READER = { username: 'reader', password: 'may-ask' };

/** Each event goes out one to three times, shuffled, 20 at a time, and again until success. */
export const ROUGH: Faults = {
	seed: 3,
	deliveries: { doubled: 1 / 3, tripled: 1 / 3, shuffled: 1, shuffleMs: 1500, concurrency: 20 },
	retries: { attempts: 300, intervalMs: 1000 },
};

/**
 * Stores and publishes the workflow, and registers its trigger with the service; `publicUrl`: the
 * address of a proxy in front of n8n.
 */
export async function putIntoService(
	n8n: N8nClient,
	sandbox: SandboxClient,
	openAi: Credential,
	{ publicUrl, change }: { publicUrl?: string; change?: (example: WorkflowJson) => void } = {},
): Promise<StoredWorkflow> {
	const example = readExample('jobs/where-is-my-payment');
	change?.(example);
	const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.createEndpoint({
		url: new URL(new URL(production).pathname, publicUrl ?? production).href,
		events: ['PAYMENT.CREATED', 'PAYMENT.STATUS_UPDATED'],
	});
	const reader = await n8n.createCredential('Payment status readers', 'httpBasicAuth', {
		user: READER.username,
		password: READER.password,
	});
	const webhookApi = await createPaymentsWebhookApi(n8n, secret);
	const workflow = await n8n.importWorkflow(example, [webhookApi, reader, openAi]);
	await n8n.activate(workflow);
	return workflow;
}

const STATUSES = [
	['PROCESSING', 'COMPLETED'],
	['PROCESSING', 'COMPLIANCE_REVIEW', 'REJECTED'],
	['PROCESSING', 'COMPLETED', 'RETURNED'],
	['PROCESSING'],
	[],
] as const;

/**
 * Lets payments with the references `prefix`-0, `prefix`-1, … pass through some statuses each;
 * resolves with the last one of each.
 */
export async function letPaymentsHappen(
	sandbox: SandboxClient,
	prefix: string,
	count: number,
): Promise<Map<string, string>> {
	const last = new Map<string, string>();
	const ids: string[] = [];
	for (let i = 0; i < count; i++) {
		const externalId = `${prefix}-${i}`;
		const payment = await sandbox.createPayment({
			amount: `${i + 1}.50`,
			currency: 'EUR',
			reference: `Invoice ${i}`,
			metadata: { externalId },
		});
		ids.push(payment.id);
		last.set(externalId, payment.status);
	}
	// Status by status, so that two events of a payment never have the same time.
	for (let turn = 0; turn < 3; turn++) {
		for (const [i, id] of ids.entries()) {
			const status = STATUSES[i % STATUSES.length].at(turn);
			if (status === undefined) continue;
			await sandbox.setPaymentStatus(id, status);
			last.set(`${prefix}-${i}`, status);
		}
	}
	return last;
}

/**
 * Lets two payments with the same reference happen, of other amounts, to other ends. Resolves with
 * what is to be known of them.
 */
export async function twoPayments(
	sandbox: SandboxClient,
	externalId: string,
): Promise<Answer['payments']> {
	const known: Answer['payments'] = [];
	for (const [amount, status] of [
		['10.00', 'COMPLETED'],
		['20.00', 'REJECTED'],
	] as const) {
		const { id: paymentId } = await sandbox.createPayment({
			amount,
			currency: 'EUR',
			metadata: { externalId },
		});
		await sandbox.setPaymentStatus(paymentId, 'PROCESSING');
		await sandbox.setPaymentStatus(paymentId, status);
		known.push({ paymentId, amount, status });
	}
	return known;
}

export interface Answer {
	reference: string;
	found: boolean;
	status: string;
	answer: string;
	payments: Array<{ paymentId: string; amount: string; status: string }>;
}

/** Asks by webhook, as a program does. */
export async function ask(n8nUrl: string, reference: string): Promise<Answer> {
	const { data } = await axios.get<Answer>(`${n8nUrl}/webhook/where-is-my-payment`, {
		params: { reference },
		auth: READER,
		proxy: false,
	});
	return data;
}

/** Asks for many references, and returns the status of each. */
export async function askAll(
	n8nUrl: string,
	references: Iterable<string>,
): Promise<Map<string, string>> {
	const statuses = new Map<string, string>();
	for (const reference of references)
		statuses.set(reference, (await ask(n8nUrl, reference)).status);
	return statuses;
}
