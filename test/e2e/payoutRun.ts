import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SandboxClient } from '../../sandbox/client';
import { readXlsx, toCsv, type PayoutFile } from '../support/builders/payoutFile';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { addRows, changeRows, readTable } from '../../host/n8n/dataTables';
import { alertCredentials } from './alertCredentials';
import { calling } from './askForPayments';
import {
	askForApproval,
	decide,
	decidePayees,
	enterPayees,
	listRuns,
	openFormIn,
	openPayees,
	openRun,
	readCheck,
	receiveEvidence,
	signInAs,
	upload,
	type Check,
	type Review,
	type UploadedFile,
} from '../support/pages/payoutRun';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { waitUntil } from '../../host/waitUntil';
import { createSeals } from './modelTables';

/*
 * The jobs of the payout run in service, used as the person who uploads and those who approve.
 */

export const CLERK = 'lena.fischer@payments.example';
export const APPROVER = 'amir.khan@payments.example';
export const DEPUTY = 'ines.costa@payments.example';

const START = 'When clicking ‘Execute workflow’';

/** The invoices that the service has recorded, each as often as it has it. */
export async function recordedInvoices(sandbox: SandboxClient): Promise<string[]> {
	const { items } = await sandbox.listTransactions({ limit: 1000 });
	return items.map(({ transaction }) => transaction.reference);
}

/** The people, as users of an n8n. */
export interface People {
	clerk: N8nClient;
	approver: N8nClient;
	deputy: N8nClient;
}

/** A row of the file of the evidence. */
export interface EvidenceRow {
	Row: number;
	Invoice: string;
	Amount: number;
	Result: string;
	Explanation?: string;
	'Seal Is Right': string;
}

/** A row of the data table `payments`, whose columns are all text. */
export type PaymentRow = Record<string, string>;

type Form = 'payout-upload' | 'payout-approval' | 'payment-evidence' | 'payees' | 'payees-approval';
type Job =
	| 'log'
	| 'check'
	| 'save'
	| 'upload'
	| 'approve'
	| 'pay'
	| 'follow'
	| 'evidence'
	| 'payees';

const FILES: Record<Job, string> = {
	log: 'payment-log',
	check: 'check-payments',
	save: 'save-payout-run',
	payees: 'payees',
	upload: 'payout-run-1-upload',
	approve: 'payout-run-2-approve',
	pay: 'payout-run-3-pay',
	follow: 'payout-run-4-follow',
	evidence: 'payment-evidence',
};

/** What a test makes shorter, so that nothing waits for minutes. */
const FASTER: Partial<Record<Job, Array<[node: string, from: string, to: string]>>> = {
	pay: [
		[
			'Every Minute',
			'"field":"minutes","minutesInterval":1',
			'"field":"seconds","secondsInterval":3',
		],
		['Take Lock', 'plus({ minutes: 15 })', 'plus({ seconds: 40 })'],
		['Next Batch', 'plus({ minutes: 7 })', 'plus({ seconds: 5 })'],
		['Lost Answers', 'RETRY_AFTER_MINUTES = 5', 'RETRY_AFTER_MINUTES = 0.05'],
		['Pay', '"maxRetryTime":30', '"maxRetryTime":2'],
	],
};

function makeFaster({ nodes }: WorkflowJson, changes: Array<[string, string, string]> = []) {
	for (const [name, from, to] of changes) {
		const node = nodes.find((one) => one.name === name)!;
		const before = JSON.stringify(node.parameters);
		node.parameters = JSON.parse(before.replace(from, to)) as typeof node.parameters;
		if (JSON.stringify(node.parameters) === before) throw new Error(`${name}: no ${from}`);
	}
}

/** The jobs in service, and their pages in a browser. */
export class PayoutRunJob {
	private readonly profiles = new Map<N8nClient, BrowserContext>();

	private constructor(
		private readonly n8n: N8nClient,
		private readonly browser: Browser,
		readonly people: People,
		readonly workflows: Record<Job, StoredWorkflow>,
		readonly mails: Mail[],
		readonly seals: Credential,
		private readonly mailServer: MailServer,
	) {}

