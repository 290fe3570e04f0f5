import type { Page } from 'playwright-core';
import { searchNodes } from './browser';

/*
 * What a new user does by hand, in two tabs of one browser: the page of the sandbox, and n8n's
 * editor. Each step is a function, so that a test can look between them; `shot` keeps a screenshot
 * of each, for docs/quickstart.md.
 */

export interface Tabs {
	editor: Page;
	sandbox: Page;
	shot: (page: Page, name: string) => Promise<unknown>;
}

/** The examples that the form shows in gray. */
const TRANSACTION = {
	amount: '2501.00',
	currency: 'EUR',
	recipientExternalEntityId: 'harbour-bakery',
	recipientExternalPaymentChannelId: 'harbour-bakery-eur-account',
	recipientCountryCode: 'DK',
	reference: 'Invoice 2026-0042',
	externalId: 'INV-2026-0042',
	senderExternalEntityId: 'north-windmills',
	senderExternalPaymentChannelId: 'north-windmills-account',
	senderCountryCode: 'BE',
	paymentScheme: 'SCT',
};
/** What the endpoint of the test URL is called. */
const TEST_ENDPOINT = 'n8n, test';

/** Sandbox, Get started: what to enter in n8n, with the secret that is shown this once. */
export async function connectN8n({ sandbox, shot }: Tabs) {
	await sandbox.goto('/#/start');
	await sandbox.getByRole('button', { name: 'Connect n8n' }).click();
	const shown = sandbox.locator('.reveal code');
	await shown.nth(2).waitFor();
	await shot(sandbox, '1-start');
	const [url, clientId, clientSecret] = await shown.allInnerTexts();
	return { url, clientId, clientSecret };
}

/** Editor: an empty workflow gets a button to start it, and the Payments node behind it. */
export async function addPaymentsNode({ editor, shot }: Tabs) {
	await newWorkflow(editor);
	await addNode(editor, 'manual', /Trigger manually|Manual Trigger/);
	await addNode(editor, 'payment', /^Payments$/, async () => await shot(editor, '2-search'));
	await editor.getByText('Create transaction', { exact: true }).click();
	await editor.getByTestId('ndv').waitFor();
	await shot(editor, '3-node');
}

/**
 * By the plus of the side bar: only so does the editor know whose the workflow, and a credential
 * made in it, is to be.
 */
async function newWorkflow(editor: Page) {
	// What n8n lists, it asks for when it knows the projects. The network is quiet before, too.
	const listed = editor.waitForResponse(/\/rest\/workflows\?.*includeFolders/);
	await editor.goto('/home/workflows');
	await listed;
	await editor.getByTestId('universal-add').click();
	await editor.getByTestId('navigation-menu-item').filter({ hasText: 'New workflow' }).click();
	await editor.getByTestId('canvas-wrapper').waitFor();
}

async function addNode(editor: Page, words: string, name: RegExp, look?: () => Promise<unknown>) {
	await editor
		.getByTestId('node-creator-plus-button')
		.or(editor.getByTestId('canvas-add-button'))
		.first()
		.click();
	const found = await searchNodes(editor, words, name);
	await look?.();
	await found.click();
}

/** Opens the dialog of a new credential from the open node. */
async function openNewCredential(editor: Page) {
	const none = editor.getByTestId('node-credentials-empty-state').getByRole('button');
	await editor.getByTestId('node-credentials-select').or(none).first().click();
	const dialog = editor.getByTestId('credential-edit-dialog');
	const create = editor.getByTestId('node-credentials-select-item-new').filter({ visible: true });
	await dialog.or(create).first().waitFor();
	if (!(await dialog.isVisible())) await create.click();
	await dialog.waitFor();
}

const parameter = (editor: Page, name: string) =>
	editor.getByTestId(`parameter-input-${name}`).locator('input');

/**
 * Editor: the credential, typed in; n8n tests it when it is saved. Resolves with what it complains
 * of.
 */
