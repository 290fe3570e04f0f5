import axios from 'axios';
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SandboxClient } from '../../sandbox/client';
import { readXlsx } from '../support/builders/payoutFile';
import type { Credential, N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { readTable, type Row } from '../../host/n8n/dataTables';
import {
	askForApproval,
	decide,
	listRuns,
	openFormIn,
	openRun,
	readCheck,
	receiveResult,
	signInAs,
	upload,
	type Check,
	type Review,
	type UploadedFile,
} from '../support/pages/payoutRun';
import { waitUntil } from '../../host/waitUntil';

/*
 * The job payout-run-with-approval: putting it into service, and using it as the person who uploads
 * and the person who approves.
 */

export interface ResultRow {
	Row: number;
	Supplier?: string;
	Invoice?: string;
	Amount?: string;
	Result: string;
	Outcome: string;
	Reason?: string;
	'Final Status'?: string;
	'Event ID'?: string;
}

export const CLERK = 'lena.fischer@payments.example';
export const APPROVER = 'amir.khan@payments.example';

export const countOf = (rows: ResultRow[], result: string) =>
	rows.filter(({ Result }) => Result === result).length;

/** The invoices that the service has recorded, each as often as it has it. */
export async function recordedInvoices(sandbox: SandboxClient): Promise<string[]> {
	const { items } = await sandbox.listTransactions({ limit: 1000 });
	return items.map(({ transaction }) => transaction.reference);
}

const isAccepted = (outcome: unknown) => outcome === 'created' || outcome === 'duplicate';
const rank = (row?: Row) => (isAccepted(row?.outcome) ? 2 : row?.outcome ? 1 : 0);

/** The two people, as users of an n8n. */
export interface People {
	clerk: N8nClient;
	approver: N8nClient;
}

/** The job in service, and its pages in a browser. */
export class PayoutRunJob {
	private readonly profiles = new Map<N8nClient, BrowserContext>();

	private constructor(
		private readonly n8n: N8nClient,
		private readonly browser: Browser,
		readonly people: People,
		readonly workflow: StoredWorkflow,
	) {}

	/**
	 * Stores and publishes the workflow, with two users, and retries that don't keep a test waiting.
	 */
	static async putIntoService(
		n8n: N8nClient,
		sandbox: SandboxClient,
		paymentsApi: Credential,
		browser: Browser,
	): Promise<PayoutRunJob> {
		const example = readExample('jobs/payout-run-with-approval');
		const change = (name: string, from: string, to: string) => {
			const node = example.nodes.find((one) => one.name === name)!;
			const before = JSON.stringify(node.parameters);
			node.parameters = JSON.parse(before.replace(from, to)) as typeof node.parameters;
			if (JSON.stringify(node.parameters) === before) throw new Error(`${name}: no ${from}`);
		};
		change('Approvers', 'approver@example.com', `${APPROVER} ${CLERK}`);
		change(
			'Every 5 Minutes',
			'"field":"minutes","minutesInterval":5',
			'"field":"seconds","secondsInterval":10',
		);
		change('Pay', '"options":{', '"options":{"maxRetryTime":2,');
		change('Unfinished Runs', 'minutes: 5', 'seconds: 15');
		const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
		const events = ['PAYMENT.STATUS_UPDATED'] as const;
		const { secret } = await sandbox.createEndpoint({ url: production, events: [...events] });
		const workflow = await n8n.importWorkflow(example, [
			paymentsApi,
			await createPaymentsWebhookApi(n8n, secret),
			await n8n.createCredential('Payout approvals', 'crypto', {
				hmacSecret: randomBytes(32).toString('hex'),
			}),
		]);
		await n8n.activate(workflow);
		const people = {
			clerk: await n8n.addMember(CLERK, 'Lena', 'Fischer'),
			approver: await n8n.addMember(APPROVER, 'Amir', 'Khan'),
		};
		return new PayoutRunJob(n8n, browser, people, workflow);
	}

	async closePages(): Promise<void> {
		for (const profile of this.profiles.values()) await profile.close();
		this.profiles.clear();
	}

	/**
	 * Waits until the forms are there: n8n answers with status 200 while it starts, before any
	 * trigger is there.
	 */
	async untilInService(): Promise<void> {
		const options = { proxy: false as const, validateStatus: null };
		await waitUntil('the template is there', async () => {
			const { data } = await axios.get<string>(`${this.n8n.url}/webhook/payout-template`, options);
			return String(data).startsWith('Invoice;');
		});
	}

	async open(form: 'upload' | 'approval' | 'result', user: N8nClient): Promise<Page> {
		const profile = this.profiles.get(user) ?? (await signInAs(this.browser, user));
		this.profiles.set(user, profile);
		return await openFormIn(profile, `${this.n8n.url}/form/payout-${form}`);
	}

	/** Uploads a file and waits for what the check found. */
	async check(file: UploadedFile): Promise<{ page: Page; found: Check }> {
		const page = await this.open('upload', this.people.clerk);
		await upload(page, file);
		return { page, found: await readCheck(page) };
	}

	/** Uploads a file and asks for approval. */
	async ask(file: UploadedFile): Promise<{ run: string; found: Check }> {
		const { page, found } = await this.check(file);
		return { run: await askForApproval(page), found };
	}

	/** Opens a payout run as the approver, or as another user. */
	async review(run: string, user = this.people.approver): Promise<{ page: Page; seen: Review }> {
		const page = await this.open('approval', user);
		await listRuns(page);
		return { page, seen: await openRun(page, run) };
	}

	/** Decides as the approver, and returns what the approver saw. */
	async decide(
		run: string,
		decision: 'Approve' | 'Reject',
		options?: { comment?: string; payToo?: number[] },
	): Promise<Review> {
		const { page, seen } = await this.review(run);
		const message = await decide(page, decision, options);
		if (message.startsWith('Nothing was changed')) throw new Error(message);
		return seen;
	}

	/** Asks for the result file of a payout run. */
	async result(run: string) {
		const page = await this.open('result', this.people.clerk);
		const { name, content, message } = await receiveResult(page, run);
		return { name, message, rows: readXlsx<ResultRow>(content) };
	}

	/** The rows of a payout run in the table, as they are now. */
	async rowsOf(run: string): Promise<Row[]> {
		const rows = new Map<unknown, Row>();
		for (const record of await readTable(this.n8n, 'payout_payments'))
			if (record.run === run && rank(record) >= rank(rows.get(record.row)))
				rows.set(record.row, record);
		return [...rows.values()];
	}

	/** Waits until each row of a payout run has an outcome. */
	async untilOver(run: string, timeoutMs = 120_000): Promise<void> {
		const isOver = async () => {
			const rows = await this.rowsOf(run);
			return rows.length > 0 && rows.every(({ outcome }) => outcome);
		};
		await waitUntil(`payout run ${run} is over`, isOver, { timeoutMs, intervalMs: 1000 });
	}

	/** Uploads a file, has it approved, and returns the result file. */
	async payOut(file: UploadedFile, options?: { payToo?: number[] }) {
		const { run, found } = await this.ask(file);
		const seen = await this.decide(run, 'Approve', options);
		await this.untilOver(run);
		return { run, found, seen, ...(await this.result(run)) };
	}
}
