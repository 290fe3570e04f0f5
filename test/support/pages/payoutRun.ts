import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { N8nClient } from '../../../host/n8n/client';
import { openPage } from './browser';

/*
 * The pages of the workflow payout-run-with-approval, as the person who uploads and the person who
 * approves use them.
 */

/** A file as a person selects it. */
export interface UploadedFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** What the page after an upload shows. Tables have the cells of each row. */
export interface Check {
	summary: string;
	/** Currency, number of payments, and total of each currency. */
	totals: string[][];
	/** Row, cell, and what to correct. */
	toCorrect: string[][];
	possiblyPaid: string[][];
	notAskedFor: string[][];
}

/** What the approver sees of a payout run. */
export interface Review {
	summary: string;
	lookFirst: string[][];
	/** All payments, or the largest ones. */
	payments: string[][];
	leftOut: string[][];
}

const SIZE = { width: 1280, height: 900 };

/**
 * Opens a form in a browser profile of its own; with a user and password where the form asks for
 * one.
 */
export const openForm = async (
	browser: Browser,
	url: string,
	httpCredentials?: { username: string; password: string },
): Promise<Page> => {
	const page = await openPage(browser, { viewport: SIZE, acceptDownloads: true, httpCredentials });
	await page.goto(url);
	return page;
};

/** Makes a browser profile that is signed in to n8n as a user. */
export async function signInAs(browser: Browser, user: N8nClient): Promise<BrowserContext> {
	const context = await browser.newContext({ viewport: SIZE, acceptDownloads: true });
	context.setDefaultTimeout(90_000);
	const cookies = user.session.split('; ').map((cookie) => {
		const [name, ...value] = cookie.split('=');
		return { name, value: value.join('='), url: new URL(user.url).origin };
	});
	await context.addCookies(cookies);
	// A page of n8n asks once a second if the next one is there.
	await context.addInitScript(
		'const wait = setTimeout; window.setTimeout = (task, ms) => wait(task, ms / 10);',
	);
	return context;
}

/** Opens a form of n8n, and allows it what n8n asks. */
export async function openFormIn(context: BrowserContext, url: string): Promise<Page> {
	const page = await context.newPage();
	await page.goto(url);
	const allow = page.getByRole('button', { name: 'Allow access' });
	const submit = page.locator('#submit-btn');
	await allow.or(submit).first().waitFor();
	if (await allow.isVisible()) {
		await allow.click();
		await submit.waitFor();
	}
	return page;
}

/** The heading and the text of a page that ends a form. */
export async function readEnding(page: Page, title: string): Promise<string> {
	const heading = page.getByRole('heading', { name: title });
	await heading.waitFor();
	return await page.locator('.header').first().innerText();
}

const press = async (page: Page, name: string) => await page.getByRole('button', { name }).click();

/** The cells of each row of a table; none when there's no such table. */
async function cellsOf(table: Locator): Promise<string[][]> {
	const columns = await table.locator('th').count();
	const cells = await table.locator('td').allTextContents();
	return Array.from({ length: cells.length / (columns || 1) }, (_, row) =>
		cells.slice(row * columns, (row + 1) * columns),
	);
}

const tableBelow = async (page: Page, heading: RegExp) =>
	await cellsOf(
		page.locator('h3').filter({ hasText: heading }).locator('xpath=following-sibling::table[1]'),
	);

/** Uploader: selects a file and submits it. */
export async function upload(page: Page, file: UploadedFile): Promise<void> {
	await page.locator('input[type=file]').setInputFiles(file);
	await press(page, 'Check the file');
}

/** Uploader: reads the page that shows what the check found. */
export async function readCheck(page: Page): Promise<Check> {
	const summary = page.getByText(/^\d+ of \d+ rows can be paid|^This file cannot be used/);
	await summary.waitFor();
	return {
		summary: await summary.innerText(),
		totals: await tableBelow(page, /^Totals/),
		toCorrect: await tableBelow(page, /^Rows to correct/),
		possiblyPaid: await tableBelow(page, /^Possibly paid before/),
		notAskedFor: await tableBelow(page, /^Not asked for/),
	};
}

/** Uploader: asks for approval, and returns the number of the payout run. */
export async function askForApproval(page: Page): Promise<string> {
	await page.getByText('Ask for approval', { exact: true }).click();
	await press(page, 'Continue');
	const heading = page.getByRole('heading', { name: /^Run \d+ waits for approval/ });
	await heading.waitFor();
	return /\d+/.exec(await heading.innerText())![0];
}

/** Uploader: pays nothing. */
export async function stop(page: Page): Promise<void> {
	const choice = page.getByText('Stop, and pay nothing', { exact: true });
	if (await choice.isVisible()) await choice.click();
	await press(page, 'Continue');
	await page.getByRole('heading', { name: 'Nothing was sent' }).waitFor();
}

/** Approver: opens the list of the payout runs that wait, each with its cells. */
export async function listRuns(page: Page): Promise<string[][]> {
	await press(page, 'Show payout runs');
	await page.getByRole('button', { name: 'Show payments' }).waitFor();
	return await cellsOf(page.locator('table'));
}

/** Approver: opens a payout run of the list, and reads what it shows. */
export async function openRun(page: Page, run: string): Promise<Review> {
	await page.locator('select').selectOption({ label: run });
	await press(page, 'Show payments');
	const summary = page.getByText(new RegExp(`^Run ${run}: `));
	await summary.waitFor();
	return {
		summary: await summary.innerText(),
		lookFirst: await tableBelow(page, /^Look at these first/),
		payments: await tableBelow(page, /^All payments|largest of/),
		leftOut: await tableBelow(page, /^Rows left out/),
	};
}

/**
 * Approver: decides about the payout run that is open.
 * @param payToo the rows to pay although they were possibly paid before
 * @param leaveOut the new or unusual rows not to pay
 * @returns the heading and the text of the page after it
 */
export async function decide(
	page: Page,
	decision: 'Approve' | 'Reject',
	{ comment = '', payToo = [] as number[], leaveOut = [] as number[] } = {},
): Promise<string> {
	for (const row of payToo) await page.getByText(new RegExp(`^Pay row ${row}, too`)).click();
	for (const row of leaveOut) await page.getByText(new RegExp(`^Don't pay row ${row}:`)).click();
	await page.getByText(decision, { exact: true }).click();
	await page.getByLabel('Comment').fill(comment);
	await press(page, 'Decide');
	await page.getByRole('heading', { name: /^(Approved|Rejected|Nothing was changed)$/ }).waitFor();
	return await page.locator('.header').first().innerText();
}

/** Asks for the result of a payout run, and receives its file. */
export async function receiveResult(page: Page, run: string) {
	await page.getByLabel('Run').fill(run);
	const downloading = page.waitForEvent('download');
	await press(page, 'Get the result');
	const download = await downloading;
	await page.getByRole('heading', { name: /payout run/i }).waitFor();
	return {
		name: download.suggestedFilename(),
		content: readFileSync(await download.path()),
		message: await page.locator('.header').first().innerText(),
	};
}