export async function fillInCredential(
	{ editor, shot }: Tabs,
	service: { url: string; clientId: string; clientSecret: string },
) {
	await openNewCredential(editor);
	for (const [name, value] of Object.entries({
		authUrl: service.url,
		clientId: service.clientId,
		clientSecret: service.clientSecret,
	})) {
		await parameter(editor, name).fill(value);
	}
	await shot(editor, '4-credential');
	return await saveCredential(editor);
}

/**
 * n8n closes the dialog by itself when the test of the credential succeeds. Resolves with what it
 * complains of otherwise.
 */
async function saveCredential(editor: Page) {
	const dialog = editor.getByTestId('credential-edit-dialog');
	const failure = dialog.getByText('Couldn’t connect with these settings');
	await editor.getByTestId('credential-save-button').click();
	const closed = dialog.waitFor({ state: 'hidden' }).then(() => undefined);
	return await Promise.race([
		closed,
		failure.waitFor().then(async () => await failure.locator('..').innerText()),
	]);
}

/** Editor: the fields are filled in and the node is run. */
export async function createTransaction({ editor, shot }: Tabs) {
	for (const [name, value] of Object.entries(TRANSACTION))
		await parameter(editor, name).fill(value);
	await parameter(editor, 'externalCreatedAt').fill('2026-11-24 09:00:00');
	await parameter(editor, 'externalCreatedAt').press('Enter');
	await executeNode(editor);
	await editor.getByTestId('node-run-status-success').waitFor();
	await editor.getByTestId('output-panel').getByText('created').first().waitFor();
	await shot(editor, '5-transaction');
	return await editor.getByTestId('output-panel').innerText();
}

/** Editor: presses Execute step of the open node. */
const executeNode = async (editor: Page) =>
	await editor.getByTestId('node-execute-button').first().click();

/** Sandbox, Transactions: what the page shows. */
export async function lookAtTransactions({ sandbox, shot }: Tabs) {
	await sandbox.goto('/#/transactions');
	await sandbox.getByText(TRANSACTION.reference).first().waitFor();
	await shot(sandbox, '6-transactions');
	return await sandbox.locator('main').innerText();
}

/**
 * Editor: a second workflow, which begins with the trigger. Resolves with the trigger's test URL.
 */
export async function addTrigger({ editor, shot }: Tabs) {
	await newWorkflow(editor);
	await addNode(editor, 'payment', /^Payments$/);
	await editor.getByText('On all events').first().click();
	await editor.getByTestId('ndv').waitFor();
	await editor.getByText('Webhook URLs').click();
	const url = await urlOf(editor, 'webhook-test');
	await shot(editor, '7-trigger');
	return url;
}

/** The address that the open trigger shows. */
async function urlOf(editor: Page, kind: 'webhook' | 'webhook-test') {
	const url = editor.getByText(new RegExp(`^http\\S+/${kind}/\\S+$`)).first();
	await url.waitFor();
	return await url.innerText();
}

/** Editor: the same trigger's production URL. */
async function productionUrl({ editor }: Tabs) {
	await editor.getByTestId('ndv').getByText('Production URL', { exact: true }).first().click();
	return await urlOf(editor, 'webhook');
}

/** Sandbox, Webhooks: the endpoint, and its secret. */
export async function registerEndpoint(
	{ sandbox, shot }: Tabs,
	url: string,
	label = TEST_ENDPOINT,
) {
	await sandbox.goto('/#/webhooks');
	await sandbox.getByLabel('URL').fill(url);
	await sandbox.getByLabel('Label').fill(label);
	await sandbox.getByRole('button', { name: 'Add endpoint' }).click();
	const added = sandbox.locator('.endpoint').filter({ hasText: label });
	const secret = await added.locator('.reveal code').innerText();
	await shot(sandbox, '8-endpoint');
	return secret;
}

/** Sandbox, Webhooks: the endpoint goes. */
async function deleteEndpoint({ sandbox }: Tabs, label: string) {
	sandbox.once('dialog', (dialog) => void dialog.accept());
	await sandbox.getByRole('button', { name: `Delete ${label}` }).click();
	await sandbox.getByRole('button', { name: `Delete ${label}` }).waitFor({ state: 'hidden' });
}

