import type { Faults } from '../../sandbox/types';
import type { SandboxClient } from '../../sandbox/client';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { readTable } from '../../host/n8n/dataTables';
import { paymentRow, type TextRow } from '../support/builders/paymentRows';
import { alertCredentials } from './alertCredentials';
import { createModelTables, createSeals, saveRows } from './modelTables';

/* Payments whose events arrive in any order: what the job payout-run-4-follow makes of them. */

/** Each event goes out one to three times, shuffled, 20 at a time, and again until success. */
export const ROUGH: Faults = {
	seed: 3,
	deliveries: { doubled: 1 / 3, tripled: 1 / 3, shuffled: 1, shuffleMs: 1500, concurrency: 20 },
	retries: { attempts: 300, intervalMs: 1000 },
};

/**
 * Stores and publishes the job, with empty tables, and registers its trigger with the service.
 * @param publicUrl the address of a proxy in front of n8n
 */
export async function putFollowIntoService(
	n8n: N8nClient,
	sandbox: SandboxClient,
	{ publicUrl, mailPort }: { publicUrl?: string; mailPort: number },
): Promise<StoredWorkflow> {
	await createModelTables(n8n);
	const example = readExample('jobs/payout-run-4-follow');
	const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.createEndpoint({
		url: new URL(new URL(production).pathname, publicUrl ?? production).href,
		events: ['PAYMENT.STATUS_UPDATED'],
	});
	const workflow = await n8n.importWorkflow(example, [
		await createPaymentsWebhookApi(n8n, secret),
		await createSeals(n8n),
		...(await alertCredentials(n8n, mailPort)),
	]);
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
const RESULTS = ['paid', 'rejected', 'returned', 'accepted', 'accepted'];

/**
 * Saves payments as accepted, two of each three with one invoice, and lets them pass through some
 * statuses each. Resolves with the result that each External ID has to end with.
 */
export async function letPaymentsHappen(
	n8n: N8nClient,
	sandbox: SandboxClient,
	prefix: string,
	count: number,
): Promise<Map<string, string>> {
	const rows: TextRow[] = Array.from({ length: count }, (_, i) =>
		paymentRow({ invoice: `${prefix}-${i - (i % 3 === 1 ? 1 : 0)}`, amount: `${i + 1}.50` }),
	);
	await saveRows(n8n, 'payments', rows);
	const ids: string[] = [];
	for (const { externalId, invoice, amount, currency } of rows) {
		const payment = { amount, currency, reference: invoice, metadata: { externalId } };
		ids.push((await sandbox.createPayment(payment)).id);
	}
	// Status by status, so that two events of a payment never have the same time.
	for (let turn = 0; turn < 3; turn++)
		for (const [i, id] of ids.entries()) {
			const status = STATUSES[i % STATUSES.length].at(turn);
			if (status !== undefined) await sandbox.setPaymentStatus(id, status);
		}
	return new Map(rows.map(({ externalId }, i) => [externalId, RESULTS[i % RESULTS.length]]));
}

/** The result of each External ID in the table. */
export async function resultsOf(n8n: N8nClient, prefix: string): Promise<Map<string, string>> {
	const rows = (await readTable(n8n, 'payments')) as unknown as TextRow[];
	const own = rows.filter(({ invoice }) => invoice.startsWith(`${prefix}-`));
	return new Map(own.map(({ externalId, result }) => [externalId, result]));
}
