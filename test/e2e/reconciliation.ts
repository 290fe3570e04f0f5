import type { Browser } from 'playwright-core';
import type { SandboxClient } from '../../sandbox/client';
import type { Credential, N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { addRows } from '../../host/n8n/dataTables';
import type { SentPayment } from '../support/builders/statement';
import { openForm } from '../support/pages/payoutRun';

/* The job daily-reconciliation: putting it into service, and uploading a statement to it. */

/** The data table of what was sent. */
export const SENT = 'payments_sent';

/** Who may compare. */
const ACCOUNTANT = { username: 'accounting', password: 'may-compare' };

/**
 * Stores and publishes the workflow. Its endpoint gets only what a test sends: the sandbox doesn't
 * deliver to it by itself.
 */
export async function putIntoService(
	n8n: N8nClient,
	sandbox: SandboxClient,
	paymentsApi: Credential,
	mailPort: number,
) {
	const example = readExample('jobs/daily-reconciliation');
	const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
	const endpoint = await sandbox.createEndpoint({ url: production, events: ['NONE.OF_THESE'] });
	const workflow = await n8n.importWorkflow(example, [
		paymentsApi,
		await createPaymentsWebhookApi(n8n, endpoint.secret),
		await n8n.createCredential('Accountants', 'httpBasicAuth', {
			user: ACCOUNTANT.username,
			password: ACCOUNTANT.password,
		}),
		await n8n.createCredential('SMTP account', 'smtp', {
			host: '127.0.0.1',
			port: mailPort,
			secure: false,
			disableStartTls: true,
		}),
	]);
	await n8n.activate(workflow);
	return { workflow, endpoint };
}

/** Saves payments as those that were sent. */
export async function saveSent(n8n: N8nClient, sent: SentPayment[]): Promise<void> {
	for (let i = 0; i < sent.length; i += 250)
		await addRows(n8n, SENT, sent.slice(i, i + 250) as never);
}

/** Uploads a statement. Resolves with the page of the result, and the text of its file. */
export async function uploadStatement(
	browser: Browser,
	n8n: N8nClient,
	workflow: StoredWorkflow,
	name: string,
	content: string,
) {
	const { webhookId } = workflow.nodes.find((node) => node.name === 'Upload Statement')!;
	const page = await openForm(browser, `${n8n.url}/form/${webhookId}`, ACCOUNTANT);
	const downloading = page.waitForEvent('download', { timeout: 120_000 });
	await page
		.locator('input[type=file]')
		.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
	await page.getByRole('button', { name: 'Compare' }).click();
	const stream = await (await downloading).createReadStream();
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk as Buffer);
	return { page, file: Buffer.concat(chunks).toString() };
}

/** The rows of the file without those that match. */
export const differencesIn = (csv: string) =>
	csv
		.replace(/^\uFEFF/, '')
		.split('\r\n')
		.slice(1)
		.map((line) => line.slice(1, -1).split('";"'))
		.filter(([list]) => list !== 'Matched')
		.map(([list, reference, paid, , happened]) => [
			list,
			reference.replace(/^'/, '').trim(),
			paid,
			happened.replace(',', '.'),
		])
		.sort();