/**
 * Editor: another secret goes into the credential that the trigger has. n8n leaves the dialog of a
 * credential that is changed open.
 */
async function changeSecret({ editor }: Tabs, secret: string) {
	const dialog = editor.getByTestId('credential-edit-dialog');
	await editor.getByTestId('credential-edit-button').click();
	await parameter(editor, 'secret').fill(secret);
	await editor.getByTestId('credential-save-button').click();
	await editor.getByText('Saved', { exact: true }).waitFor();
	await editor.keyboard.press('Escape');
	await dialog.waitFor({ state: 'hidden' });
}

/**
 * Editor: the secret goes into the credential of the trigger. Resolves with what n8n complains of.
 */
export async function fillInSecret({ editor, shot }: Tabs, secret: string) {
	await openNewCredential(editor);
	await parameter(editor, 'secret').fill(secret);
	await shot(editor, '9-secret');
	return await saveCredential(editor);
}

/** Editor listens, the sandbox sends a test event. Resolves with what the trigger put out. */
export async function hearEvent({ editor, sandbox, shot }: Tabs) {
	await executeNode(editor);
	await editor.getByTestId('trigger-listening').waitFor();
	await sandbox.locator('.endpoint').getByRole('button', { name: 'Send', exact: true }).click();
	const delivery = sandbox.getByRole('row').filter({ hasText: /DELIVERED|RETRYING/ });
	await delivery.waitFor();
	const outcome = await delivery.innerText();
	if (!outcome.includes('DELIVERED')) throw new Error(`The test event was not taken: ${outcome}`);
	await editor.getByTestId('node-run-status-success').waitFor();
	await editor.getByTestId('output-panel').getByText('PAYMENT.STATUS_UPDATED').first().waitFor();
	await shot(editor, '10-event');
	return await editor.getByTestId('output-panel').innerText();
}

/**
 * Both: the endpoint of the test URL goes, one of the production URL comes, and its secret goes
 * into the trigger's credential.
 */
export async function moveToProduction(tabs: Tabs) {
	await deleteEndpoint(tabs, TEST_ENDPOINT);
	const quiet = { ...tabs, shot: async () => {} };
	await changeSecret(tabs, await registerEndpoint(quiet, await productionUrl(tabs), 'n8n'));
}

/** Editor: closes the open node and publishes the workflow. */
export async function publish({ editor, shot }: Tabs) {
	await editor.keyboard.press('Escape');
	await editor.getByTestId('ndv').waitFor({ state: 'hidden' });
	const button = editor.getByTestId('workflow-open-publish-modal-button');
	await button.click();
	await editor.getByTestId('workflow-publish-button').click();
	await button.filter({ hasText: 'Published' }).waitFor();
	await shot(editor, '11-published');
	await editor.getByRole('button', { name: 'Got it' }).click();
}

/** Editor: runs the workflow of the first transaction once more, with another External ID. */
export async function createAnotherTransaction({ editor }: Tabs, address: string) {
	await editor.goto(address);
	await editor.getByTestId('ndv').waitFor();
	await parameter(editor, 'externalId').fill('INV-2026-0043');
	await executeNode(editor);
	await editor.getByTestId('node-run-status-success').waitFor();
	await editor.getByTestId('output-panel').getByText('INV-2026-0043').first().waitFor();
}

/**
 * Editor: the executions of the trigger's workflow, once so many have succeeded; resolves with what
 * the list says of each.
 */
export async function lookAtRuns({ editor, shot }: Tabs, address: string, count: number) {
	await editor.goto(address);
	await editor.getByTestId('radio-button-executions').click();
	const runs = editor.getByTestId('current-executions-list').getByTestId(/^execution-details-/);
	await runs
		.filter({ hasText: 'Succeeded' })
		.nth(count - 1)
		.waitFor();
	await editor.keyboard.press('Escape'); // n8n's checklist for what is published covers the list
	await shot(editor, '12-executions');
	return await runs.allInnerTexts();
}
