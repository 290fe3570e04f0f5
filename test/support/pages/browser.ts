import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContextOptions,
	type Locator,
	type Page,
} from 'playwright-core';
import { requireProgram } from '../../../host/programs.mjs';
import { OWNER } from '../../../host/n8n/client';

/** Where screenshots go; a CI run keeps this folder. */
export const ARTIFACTS = join(__dirname, '..', '..', '..', '.artifacts');

// How n8n marks the parts of its editor; with it, page.getByTestId finds them.
selectors.setTestIdAttribute('data-test-id');

/**
 * Starts the Chromium of this machine, or the browser that the variable CHROMIUM names, without a
 * window.
 */
export async function launchBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: requireProgram('chromium'),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/**
 * Opens a page in a new browser profile. The timeout is long because a step may load the editor or
 * run a workflow.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(90_000);
	return await context.newPage();
}

/** Opens n8n's editor in a fresh browser profile and signs the owner in, as a person does. */
export async function openEditor(
	browser: Browser,
	url: string,
	viewport = { width: 1440, height: 900 },
): Promise<Page> {
	const page = await openPage(browser, { viewport, baseURL: url });
	await page.goto('/signin');
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	return page;
}

/**
 * Types into the search of the node panel, and waits until the first that it finds has this name:
 * it searches a moment after the last letter, and until then shows what it showed before.
 */
export async function searchNodes(page: Page, words: string, name: RegExp): Promise<Locator> {
	const first = page.getByTestId('node-creator-item-name').first();
	await first.waitFor();
	await page.getByTestId('node-creator').locator('input').fill(words);
	const found = first.filter({ hasText: name });
	await found.waitFor();
	return found;
}

/**
 * Opens a node of the workflow that is shown, as a person does: a double click that the canvas
 * moved away from is made again.
 */
export async function openNode(page: Page, name: string): Promise<void> {
	const open = page.getByTestId('ndv');
	const node = page.getByTestId('canvas-node').filter({ hasText: name });
	await node.waitFor();
	for (let tries = 0; tries < 5; tries++) {
		await node.dblclick({ timeout: 10_000 }).catch(() => undefined);
		if (
			await open.waitFor({ timeout: 5000 }).then(
				() => true,
				() => false,
			)
		)
			return;
	}
	throw new Error(`The node "${name}" did not open.`);
}

/** Keeps a screenshot of what the browser shows. */
export const screenshot = async (page: Page, name: string) =>
	await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
