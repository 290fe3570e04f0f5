import { randomInt } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { N8nClient } from '../../../host/n8n/client';

/* Forms of n8n, as users of n8n fill them in. */

const SIZE = { width: 1280, height: 900 };

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
	// A page of n8n loads a font from elsewhere, and isn't there before that is decided.
	const isElsewhere = ({ hostname }: URL) => hostname !== new URL(user.url).hostname;
	await context.route(isElsewhere, async (route) => await route.abort());
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
