import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { COMMANDS, helpFor, runCommand } from '../../sandbox/cli/commands';
import { eventTypes } from '../../sandbox/deliveries/eventCatalog';
import { version } from '../../sandbox/package.json';
import { printedBy, runSandboxCommand } from '../support/servers/sandboxCommand';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

const ID = /\b(?:evt|dlv|whe|seq|pmt|pye)_[0-9a-z]+/g;

const folder = mkdtempSync(join(tmpdir(), 'sandbox-commands-'));
let sandbox: SharedSandbox;
let receiver: WebhookReceiver;
let status: number;

beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([
		sharedSandbox(),
		startWebhookReceiver(() => ({ status })),
	]);
});
afterAll(async () => {
	await receiver.stop();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => {
	status = 200;
	await sandbox.client.reset({ everything: true });
	await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] });
});

/** Runs a command for the sandbox: exit code and everything it printed. */
async function runHere(name: string, ...args: string[]): Promise<[number, string]> {
	const { code, output } = await printedBy(async () => await runCommand(name, args, sandbox.url));
	return [code, output];
}

describe('help', () => {
	it('lists every command, and explains each with its options and an example', async () => {
		const [code, list] = await runSandboxCommand('help');
		expect([code, (await runSandboxCommand('--help'))[1]]).toEqual([0, list]);
		for (const [name, { summary }] of Object.entries(COMMANDS)) {
			expect(list).toContain(name);
			expect(list).toContain(summary);
		}
		const [, text] = await runSandboxCommand('help', 'resend');
		expect(helpFor('resend', 'http://127.0.0.1:8480')).toBe(text);
		for (const name of Object.keys(COMMANDS))
			expect(await runHere(name, '--help')).toEqual([0, helpFor(name, sandbox.url)]);
		for (const words of ['--failed-since TIME', '--retrying', '--url URL', 'For example:'])
			expect(text).toContain(words);
	});

	it('says the version', async () => {
		expect(await runSandboxCommand('--version')).toEqual([0, version]);
	});

	it('lists the commands for a name that is none', async () => {
		const [code, text] = await runSandboxCommand('foo');
		expect([code, text]).toEqual([1, expect.stringContaining('There is no command "foo"')]);
		for (const name of Object.keys(COMMANDS)) expect(text).toContain(name);
	});

	it.each([
		[['events', '--all'], '"help events" explains it'],
		[['find', 'x', '--url', 'localhost'], '--url takes the address of a sandbox'],
		[['find', 'x', '--url', 'http://127.0.0.1:9'], 'No sandbox responds at http://127.0.0.1:9'],
		[['trigger'], 'trigger PAYMENT.STATUS_UPDATED'],
		[['resend'], '--retrying'],
		[['record', 'x', '--last', '0'], '--last takes a whole number from 1 to 200'],
		[['load', '/nowhere/state.json'], "it doesn't exist"],
	])('explains what is wrong with %j', async (args, sentence) => {
		const [name, ...rest] = args;
		expect(await runHere(name, ...rest)).toEqual([1, expect.stringContaining(sentence)]);
	});
});