	/**
	 * Stores and publishes the workflows, with three users, and approvers in the settings.
	 * @param importFolder n8n's command, by which they call each other and find their credentials;
	 *   without it, they're imported one by one, as in the editor
	 */
	static async putIntoService(
		n8n: N8nClient,
		sandbox: SandboxClient,
		paymentsApi: Credential,
		browser: Browser,
		importFolder?: (folder: string) => Promise<void>,
	): Promise<PayoutRunJob> {
		const mails: Mail[] = [];
		const mailServer = await startMailServer((mail) => mails.push(mail));
		const setUp = await n8n.importWorkflow(readExample('jobs/set-up-payments'), []);
		const { status } = await n8n.run(setUp, START);
		if (status !== 'success') throw new Error(`Set up payments: ${status}`);
		const people = {
			clerk: await n8n.addMember(CLERK, 'Lena', 'Fischer'),
			approver: await n8n.addMember(APPROVER, 'Amir', 'Khan'),
			deputy: await n8n.addMember(DEPUTY, 'Ines', 'Costa'),
		};
		// Who uploads is among the approvers here, so that the tests see that it doesn't help.
		for (const value of [APPROVER, DEPUTY, CLERK])
			await addRows(n8n, 'settings', [{ setting: 'approver', currency: '', value, note: '' }]);
		const seals = await createSeals(n8n);
		const credentials = [paymentsApi, seals, ...(await alertCredentials(n8n, mailServer.port))];
		const workflows = {} as Record<Job, StoredWorkflow>;
		const byName: Record<string, StoredWorkflow> = {};
		const examples = Object.entries(FILES).map(([job, file]) => {
			const example = readExample(`jobs/${file}`);
			makeFaster(example, FASTER[job as Job]);
			return { job: job as Job, example: { ...example, id: file } };
		});
		const { example: follow } = examples.find(({ job }) => job === 'follow')!;
		const { production } = await n8n.webhookUrls(follow, 'Payments Trigger');
		const events = ['PAYMENT.STATUS_UPDATED'] as const;
		const { secret } = await sandbox.createEndpoint({ url: production, events: [...events] });
		credentials.push(await createPaymentsWebhookApi(n8n, secret));
		if (importFolder) {
			const folder = mkdtempSync(join(tmpdir(), 'payments-jobs-'));
			for (const { example } of examples)
				writeFileSync(join(folder, `${example.id}.json`), JSON.stringify(example));
			await importFolder(folder);
			rmSync(folder, { recursive: true });
		}
		for (const { job, example } of examples) {
			const { id, ...anew } = example;
			workflows[job] = importFolder
				? await n8n.send('GET', `/workflows/${id}`)
				: await n8n.importWorkflow(calling(anew, byName), credentials);
			byName[example.name] = workflows[job];
			await n8n.activate(workflows[job]);
		}
		return new PayoutRunJob(n8n, browser, people, workflows, mails, seals, mailServer);
	}

	async stop(): Promise<void> {
		for (const workflow of Object.values(this.workflows)) await this.n8n.deactivate(workflow);
		await this.mailServer.stop();
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
		const options = { proxy: false as const, validateStatus: null, maxRedirects: 0 };
		await waitUntil('the forms are there', async () => {
			const { status } = await axios.get(`${this.n8n.url}/form/payment-evidence`, options);
			return status !== 404 && status < 500;
		});
	}

	async open(form: Form | 'payment-status', user: N8nClient): Promise<Page> {
		const profile = this.profiles.get(user) ?? (await signInAs(this.browser, user));
		this.profiles.set(user, profile);
		return await openFormIn(profile, `${this.n8n.url}/form/${form}`);
	}

	/** Uploads a file and waits for what the check found. */
	async check(file: UploadedFile): Promise<{ page: Page; found: Check }> {
		const page = await this.open('payout-upload', this.people.clerk);
		await upload(page, file);
		return { page, found: await readCheck(page) };
	}

	/** Uploads a file and asks for approval. */
	async ask(file: UploadedFile): Promise<{ run: string; found: Check }> {
		const { page, found } = await this.check(file);
		return { run: await askForApproval(page), found };
	}

