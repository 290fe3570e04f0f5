import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Download, Locator, Page } from 'playwright-core';
import type { N8nClient } from '../../../host/n8n/client';
import { waitUntil } from '../../../host/waitUntil';
import { openPage } from './browser';

/*
 * The pages of the payout run, as the person who uploads and those who approve use them.
 */

/** A file as a person selects it. */
export interface UploadedFile {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** What the page after an upload shows. Tables have the cells of each row. */
export interface Check {
	/** What an approval pays, or why the file can't be used. */
	headline: string;
	/** Row, column, supplier, invoice, amount, and what to correct. */
	toCorrect: string[][];
	held: string[][];
	leftOut: string[][];
}

/** What the approver sees of a run. */
export interface Review {
	/** The paragraphs above the tables. */
	text: string;
	/** Row, supplier, account, country, invoice, amount, method, approvals, and note. */
	toPay: string[][];
	others: string[][];
	/** The label of each checkbox. */
	held: string[];
	decisions: string[];
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

/**
 * An address of a machine, for a proxy to say. n8n lets each address sign in to 50 forms in five
 * minutes, and to 100 in a quarter of an hour (N8N_OAUTH_SERVER_AUTHORIZE_RATE_LIMIT, and the rate
 * limit of its OAuth library). Opening a form is signing in, also with a session.
 */
const newAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join('.')}`;

/** Makes a browser profile on a machine of its own that is signed in to n8n as a user. */
export async function signInAs(browser: Browser, user: N8nClient): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: SIZE,
		acceptDownloads: true,
		extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
	});
	context.setDefaultTimeout(90_000);
	const cookies = user.session.split('; ').map((cookie) => {
		const [name, ...value] = cookie.split('=');
		return { name, value: value.join('='), url: new URL(user.url).origin };
	});
	await context.addCookies(cookies);
	// A page of n8n asks once a second if the next one is there.
	await context.addInitScript(
		'const wait = setTimeout; window.setTimeout = (task, ms) => wait(task, ms / 4);',
	);
	return context;
}

/**
 * Opens a form of n8n, and allows it what n8n asks. Forms are opened one after the other in a
 * profile, because n8n keeps the sign-in that is on its way in one cookie.
 */
export async function openFormIn(context: BrowserContext, url: string): Promise<Page> {
	const page = await context.newPage();
	const response = await page.goto(url);
	if (response?.status() !== 200)
		throw new Error(`${page.url()}: ${response?.status()} ${await response?.text()}`);
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
	const headline = page.getByText(/^Paid after an approval:|^This file can't be used/);
	await headline.waitFor();
	return {
		headline: await headline.innerText(),
		toCorrect: await tableBelow(page, /^Rows to correct/),
		held: await tableBelow(page, /^Held/),
		leftOut: await tableBelow(page, /^Left out/),
	};
}

/** Uploader: asks for approval, and returns the number of the run. */
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

/** Opens the list of the runs that wait for this person, as text; it can say that none does. */
export async function listRuns(page: Page): Promise<string> {
	await press(page, 'Show payout runs');
	const list = page.locator('table, p strong').first();
	await page.getByText('Choose a run to see its payments.').waitFor();
	await list.waitFor();
	return await list.innerText();
}

/** Approver: opens a run of the list, and reads what it shows. */
export async function openRun(page: Page, run: string): Promise<Review> {
	await page.locator('select').selectOption({ label: run });
	await press(page, 'Show payments');
	const text = page.locator('p:has(strong)').filter({ hasText: /^Run \d+:|nothing to decide/ });
	await text.first().waitFor();
	return {
		text: (await page.locator('form p').allInnerTexts()).join('\n'),
		toPay: await tableBelow(page, /^To pay/),
		others: await tableBelow(page, /^Can't be approved now/),
		held: await page.locator('label', { hasText: /^Pay row/ }).allInnerTexts(),
		decisions: await page
			.locator('label', { hasText: /^(Approve|Decline all|Withdraw all)$/ })
			.allInnerTexts(),
	};
}

/**
 * Decides about the run that is open.
 * @param pay the numbers of the held rows that are to be paid
 * @returns the heading and the text of the page after it
 */
export async function decide(
	page: Page,
	decision: 'Approve' | 'Decline all' | 'Withdraw all',
	{ comment = '', pay = [] as number[], leaveOut = '' } = {},
): Promise<string> {
	for (const row of pay) await page.getByText(new RegExp(`^Pay row ${row}:`)).click();
	if (leaveOut) await page.getByLabel('Leave Out Rows').fill(leaveOut);
	await page.getByText(decision, { exact: true }).click();
	await page.getByLabel('Comment').fill(comment);
	await press(page, 'Decide');
	// The decision about each payment is saved before, which takes minutes for hundreds of them.
	const saved = page.getByRole('heading', { name: /^(Run \d+|Nothing was changed)$/ });
	await saved.waitFor({ timeout: 240_000 });
	return await page.locator('.header').first().innerText();
}

/** Collects the files that a page downloads, by their names. */
function collectDownloads(page: Page): (name: string | RegExp) => Promise<Buffer> {
	const downloads: Download[] = [];
	page.on('download', (download) => downloads.push(download));
	return async (name) => {
		const isIt = (download: Download) => RegExp(name).test(download.suggestedFilename());
		const found = await waitUntil(`the file ${name}`, () => Promise.resolve(downloads.find(isIt)));
		return readFileSync(await found.path());
	};
}

/** Shows evidence. `receive` waits for one of its files. */
export async function receiveEvidence(page: Page, show: string, which = '') {
	await page.locator('select').selectOption({ label: show });
	await page.getByLabel('Which').fill(which);
	const receive = collectDownloads(page);
	await press(page, 'Show');
	await page.getByRole('heading', { name: new RegExp(`^${show}`) }).waitFor();
	const message = await page.locator('.header').first().innerText();
	return { content: await receive('payments.xlsx'), message, receive };
}

/** Uploader: submits the form without a file, and receives the template. */
export async function receiveTemplate(page: Page, file?: UploadedFile) {
	if (file) await page.locator('input[type=file]').setInputFiles(file);
	const receive = collectDownloads(page);
	await press(page, 'Check the file');
	return {
		text: await readEnding(page, 'No file was read'),
		content: await receive('payments.xlsx'),
	};
}

/** Enters accounts: one in the fields, or those of a file. */
export async function enterPayees(
	page: Page,
	entered: Record<string, string> | UploadedFile,
): Promise<string> {
	if ('buffer' in entered)
		await page.locator('input[type=file]').setInputFiles(entered as UploadedFile);
	else
		for (const [label, value] of Object.entries(entered))
			await page.getByLabel(label, { exact: true }).fill(value);
	await press(page, 'Ask for approval');
	await page.getByRole('heading', { name: 'Accounts' }).waitFor();
	return await page.locator('.header').first().innerText();
}

/** Opens the accounts that wait, or those that can end, and returns the page's text. */
export async function openPayees(page: Page, toEnd = ''): Promise<string> {
	await page.getByLabel('End an Account').fill(toEnd);
	await press(page, 'Show accounts');
	const content = page.locator('table, p strong, label').first();
	await page.getByText("An account that waits, and that you don't tick, is declined.").waitFor();
	await content.waitFor();
	return await page.locator('form').innerText();
}

/** Ticks accounts by their labels, and decides. */
export async function decidePayees(page: Page, ticks: Array<string | RegExp>): Promise<string> {
	for (const tick of ticks) await page.locator('label', { hasText: tick }).first().click();
	await page.getByLabel('What you checked').fill('Called the number in the contract.');
	await press(page, 'Decide');
	await page.getByRole('heading', { name: /^(Accounts|Nothing was changed)$/ }).waitFor();
	return await page.locator('.header').first().innerText();
}