describe('a command', () => {
	it('trigger warns of an unknown event type with a list of all, but sends it', async () => {
		const [, known] = await runHere('trigger', 'PAYEE.CREATED');
		expect(known).toMatch(/^PAYEE\.CREATED evt_\w+\n {2}dlv_\w+ to http\S+: DELIVERED, 200$/);
		const [code, text] = await runHere('trigger', 'PAYEE.RENAMED');
		expect(code).toBe(0);
		expect(text).toContain("Warning: PAYEE.RENAMED isn't an event type of the catalog");
		for (const event of eventTypes) expect(text).toContain(event);
		expect(text).toMatch(/PAYEE\.RENAMED evt_\w+/);
	});

	it('events prints the ID of each event and what each delivery got, and find finds each ID', async () => {
		status = 503;
		await runHere('trigger', 'PAYMENT.CREATED');
		status = 200;
		await runHere('trigger', 'PAYEE.CREATED');
		const [, text] = await runHere('events');
		expect(text).toMatch(
			/PAYMENT\.CREATED +evt_\w+ +pmt_\w+ +CREATED\n {2}dlv_\w+ to http\S+: RETRYING, 503 after [\d.]+ ms, attempt 1, next attempt 2/,
		);
		expect(text).toMatch(
			/PAYEE\.CREATED +evt_\w+ +pye_\w+.*\n {2}dlv_\w+ to http\S+: DELIVERED, 200/,
		);
		const ids = text.match(ID)!;
		expect(new Set(ids).size).toBe(6);
		for (const id of ids) {
			const { items } = await sandbox.client.search(id);
			expect([id, items.length]).toEqual([id, 1]);
		}
		const [code, found] = await runHere('find', ids[0]);
		expect([code, found]).toEqual([0, `event ${ids[0]}  ${sandbox.url}/#/events/${ids[0]}`]);
		expect((await runHere('find', 'nowhere'))[0]).toBe(1);
	});

	it('resend takes the ID of an event or a delivery, and what failed or waits for a retry', async () => {
		const { client } = sandbox;
		status = 503;
		await client.setFaults({ retries: { attempts: 2, intervalMs: 3_600_000 } });
		const [one, other] = [
			await client.emitEvent({ event: 'PAYEE.CREATED' }),
			await client.emitEvent({ event: 'PAYEE.DELETED' }),
		];
		const retrying = async () => (await client.listDeliveries({ status: 'RETRYING' })).items;
		while ((await retrying()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
		status = 200;
		for (const id of [one.id, one.deliveries[0]])
			expect((await runHere('resend', id))[1]).toMatch(
				/PAYEE\.CREATED evt_\w+: dlv_\w+ resent as dlv_\w+\n1 delivery resent\.$/,
			);
		// The copies have taken the place of the one that was retried.
		expect((await client.getDelivery(one.deliveries[0])).status).toBe('FAILED');
		expect((await runHere('resend', '--retrying'))[1]).toContain(other.id);
		expect(await retrying()).toEqual([]);
		await client.idle();
		expect((await runHere('resend', '--failed-since', '1h'))[1]).toMatch(
			/0 deliveries resent\. 2 left out/,
		);
		expect((await runHere('resend', 'nowhere'))[1]).toContain(
			'no event and no delivery with the ID',
		);
	});

	it('record, sequences, and replay save events and send them again', async () => {
		await runHere('trigger', 'PAYMENT.CREATED');
		await runHere('trigger', 'PAYEE.CREATED');
		expect((await runHere('record', 'both'))[1]).toMatch(
			/^both seq_\w+ {2}2 events\n {2}PAYMENT\.CREATED\n {2}PAYEE\.CREATED$/,
		);
		const [code, text] = await runHere('replay', 'both');
		expect([code, text.match(/DELIVERED, 200/g)]).toEqual([
			0,
			['DELIVERED, 200', 'DELIVERED, 200'],
		]);
		expect((await runHere('replay', 'none'))[1]).toContain('The sequences are: both.');
		expect((await runHere('sequences', '--delete', 'both'))[0]).toBe(0);
		expect((await runHere('sequences'))[1]).toContain('None is saved yet');
	});

	it('save and load write and read the whole state, and nothing changes if it is invalid', async () => {
		const file = join(folder, 'state.json');
		await sandbox.client.createClient({ name: 'Mine' });
		await sandbox.client.createPayment({ amount: '1', currency: 'EUR' });
		await sandbox.client.idle();
		const [, saved] = await runHere('save', file);
		expect(saved).toContain('1 client, 1 endpoint, 0 virtual accounts, 0 transactions, 1 payment');
		expect(statSync(file).mode & 0o077).toBe(0);
		await sandbox.client.reset({ everything: true });
		const [code, loaded] = await runHere('load', file);
		expect([code, loaded]).toEqual([
			0,
			expect.stringMatching(
				/Mine: client ID \S+, new client secret \S+\nEndpoint whe_\w+: new signing secret \S+$/,
			),
		]);
		expect((await sandbox.client.listPayments()).total).toBe(1);

		const state = JSON.parse(readFileSync(file, 'utf8')) as { payments: object[] };
		state.payments.push({ ...state.payments[0], status: 'PAID' }, {});
		writeFileSync(file, JSON.stringify(state));
		const [failed, text] = await runHere('load', file);
		expect(failed).toBe(1);
		expect(text).toContain('payments.1.status: Must be one of');
		expect(text).toContain('payments.2.id: Field is required');
		expect((await sandbox.client.listPayments()).total).toBe(1);
	});
});
