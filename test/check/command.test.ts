import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../host/freePort';

import { runCommand } from '../../check/command';
import { confirm, looksLikeProduction } from '../../check/confirm';
import { parseOptions, readSecret, readSetup } from '../../check/options';
import { Prompt } from '../../check/prompt';
import { startProcess, TYPESCRIPT } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { CliError } from '../../sandbox/cli/cliError';
import { schemes } from '../../sandbox/deliveries/sign';
import { CLIENT, setupFor, startService } from './services';

const ROOT = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'check-command-'));
const write = (name: string, content: string) => {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers prompts, in this order. */
class Answers extends Prompt {
	constructor(private readonly answers: string[]) {
		super(true);
	}

	override ask = async () => this.answers.shift() ?? '';

	override askSecret = async () => this.answers.shift() ?? '';
}

const nobody = new Prompt(false);
const PARTIES = ['--sender', 'windmills,windmills-1,BE', '--recipient', 'bakery,bakery-1,DK'];
const addresses = (url: string) => [
	'--auth-url',
	url,
	'--base-url',
	url,
	'--client-id',
	CLIENT.clientId,
];
const ENV = { CHECK_SECRET: CLIENT.clientSecret, HOOK_SECRET: 'the-secret-of-this-endpoint' };

beforeAll(() => void Object.assign(process.env, ENV));

/** Begins the command in this process: its exit code, and what it has printed so far. */
function begin(...args: string[]) {
	const lines: unknown[] = [];
	const print = (line: unknown) => void lines.push(line);
	const spies = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')];
	for (const spy of spies) spy.mockImplementation(print);
	const exited = runCommand([...args, '--output', folder], nobody);
	const output = () => lines.join('\n');
	return {
		exited,
		output,
		waitFor: async (pattern: RegExp) =>
			await waitUntil(`it prints ${pattern}`, () => pattern.exec(output()), { intervalMs: 10 }),
	};
}
afterEach(() => jest.restoreAllMocks());

const beginProcess = (...args: string[]) =>
	startProcess(
		'check',
		process.execPath,
		['--import', './host/typescript.mjs', 'check/main.ts', ...args],
		{ cwd: ROOT, env: { ...process.env, ...ENV } },
	);

describe('what the check is told', () => {
	test.each([
		[['--client-secret', 'hush'], /--secret-env/],
		[['--secret=hush'], /--secret-env/],
		[['--color'], /--help/],
		[['--setup', '/nowhere'], /--setup/],
		[['--setup', write('secret.yaml', 'clientSecret: hush')], /clientSecretFile|clientSecretEnv/],
		[['--setup', write('odd.yaml', 'shade: red')], /shade/],
	])('%j is explained', (args, words) => {
		const read = () => parseOptions(args);
		expect(read).toThrow(CliError);
		expect(read).toThrow(words);
		expect(read).not.toThrow(/hush/);
	});

	test.each([
		[[], /--auth-url/],
		[['--auth-url', 'ftp://x', '--base-url', 'x'], /Auth URL/],
		[
			['--auth-url', 'http://api.test.example', '--base-url', 'http://api.test.example'],
			/unencrypted/,
		],
		[[...addresses('http://localhost:1'), '--secret-env', 'NOT_SET_ANYWHERE'], /NOT_SET_ANYWHERE/],
		[[...addresses('http://localhost:1'), '--secret-file', '/nowhere'], /nowhere/],
		[[...addresses('http://localhost:1')], /--secret-env/],
		[
			[
				...addresses('http://localhost:1'),
				'--secret-file',
				write('secret', 'hush'),
				'--sender',
				'a,b',
			],
			/--sender/,
		],
		[
			[
				...addresses('http://localhost:1'),
				'--secret-file',
				write('secret', 'hush'),
				...PARTIES,
				'--currency',
				'EURO',
			],
			/Currency/,
		],
		[
			[
				...addresses('http://localhost:1'),
				'--secret-file',
				write('secret', 'hush'),
				...PARTIES,
				'--amount',
				'1.001',
			],
			/Amount/,
		],
		[
			[
				...addresses('http://localhost:1'),
				'--secret-file',
				write('secret', 'hush'),
				...PARTIES,
				'--wait',
				'long',
			],
			/--wait/,
		],
	])('%j is explained', async (args, words) => {
		const read = readSetup(parseOptions(args), nobody);
		await expect(read).rejects.toThrow(CliError);
		await expect(read).rejects.toThrow(words);
	});

	it('comes from a file, with the secret beside it', async () => {
		const party = { externalEntityId: 'e', externalPaymentChannelId: 'c', countryCode: 'BE' };
		const content = {
			authUrl: 'http://localhost:1',
			baseUrl: 'http://localhost:1',
			clientId: 'id',
			secretFile: write('secret', 'hush\n'),
			sender: party,
			recipient: 'e2,c2,DK',
			currency: 'DKK',
		};
		const values = parseOptions(['--setup', write('setup.json', JSON.stringify(content))]);
		const setup = await readSetup(values, nobody);
		expect(setup).toMatchObject({
			sender: party,
			currency: 'DKK',
			credential: { clientSecret: 'hush', scope: 'PAYMENTS' },
		});
	});

	it('comes from prompts', async () => {
		const prompt = new Answers([
			'http://localhost:1',
			'http://localhost:1',
			'id',
			'hush',
			'a,b,BE',
			'c,d,DK',
		]);
		const setup = await readSetup(parseOptions([]), prompt);
		expect(setup.credential).toMatchObject({ clientId: 'id', clientSecret: 'hush' });
	});

	it('a secret that is empty is explained', async () => {
		await expect(readSecret('Client Secret', 'secret', {}, new Answers(['']))).rejects.toThrow(
			/empty/,
		);
	});
});

describe('consent', () => {
	test.each([
		['https://api.sandbox.example.com', false],
		['https://test.example.com', false],
		['https://api-test.example.com/v2', false],
		['https://staging-3.example.com', false],
		['http://127.0.0.1:8480', false],
		['http://localhost:8480', false],
		['https://api.example.com', true],
		['https://latest.example.com', true],
		['https://attestation.example.com', true],
	])('%s looks like production: %s', (url, expected) => {
		expect(looksLikeProduction(url)).toBe(expected);
	});

	const sends = async (url: string, given: { yes: boolean; host?: string }, answers: string[]) => {
		const lines: string[] = [];
		const consent = confirm(setupFor(url), given, new Answers(answers), (line) => lines.push(line));
		const isGiven = await consent.then(
			() => true,
			() => false,
		);
		return [isGiven, lines.join('\n')] as const;
	};

	test.each([
		['https://api.test.example', false, undefined, ['no'], false],
		['https://api.test.example', false, undefined, ['yes'], true],
		['https://api.test.example', true, undefined, [], true],
		['https://api.example', true, undefined, ['api.example.com'], false],
		['https://api.example', true, undefined, ['api.example'], true],
		['https://api.example', false, undefined, ['api.example', ''], false],
		['https://api.example', true, 'api.example', [], true],
	])('%s, --yes %s, --host %s, answers %j: %s', async (url, yes, host, answers, expected) => {
		const [isGiven, text] = await sends(url, { yes, host }, answers);
		expect(isGiven).toBe(expected);
		expect(text).toContain('transactions of 1.00 EUR');
		expect(text).toContain('20 transactions at the same time');
	});

	it('nobody can be asked, so a production address stops it', async () => {
		const consent = confirm(setupFor('https://api.example'), { yes: true }, nobody, () => {});
		await expect(consent).rejects.toThrow(/--host/);
	});
});

describe('the command', () => {
	it('checks a service, writes both files, and shows no secret', async () => {
		const service = await startService({ repeated: () => ({ status: 409 }) });
		const check = begin(
			...addresses(service.url),
			...PARTIES,
			'--secret-env',
			'CHECK_SECRET',
			'--yes',
			'--wait',
			'1',
		);
		const code = await check.exited;
		await service.stop();
		expect([code, check.output()]).toEqual([
			3,
			expect.stringContaining('Codes for Recorded Already: 409'),
		]);
		const files = ['service.md', 'service.json'].map((name) =>
			readFileSync(join(folder, name), 'utf8'),
		);
		// The first repeat showed that the setting is needed, and the later ones are read with it.
		const outcomes = files[0].match(/(?<=409 without a body \| ).*(?= \|)/g)!;
		expect(outcomes.length).toBeGreaterThan(2);
		expect([outcomes[0], ...new Set(outcomes.slice(1))]).toEqual([
			'unknown',
			'duplicate, with the settings above',
		]);
		expect(check.output()).toMatch(/two requests at once is recognized.* with the setting/);
		expect(check.output()).toMatch(/The slowest answer took [\d.]+ s: one to Event ID [\w-]{36}/);
		const notKnown = /^Not known: .* after 14 days\. It did after \d+ s\. .*question 1/m;
		for (const text of [check.output(), files[0]]) expect(text).toMatch(notKnown);
		const all = [check.output(), ...files].join();
		expect(all).not.toContain(CLIENT.clientSecret);
		expect(all).not.toMatch(/token-\d/);
		expect(JSON.parse(files[1])).toMatchObject({ check: 1, verdict: { name: 'fitsIfSet' } });
	}, 60_000);

	test.each([
		['neither address', 'http://127.0.0.1:9'],
		['only the Auth URL', undefined],
	])(
		'%s answers: nothing could be checked',
		async (_name, authUrl) => {
			const service = await startService({});
			const args = [
				...addresses('http://127.0.0.1:9'),
				...PARTIES,
				'--yes',
				'--secret-env',
				'CHECK_SECRET',
			];
			args[1] = authUrl ?? service.url;
			const check = begin(...args);
			const code = await check.exited;
			await service.stop();
			expect([code, check.output()]).toEqual([
				1,
				expect.stringContaining('Nothing could be checked'),
			]);
			expect(check.output()).not.toContain("doesn't fit");
		},
		60_000,
	);

	it('says what was sent when it is interrupted', async () => {
		const service = await startService({ takesMs: 60_000 });
		const check = beginProcess(
			...addresses(service.url),
			...PARTIES,
			'--secret-env',
			'CHECK_SECRET',
			'--yes',
		);
		await check.waitFor(/One transaction/, 30_000);
		await new Promise((resolve) => setTimeout(resolve, 500));
		check.child.kill('SIGINT');
		expect(await check.exited).toBe(130);
		expect(check.output()).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} {2}no response/);
		await service.stop();
	}, 60_000);

	it('reads a captured delivery alone', async () => {
		const body = '{"event":"PAYMENT.CREATED","id":"evt_1"}';
		const now = Date.now();
		const headers = schemes.messageSignature({
			body,
			eventId: '',
			createdAt: now,
			attemptAt: now,
			secret: ENV.HOOK_SECRET,
			endpoint: {},
		});
		const file = write('delivery.json', JSON.stringify({ headers, body }));
		const check = begin('--delivery', file, '--webhook-secret-env', 'HOOK_SECRET');
		expect(await check.exited).toBe(3);
		expect(check.output()).toContain('Signature Scheme: Message Signature');
		expect(check.output()).not.toContain(ENV.HOOK_SECRET);
	}, 60_000);

	it('waits for a delivery on a port', async () => {
		const check = begin('--listen', '0', '--webhook-secret-env', 'HOOK_SECRET');
		const [, url] = await check.waitFor(/Register (http:\/\/127\.0\.0\.1:\d+)[^]*Waiting for a/);
		await fetch(url, { method: 'POST', body: '{}' });
		expect(await check.exited).toBe(4);
		expect(check.output()).toContain("isn't signed");
		expect(check.output()).not.toContain('has arrived');
	}, 60_000);

	it('says what to register before it asks for the signing secret', async () => {
		const check = begin('--listen', '0');
		expect(await check.exited).toBe(1);
		expect(check.output()).toMatch(
			/^Register http[^]*signing secret of the endpoint is missing[^]*--webhook-secret-env/,
		);
	}, 60_000);

	it('ends when somebody presses Ctrl-C at a question', () => {
		const program = "new (require('./check/prompt').Prompt)(true).ask('Auth URL: ', 'auth-url')";
		const args = ['--import', TYPESCRIPT, '--eval', program];
		const options = { cwd: ROOT, input: '\x03', timeout: 30_000 };
		expect(spawnSync(process.execPath, args, options).status).toBe(130);
	}, 60_000);

	it('listens while it checks', async () => {
		const service = await startService({ rotatesTokens: true });
		const port = await freePort();
		const check = begin(
			...addresses(service.url),
			...[...PARTIES, '--secret-env', 'CHECK_SECRET', '--webhook-secret-env', 'HOOK_SECRET'],
			...['--yes', '--wait', '1', '--listen', String(port)],
		);
		await check.waitFor(/One transaction/);
		const url = `http://127.0.0.1:${port}`;
		const isHeard = await fetch(url, { method: 'POST', body: '{}' }).then(
			({ ok }) => ok,
			() => false,
		);
		expect(isHeard).toBe(true);
		expect(await check.exited).toBe(4);
		expect(check.output()).toContain('A delivery has arrived.');
		expect(check.output()).not.toContain('Waiting for a delivery');
		await service.stop();
	}, 60_000);

	it('explains its options', async () => {
		const check = begin('--help');
		expect(await check.exited).toBe(0);
		for (const option of ['--setup', '--secret-env', '--burst', '--listen', '--yes'])
			expect(check.output()).toContain(option);
	}, 60_000);
});
