import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import { OWNER } from './client';

/** Where screenshots go; a CI run keeps this folder. */
export const ARTEFACTS = join(dirname(__dirname), '.artefacts');

export interface EditorOptions {
	/** In CSS pixels. */
	width?: number;
	height?: number;
	colorScheme?: 'light' | 'dark';
}

// How n8n marks the parts of its editor; with it, page.getByTestId finds them.
selectors.setTestIdAttribute('data-test-id');

/** Starts the machine's own Chromium, without a window. `npm run test:e2e` names its path in the variable CHROMIUM. */
export async function launchBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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

/** Opens n8n's editor in a fresh browser profile and signs the owner in, as a person does. */
export async function openEditor(browser: Browser, url: string, options: EditorOptions = {}): Promise<Page> {
	const { width = 1440, height = 900, colorScheme = 'light' } = options;
	const context = await browser.newContext({ viewport: { width, height }, colorScheme, baseURL: url });
	const page = await context.newPage();
	await page.goto('/signin');
	await page.locator('input[type=email]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	return page;
}

/** Keeps a picture of what the browser shows; returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
	mkdirSync(ARTEFACTS, { recursive: true });
	const path = join(ARTEFACTS, `${name}.png`);
	await page.screenshot({ path });
	return path;
}