	/** Opens a run as the approver, or as another user. */
	async review(run: string, user = this.people.approver): Promise<{ page: Page; seen: Review }> {
		const page = await this.open('payout-approval', user);
		await listRuns(page);
		return { page, seen: await openRun(page, run) };
	}

	/** Decides as the approver, or as another user. */
	async decide(
		run: string,
		decision: Parameters<typeof decide>[1],
		{ user, ...options }: { user?: N8nClient } & Parameters<typeof decide>[2] = {},
	): Promise<{ seen: Review; says: string }> {
		const { page, seen } = await this.review(run, user);
		return { seen, says: await decide(page, decision, options) };
	}

	/** Shows evidence to the person who uploads. */
	async evidence(show: 'Open items' | 'A payout run' | 'A day', which?: string) {
		const page = await this.open('payment-evidence', this.people.clerk);
		const { content, message, receive } = await receiveEvidence(page, show, which);
		return { message, rows: readXlsx<EvidenceRow>(content), receive };
	}

	/** Enters one account as the person who uploads. */
	async enter(payee: Record<string, string>): Promise<string> {
		return await enterPayees(await this.open('payees', this.people.clerk), payee);
	}

	/** Enters accounts as the person who uploads, and has those approved that are new. */
	async approvePayees(payees: Array<[supplier: string, account: string, country: string]>) {
		const lines = payees.map((one) => [...one, 'Paid before'].join(';'));
		const page = await this.open('payees', this.people.clerk);
		await enterPayees(page, {
			name: 'payees.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from(['Supplier;Supplier Account;Country;Evidence', ...lines].join('\n')),
		});
		const approval = await this.open('payees-approval', this.people.approver);
		if (/No account waits/.test(await openPayees(approval))) return;
		await decidePayees(approval, [/^All of them$/]);
	}

	/** Has the accounts of a payout file approved. */
	async approvePayeesOf({ rows }: PayoutFile) {
		const payees = rows
			.filter((row) => row !== undefined)
			.map((row) => [String(row[1]), String(row[2]), String(row[3])] as [string, string, string]);
		const known = new Map(
			payees.filter((one) => one.every(Boolean)).map((one) => [one[0] + one[1], one]),
		);
		await this.approvePayees([...known.values()]);
	}

	/** The payments of a run in the table, in the order of the file. */
	async rowsOf(run: string): Promise<PaymentRow[]> {
		const rows = (await readTable(this.n8n, 'payments')) as unknown as PaymentRow[];
		return rows.filter((row) => row.run === run);
	}

	/** The entries of the log. */
	async log(): Promise<Array<Record<string, string>>> {
		return (await readTable(this.n8n, 'log')) as unknown as Array<Record<string, string>>;
	}

	/** How many payments of a run have each result. */
	async resultsOf(run: string): Promise<Record<string, number>> {
		const counts: Record<string, number> = {};
		for (const { result } of await this.rowsOf(run)) counts[result] = (counts[result] ?? 0) + 1;
		return counts;
	}

	/** Waits until each payment of a run has one of these results. */
	async untilAll(run: string, results: string[], timeoutMs = 120_000): Promise<void> {
		const isSo = async () => {
			const rows = await this.rowsOf(run);
			return rows.length > 0 && rows.every(({ result }) => results.includes(result));
		};
		await waitUntil(`run ${run}: ${results.join(' or ')}`, isSo, { timeoutMs, intervalMs: 500 });
	}

	/** Changes a setting, as its owner does in the table. */
	async changeSetting(setting: string, value: string): Promise<void> {
		await changeRows(this.n8n, 'settings', { column: 'setting', value: setting }, { value });
	}

	/** Uploads a file, has it approved, and waits until the service has the payments. */
	async payOut(file: PayoutFile, name: string) {
		const { run, found } = await this.ask(toCsv(file, name));
		const { seen, says } = await this.decide(run, 'Approve');
		await this.untilAll(run, ['accepted', 'paid']);
		return { run, found, seen, says };
	}
}
