import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { readExample } from '../../host/n8n/credentials';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { readXlsx } from '../support/builders/payoutFile';
import type { Difference } from '../support/builders/statement';
import { openFormIn } from '../support/pages/payoutRun';
import { alertCredentials } from './alertCredentials';
import { createSeals } from './modelTables';

/* The jobs daily-reconciliation and statement-reconciliation: putting them into service. */

export interface FileRow {
	List: string;
	Invoice: string;
	Supplier: string;
	'External ID': string;
	Sent: number | '';
	Currency: string;
	Booked: number | '';
	'Text of the entry': string;
	Finding: string;
}

export async function putMorningIntoService(
	n8n: N8nClient,
	mailPort: number,
): Promise<StoredWorkflow> {
	const workflow = await n8n.importWorkflow(readExample('jobs/daily-reconciliation'), [
		await createSeals(n8n),
		...(await alertCredentials(n8n, mailPort)),
	]);
	await n8n.activate(workflow);
	return workflow;
}

export async function putStatementsIntoService(n8n: N8nClient): Promise<StoredWorkflow> {
	const example = readExample('jobs/statement-reconciliation');
	const workflow = await n8n.importWorkflow(example, [await createSeals(n8n)]);
	await n8n.activate(workflow);
	return workflow;
}

/** Selects a statement in the form, and submits it. */
export async function submitStatement(
	profile: BrowserContext,
	n8n: N8nClient,
	name: string,
	content: string,
): Promise<Page> {
	const page = await openFormIn(profile, `${n8n.url}/form/reconcile-statement`);
	await page
		.locator('input[type=file]')
		.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
	await page.getByRole('button', { name: 'Compare' }).click();
	return page;
}

/** Uploads a statement. Resolves with the page of the result, and the rows of its file. */
export async function uploadStatement(
	...[profile, n8n, name, content]: Parameters<typeof submitStatement>
) {
	const page = await submitStatement(profile, n8n, name, content);
	const download = await page.waitForEvent('download', { timeout: 120_000 });
	return { page, rows: readXlsx<FileRow>(readFileSync(await download.path())) };
}

/** The rows of the file without those that match. */
export const differencesIn = (rows: FileRow[]) =>
	rows
		.filter(({ List }) => List !== 'Matched')
		.map(({ List, Invoice, Sent, Booked, Currency, 'Text of the entry': text }) => [
			List,
			Invoice || text,
			Sent === '' ? '' : `${Sent.toFixed(2)} ${Currency}`,
			Booked === '' ? '' : Booked.toFixed(2),
		])
		.sort();

/** Known differences as `differencesIn` has them. */
export const asInFile = (differences: Difference[]) =>
	differences
		.map(([list, text, sent, booked]) => [list, text, sent, booked.replace(/ .*/, '')])
		.sort();
