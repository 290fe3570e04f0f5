import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { openPage } from './browser';

/*
 * The pages of the workflow payout-run-with-approval, as the person who uploads and the person who approves use them.
 */

/** A file as a person selects it. */
export interface UploadedFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** What the page after an upload shows. */
export interface Check {
	summary: string;
	/** Currency, number of payments, and total of each currency. */
	totals: string[][];
	/** Row, column, and what to correct. */
	problems: string[][];
}

const SIZE = { width: 1280, height: 900 };

/** Opens a form in a browser profile of its own; with a user and password where the form asks for one. */
export const openForm = async (
	browser: Browser,
	url: string,
	httpCredentials?: { username: string; password: string },
): Promise<Page> => {
	const page = await openPage(browser, { viewport: SIZE, acceptDownloads: true, httpCredentials });
	await page.goto(url);
	return page;
};

/** Uploader: selects a file, enters a name, and submits. */
export async function upload(page: Page, file: UploadedFile, name: string): Promise<void> {
	await page.locator('input[type=file]').setInputFiles(file);
	await page.getByLabel('Your Name').fill(name);
	await page.getByRole('button', { name: 'Check the file' }).click();
}

const cellsOf = async (page: Page, table: number): Promise<string[][]> => {
	const rows = await page.locator('table').nth(table).locator('tbody tr').all();
	return await Promise.all(rows.map(async (row) => await row.locator('td').allTextContents()));
};

/** Uploader: reads the page that shows what the check found. */
export async function readCheck(page: Page): Promise<Check> {
	const summary = page.getByText(/^\d+ of \d+ rows can be paid/);
	await summary.waitFor();
	const tables = await page.locator('table').count();
	return {
		summary: await summary.innerText(),
		totals: await cellsOf(page, 0),
		problems: tables > 1 ? await cellsOf(page, 1) : [],
	};
}

/** Uploader: selects what happens after the check. */
export async function choose(page: Page, what: string): Promise<void> {
	await page.getByText(what, { exact: true }).click();
	await page.getByRole('button', { name: 'Continue' }).click();
}

/** The heading and the text of a page that ends a form. */
export async function readEnding(page: Page, title: string): Promise<string> {
	const heading = page.getByRole('heading', { name: title });
	await heading.waitFor();
	return await page.locator('.header').first().innerText();
}

/** Uploader: waits for the file that the last page downloads. */
export async function receiveResult(page: Page) {
	const download = await page.waitForEvent('download', { timeout: 120_000 });
	return {
		name: download.suggestedFilename(),
		content: readFileSync(await download.path()),
		message: await readEnding(page, 'The payout run is done'),
	};
}

/** Approver: opens the list of the payout runs that wait, each with its cells. */
export async function listRuns(page: Page, name: string): Promise<string[][]> {
	await page.getByLabel('Your Name').fill(name);
	await page.getByRole('button', { name: 'Show payout runs' }).click();
	const decideButton = page.getByRole('button', { name: 'Decide' });
	const nothing = page.getByRole('heading', { name: 'Nothing waits for approval' });
	await decideButton.or(nothing).first().waitFor();
	return (await decideButton.isVisible()) ? await cellsOf(page, 0) : [];
}

/** Approver: decides about a run of the list. */
export async function decide(
	page: Page,
	run: string,
	decision: 'Approve' | 'Reject',
	comment = '',
): Promise<void> {
	await page.locator('select').selectOption({ label: run });
	await page.getByText(decision, { exact: true }).click();
	await page.getByLabel('Comment').fill(comment);
	await page.getByRole('button', { name: 'Decide' }).click();
	const title = decision === 'Approve' ? 'Approved' : 'Rejected';
	await page.getByRole('heading', { name: title }).waitFor();
}
