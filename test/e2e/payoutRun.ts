import axios from 'axios';
import type { Browser, Page } from 'playwright-core';
import type { SandboxClient } from '../../sandbox/client';
import { readXlsx } from '../support/builders/payoutFile';
import type { Credential, N8nClient, StoredWorkflow } from '../support/n8n/client';
import { readExample } from '../support/n8n/credentials';
import {
	choose,
	decide,
	listRuns,
	openForm,
	readCheck,
	receiveResult,
	upload,
	type Check,
	type UploadedFile,
} from '../support/pages/payoutRun';
import { waitUntil } from '../support/waitUntil';

/* The job payout-run-with-approval: putting it into service, and using it as the person who uploads and the person who approves. */

export interface ResultRow {
	Row: number;
	Invoice?: string;
	Result: string;
	Outcome: string;
	Reason?: string;
	'Event ID'?: string;
}

export const UPLOADER = 'Lena Fischer';
const APPROVER = { username: 'approver', password: 'only-approvers-know' };

export const countOf = (rows: ResultRow[], outcome: string) =>
	rows.filter(({ Outcome }) => Outcome === outcome).length;

/** The invoices that the service has recorded, each as often as it has it. */
export async function recordedInvoices(sandbox: SandboxClient): Promise<string[]> {
	const { items } = await sandbox.listTransactions({ limit: 1000 });
	return items.map(({ transaction }) => transaction.externalId);
}

/** The job in service, and its pages in a browser. */
export class PayoutRunJob {
	private readonly pages: Page[] = [];

	private constructor(
		private readonly n8nUrl: string,
		private readonly browser: Browser,
		readonly workflow: StoredWorkflow,
	) {}

	/** Stores and publishes the workflow. */
	static async putIntoService(
		n8n: N8nClient,
		paymentsApi: Credential,
		browser: Browser,
	): Promise<PayoutRunJob> {
		const approver = await n8n.createCredential('Payout approver', 'httpBasicAuth', {
			user: APPROVER.username,
			password: APPROVER.password,
		});
		const workflow = await n8n.importWorkflow(readExample('jobs/payout-run-with-approval'), [
			paymentsApi,
			approver,
		]);
		await n8n.activate(workflow);
		return new PayoutRunJob(n8n.url, browser, workflow);
	}

	async closePages(): Promise<void> {
		for (const page of this.pages.splice(0)) await page.context().close();
	}

	/** Waits until the forms are there: n8n answers with status 200 while it starts, before any trigger is there. */
	async untilInService(): Promise<void> {
		const address = this.formUrl('Upload Payout File');
		await waitUntil('the upload form is there', async () => {
			const { data } = await axios.get<string>(address, { proxy: false, validateStatus: null });
			return data.includes('Check the file');
		});
	}

	private formUrl(trigger: string): string {
		const { webhookId } = this.workflow.nodes.find(({ name }) => name === trigger)!;
		return `${this.n8nUrl}/form/${webhookId}`;
	}

	private async open(trigger: string, credentials?: typeof APPROVER): Promise<Page> {
		const page = await openForm(this.browser, this.formUrl(trigger), credentials);
		this.pages.push(page);
		return page;
	}

	/** Selects a file and submits it. */
	async upload(file: UploadedFile): Promise<Page> {
		const page = await this.open('Upload Payout File');
		await upload(page, file, UPLOADER);
		return page;
	}

	/** Uploads a file and waits for what the check found. */
	async check(file: UploadedFile): Promise<{ page: Page; found: Check }> {
		const page = await this.upload(file);
		return { page, found: await readCheck(page) };
	}

	/** Decides as the approver, as soon as the run is listed, and returns what the approver saw of it. */
	async decide(file: string, decision: 'Approve' | 'Reject', comment = ''): Promise<string[]> {
		for (;;) {
			const approver = await this.open('Approve Payouts', APPROVER);
			const seen = await listRuns(approver, 'Amir Khan');
			const run = seen.find((cells) => cells[2] === file);
			if (!run) continue;
			await decide(approver, run[0], decision, comment);
			return run;
		}
	}

	/** Uploads a file, has it approved, and returns the result file. */
	async payOut(file: UploadedFile) {
		const { page, found } = await this.check(file);
		const receiving = receiveResult(page);
		await choose(page, 'Ask for approval');
		const seenByApprover = await this.decide(file.name, 'Approve');
		const { name, content, message } = await receiving;
		return { found, seenByApprover, name, message, rows: readXlsx<ResultRow>(content) };
	}
}
