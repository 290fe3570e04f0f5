import { readFileSync } from 'node:fs';

import { launchBrowser, openPage, screenshot } from '../support/pages/browser';
import type { WorkflowJson } from '../../host/n8n/client';
import { createPaymentsApi } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
import type { WebhookEvent } from '../../sandbox/types';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { transaction } from '../support/builders/transactions';
import { sharedN8n } from './shared';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

let browser: Browser;
let sandbox: Sandbox;
let page: Awaited<ReturnType<Browser['newPage']>>;
let receiver: WebhookReceiver;
const problems: string[] = [];

const eventOf = (body: string) => JSON.parse(body) as WebhookEvent;

const go = async (section: string) =>
	await page.getByRole('link', { name: section, exact: true }).first().click();
const said = async (text: string) => await page.getByRole('alert').getByText(text).waitFor();
const rowWith = (text: string) => page.getByRole('row').filter({ hasText: text });

beforeAll(async () => {
	[browser, sandbox, receiver] = await Promise.all([
		launchBrowser(),
		launchSandbox(),
		startWebhookReceiver(),
	]);
	page = await openPage(browser, {
		viewport: { width: 1280, height: 900 },
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	page.on('pageerror', ({ message }) => problems.push(message));
	await page.goto(sandbox.url);
});
afterAll(async () => {
	await receiver.stop();
	await browser.close();
	await sandbox.stop();
});
afterEach(() => expect(problems).toEqual([]));

describe('the page of the sandbox', () => {
	let credentials: { clientId: string; clientSecret: string };

	it('starts with three steps and what to copy, until the first transaction is there', async () => {
		await page.getByRole('button', { name: 'Create the values' }).click();
		await page.getByRole('button', { name: 'Copy Client Secret' }).click();
		await said('Client Secret copied.');
		const clientSecret = await page.evaluate<string>('navigator.clipboard.readText()');
		const [{ clientId }] = (await sandbox.client.listClients()).filter(
			({ name }) => name === 'n8n',
		);
		credentials = { clientId, clientSecret };
		await page.getByRole('button', { name: 'Copy Nodes' }).click();
		await said('Nodes copied.');
		const copied = JSON.parse(
			await page.evaluate<string>('navigator.clipboard.readText()'),
		) as WorkflowJson;
		copied.nodes[1].credentials = { paymentsApi: { id: '', name: '' } };
		const n8n = sharedN8n();
		const workflow = await n8n.importWorkflow({ ...copied, name: 'Pasted', settings: {} }, [
			await createPaymentsApi(n8n, { url: sandbox.url, ...credentials }),
		]);
		await n8n.run(workflow, 'Execute');
		await page.locator('.tile').first().waitFor();
		expect(await page.getByRole('heading', { name: 'Get started' }).count()).toBe(0);
		await sandbox.client.reset({ everything: true });
		await page.getByRole('heading', { name: 'Get started' }).waitFor();
	});

	it('creates a client by keyboard alone, and shows its secret once', async () => {
		const press = async (...keys: string[]) => {
			for (const key of keys) await page.keyboard.press(key);
		};
		await go('Developers');
		await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
		await press('Tab');
		await page.keyboard.type('By keyboard');
		await press('Tab', 'Tab', 'Tab', 'Space', 'Tab', 'Enter');
		await page.getByText('Copy the secret now').waitFor();
		await page.getByRole('button', { name: 'Copy Client Secret' }).click();
		await said('Client Secret copied.');
		const clientSecret = await page.evaluate<string>('navigator.clipboard.readText()');
		await screenshot(page, 'sandbox-client');
		const { clientId, scopes } = (await sandbox.client.listClients()).find(
			({ name }) => name === 'By keyboard',
		)!;
		expect(scopes).toEqual(['PAYMENTS', 'payments.*']);
		credentials = { clientId, clientSecret };
		expect((await askToken(sandbox.url, credentials)).status).toBe(200);
		await page.reload();
		await rowWith('By keyboard').waitFor();
		expect(await page.content()).not.toContain(clientSecret);
	});

	it('creates one client by a double click', async () => {
		await page.getByLabel('Name').fill('By double click');
		await page.getByRole('button', { name: 'Create', exact: true }).dblclick();
		await rowWith('By double click').waitFor();
		const clients = await sandbox.client.listClients();
		expect(clients.filter(({ name }) => name === 'By double click')).toHaveLength(1);
	});

	it('tells tokens of both types apart as they come, without a reload', async () => {
		await askToken(sandbox.url, await sandbox.client.createClient({ name: 'Other' }), {
			scope: 'OXYGEN',
		});
		const tokens = page.getByRole('table', { name: 'Valid tokens' });
		await tokens.getByRole('row').filter({ hasText: 'OXYGEN' }).waitFor();
		expect(await tokens.getByRole('row').filter({ hasText: 'PAYMENTS' }).count()).toBe(1);
	});

	it('adds an endpoint, reveals its secret, and shows what a test event became', async () => {
		await go('Webhooks');
		await page.getByLabel('URL', { exact: true }).fill(receiver.url);
		await page.getByLabel('Label').fill('WebhookReceiver');
		await page.getByRole('button', { name: 'Add endpoint' }).click();
		await page.getByRole('button', { name: 'Reveal secret of WebhookReceiver' }).click();
		const [{ id, events, scheme }] = await sandbox.client.listEndpoints();
		expect([events.length, scheme]).toEqual([3, 'messageSignature']);
		await page.getByText((await sandbox.client.revealSecret(id)).secret).waitFor();

		await page.getByLabel('Test event').fill('PAYEE.CREATED');
		await page.getByRole('button', { name: 'Send', exact: true }).click();
		await rowWith('PAYEE.CREATED').getByText('DELIVERED').waitFor();
		await rowWith('PAYEE.CREATED').getByRole('link', { name: 'PAYEE.CREATED' }).click();
		const sheet = page.getByRole('dialog', { name: 'Delivery' });
		await sheet.getByText('Request headers').click();
		const text = await sheet.textContent();
		for (const part of ['signature-input: fr1=("digest")', 'answer 1', '"event": "PAYEE.CREATED"'])
			expect(text).toContain(part);
		await screenshot(page, 'sandbox-delivery');
		await sheet.getByRole('button', { name: 'Resend' }).click();
		await said('resent');
		await sheet.getByText('Copy of').waitFor();
		await sheet.getByText('DELIVERED').waitFor();
		expect(await page.locator('input[type=url]:user-invalid').count()).toBe(0);
		await page.keyboard.press('Escape');
		await sheet.waitFor({ state: 'hidden' });
		await sandbox.client.idle();
		expect(receiver.received.map(({ body }) => eventOf(body).event)).toEqual([
			'PAYEE.CREATED',
			'PAYEE.CREATED',
		]);
		expect(receiver.received[1].body).toBe(receiver.received[0].body);
	});

	it('adds an endpoint of another scheme with what that scheme needs', async () => {
		await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/hmac');
		await page.getByLabel('Signature scheme').selectOption('HMAC-SHA256 of the body');
		await page.getByLabel('Header').fill('x-hub-signature-256');
		await page.getByLabel('Encoding').selectOption('base64');
		await page.getByLabel('Prefix').fill('sha256=');
		await page.getByLabel('More event types').fill('PAYEE.DELETED, NEW.KIND');
		await page.getByRole('button', { name: 'Add endpoint' }).click();
		await said('The endpoint is added');
		const added = (await sandbox.client.listEndpoints()).at(-1)!;
		expect(added).toMatchObject({
			scheme: 'hmacSha256',
			headerName: 'x-hub-signature-256',
			encoding: 'base64',
			prefix: 'sha256=',
		});
		expect(added.events).toEqual(
			expect.arrayContaining(['PAYMENT.CREATED', 'PAYEE.DELETED', 'NEW.KIND']),
		);
		await page.getByRole('button', { name: 'Delete http://127.0.0.1:9/hmac' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
		await said('The endpoint is deleted');
		expect(await sandbox.client.listEndpoints()).toHaveLength(1);
	});

	it('takes a virtual account through its states', async () => {
		await sandbox.client.changeFaults({ deliveries: { concurrency: 1 } });
		await go('Virtual accounts');
		await page.getByLabel('Label').fill('Web shop');
		await page.getByRole('button', { name: 'Create' }).click();
		const row = rowWith('Web shop');
		await row.getByRole('button', { name: 'Assign bank details' }).click();
		await row.getByText('ACTIVE', { exact: true }).waitFor();
		await row.getByRole('button', { name: 'Block' }).click();
		await row.getByText('BLOCKED').waitFor();
		await row.getByRole('button', { name: 'Unblock' }).click();
		await row.getByRole('button', { name: 'Activate' }).click();
		await row.getByText('ACTIVE', { exact: true }).waitFor();
		await sandbox.client.idle();
		const moves = receiver.received
			.map(({ body }) => eventOf(body))
			.filter(({ event }) => event === 'VIRTUAL_ACCOUNT.STATUS_UPDATED');
		expect(moves.map(({ data }) => data.status)).toEqual([
			'ACTIVE',
			'BLOCKED',
			'UNBLOCKING',
			'ACTIVE',
		]);
	});

	it('simulates an incoming payment and moves it', async () => {
		await go('Payments');
		await page.getByLabel('Reference').fill('Order 77');
		await page.getByRole('button', { name: 'Simulate incoming' }).click();
		const row = rowWith('Order 77');
		await row.getByLabel('Status').selectOption('Processing');
		await row.getByRole('button', { name: 'Move' }).click();
		await row.getByText('PROCESSING').waitFor();
		await row.getByLabel('Status').selectOption('Completed');
		await row.getByRole('button', { name: 'Move' }).click();
		await row.getByText('COMPLETED').waitFor();
		expect((await sandbox.client.listPayments()).items).toMatchObject([
			{ reference: 'Order 77', direction: 'PAYIN', status: 'COMPLETED' },
		]);
	});

	it('shows transactions as they come, duplicates marked', async () => {
		await go('Transactions');
		await page.getByText('No transactions.').waitFor();
		const token = (await askToken(sandbox.url, credentials)).data.access_token;
		for (const id of ['a', 'b', 'b']) await sendTransaction(sandbox.url, token, transaction(id));
		await rowWith('event-b').getByText('duplicate ×1').waitFor();
		await rowWith('event-a').getByText('accepted').waitFor();
		await rowWith('external-a').getByRole('link', { name: 'external-a' }).click();
		const details = page.getByRole('dialog', { name: 'Transaction' });
		await details.getByText('"externalId": "external-a"').last().waitFor();
		await details.getByText('PAYMENT.CREATED').waitFor();
		await details.locator('summary').filter({ hasText: '202' }).click();
		await details.getByText('authorization: Bearer …').last().waitFor();
		await page.keyboard.press('Escape');
		await details.waitFor({ state: 'hidden' });
		await page.waitForURL('**/#/transactions');
		await page.getByLabel('Only duplicates').check();
		await rowWith('event-a').waitFor({ state: 'detached' });
		await page.getByLabel('Only duplicates').uncheck();
		await page.getByLabel('External ID').fill(' external-a ');
		await rowWith('event-b').waitFor({ state: 'detached' });
		await rowWith('event-a').waitFor();
	});

	it('finds a record by any ID, and opens the link of one', async () => {
		await page.getByLabel('Find by any ID').fill('external-b');
		await page.keyboard.press('Enter');
		const details = page.getByRole('dialog', { name: 'Transaction' });
		await details.getByRole('link', { name: /^pmt_/ }).waitFor();
		expect(new URL(page.url()).hash).toBe('#/transactions/event-b');
		await page.reload();
		await details.getByRole('link', { name: /^pmt_/ }).click();
		await page.getByRole('dialog', { name: 'Payment' }).getByText('PAYMENT.CREATED').waitFor();
		await page.keyboard.press('Escape');
		await page.getByLabel('Find by any ID').fill('nowhere');
		await page.keyboard.press('Enter');
		await said('Nothing here has the ID nowhere.');
	});

	it('leads from any ID to a view of it, and from there to what belongs to it', async () => {
		const [{ id: endpoint }] = await sandbox.client.listEndpoints();
		const { items: payments } = await sandbox.client.listPayments({ eventId: 'event-b' });
		const { items: events } = await sandbox.client.listEvents({ about: payments[0].id });
		const { items: deliveries } = await sandbox.client.listDeliveries({ eventId: events[0].id });
		const { items: requests } = await sandbox.client.listRequests({ eventId: 'event-b' });
		const { recipient } = transaction('b');
		for (const [id, hash, name, link] of [
			[recipient.externalEntityId, 'accounts', 'Account', 'external-b'],
			[recipient.externalPaymentChannelId, 'accounts', 'Account', payments[0].id],
			[credentials.clientId, 'clients', 'Client', 'POST /api/v1/transactions'],
			[endpoint, 'endpoints', 'Endpoint', 'PAYMENT.CREATED'],
			[events[0].id, 'events', 'Event', deliveries[0].id],
			[deliveries[0].id, 'deliveries', 'Delivery', endpoint],
			[requests[0].id, 'requests', 'Request', credentials.clientId],
			[payments[0].id, 'payments', 'Payment', 'event-b'],
		]) {
			await page.getByLabel('Find by any ID').fill(id);
			await page.keyboard.press('Enter');
			const details = page.getByRole('dialog', { name, exact: true });
			await details.getByRole('link', { name: link, exact: true }).first().waitFor();
			expect(new URL(page.url()).hash).toBe(`#/${hash}/${id}`);
			await details.getByRole('button', { name: `Copy ${name} ID`, exact: true }).click();
			await said(`${name} ID copied.`);
			expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(id);
			await page.keyboard.press('Escape');
			await details.waitFor({ state: 'hidden' });
			// The dialog is hidden before its close event changes the address.
			await page.waitForURL((url) => !url.hash.endsWith(id));
		}
		await page.goto(`${sandbox.url}/#/endpoints/whe_gone`);
		await page.getByRole('dialog').getByText('No endpoint has this ID.').waitFor();
		await page.keyboard.press('Escape');
	});

	it('shows rejected requests with their reason', async () => {
		await sendTransaction(sandbox.url, 'unknown-token', transaction('c'));
		await go('Requests');
		await page.getByLabel('Response').selectOption('Only rejected');
		await rowWith('401').first().getByText('unknown, revoked, or expired').waitFor();
		await rowWith('401').first().getByRole('link', { name: /^POST/ }).click();
		const details = page.getByRole('dialog', { name: 'Request' });
		await details.getByText('authorization: Bearer …').waitFor();
		expect(await details.textContent()).not.toContain('unknown-token');
		await page.keyboard.press('Escape');
	});

	it('shows the clock, and advances it', async () => {
		await go('Faults');
		await page.getByRole('button', { name: 'Freeze the clock' }).click();
		await page.getByLabel('Advance by (minutes)').fill('90');
		await page.getByRole('button', { name: 'Advance', exact: true }).click();
		await page.getByText('90 minutes from real time').waitFor();
		expect((await sandbox.client.getClock()).frozen).toBe(true);
		await sandbox.client.reset();
		await page.getByText('from real time').waitFor({ state: 'detached' });
	});

	it('asks for faults and takes them back', async () => {
		await go('Faults');
		await page.getByLabel('Rate of 429 (%)').fill('7');
		await page.getByLabel('Retry-After of 429 (s)').fill('2');
		await page.getByLabel('Retry interval (s)').fill('0.5');
		await page.getByRole('button', { name: 'Apply' }).click();
		await said('now in effect');
		expect(await sandbox.client.getFaults()).toMatchObject({
			statuses: [{ status: 429, rate: 0.07, retryAfter: 2 }],
			retries: { attempts: 10, intervalMs: 500 },
		});
		await page.getByLabel('Next fault').selectOption('Connection reset');
		await page.getByRole('button', { name: 'Add' }).click();
		await page.getByText('1 × reset', { exact: true }).waitFor();
		expect((await sandbox.client.getFaults()).next).toEqual([{ fault: 'reset' }]);
		await page.getByRole('button', { name: 'Revoke all tokens' }).click();
		await said('All tokens are revoked');
		expect(await sandbox.client.listTokens()).toEqual([]);
		await page.getByRole('button', { name: 'Switch off all faults' }).click();
		await said('All faults are off');
		expect(await sandbox.client.getFaults()).toMatchObject({
			statuses: [],
			next: [],
			retries: { intervalMs: 600_000 },
		});
	});

	it('saves events that were sent, and replays them in their order', async () => {
		await sandbox.client.reset();
		const [endpoint] = await sandbox.client.listEndpoints();
		const types = [...endpoint.events].reverse();
		expect(types).toHaveLength(3);
		for (const event of types) await sandbox.client.sendTestEvent(endpoint.id, { event });
		await sandbox.client.idle();
		const before = receiver.received.length;
		await go('Event sequences');
		const card = page.locator('section').filter({ hasText: 'Save events that were sent' });
		await card.getByLabel('Name').fill('three-events');
		await card.getByRole('button', { name: 'Save' }).click();
		await said('The events are saved.');
		await page.getByRole('button', { name: 'Replay three-events' }).click();
		await said('three-events is being replayed.');
		await page.getByRole('link', { name: 'Sent' }).nth(2).waitFor();
		await waitUntil('all are replayed', () => receiver.received.length >= before + types.length);
		const replayed = receiver.received.slice(before).map(({ body }) => eventOf(body).event);
		expect(replayed).toEqual(types);
		await page.getByRole('button', { name: 'Delete three-events' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
		await said('The sequence is deleted.');
		await page.getByText('No sequences yet.').waitFor();
	});

	it('saves its state to a file, and loads it: the payments are there, and clients have new secrets', async () => {
		const token = (await askToken(sandbox.url, credentials)).data.access_token;
		await sendTransaction(sandbox.url, token, transaction('kept'));
		await sandbox.client.idle();
		await go('Overview');
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			page.getByRole('link', { name: 'Save state' }).click(),
		]);
		const file = await download.path();
		expect(download.suggestedFilename()).toBe('sandbox-state.json');
		expect(readFileSync(file, 'utf8')).not.toContain(credentials.clientSecret);
		await sandbox.client.reset({ everything: true });
		await page.getByRole('heading', { name: 'Get started' }).waitFor();

		await page.getByLabel('Load state').setInputFiles(file);
		await said('is loaded.');
		await page.getByText('Copy the new secrets now').waitFor();
		expect((await sandbox.client.listPayments()).items).toMatchObject([
			{ metadata: { externalId: 'external-kept' } },
		]);
		await expect(askToken(sandbox.url, credentials)).resolves.toMatchObject({ status: 401 });

		const notJson = { name: 'photo.json', mimeType: 'application/json', buffer: Buffer.from('x') };
		await page.getByLabel('Load state').setInputFiles(notJson);
		await said('photo.json isn’t JSON, so it’s no saved state. Nothing was changed.');
		expect((await sandbox.client.listPayments()).items).toHaveLength(1);
	});

	it('says when the sandbox is gone, and when another one came, that its state is gone', async () => {
		await go('Overview');
		const { port } = new URL(sandbox.url);
		await sandbox.stop();
		await page.locator('#notices').getByText('The sandbox doesn’t respond.').waitFor();
		await screenshot(page, 'sandbox-gone');
		sandbox = await launchSandbox({ port: Number(port) });
		await page.getByText('The sandbox was restarted.').waitFor();
		await screenshot(page, 'sandbox-started-again');
		await go('Transactions');
		await page.getByText('No transactions.').waitFor();
		await page.getByRole('button', { name: 'Dismiss' }).click();
		expect(await page.getByText('The sandbox was restarted.').count()).toBe(0);
	});
});
