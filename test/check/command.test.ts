import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../../check/main';
import { repeatsWith, SECRET, startCheckedService } from '../support/servers/checkedService';
import { startHttpServer, type HttpServer } from '../support/servers/httpServer';

/* The command, with all given that it can't do without. */

const folder = mkdtempSync(join(tmpdir(), 'check-'));
let server: HttpServer;
let printed: string[];

beforeEach(() => {
	printed = [];
	jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
	process.env.CHECKED_SECRET = SECRET;
});
afterEach(async () => {
	jest.restoreAllMocks();
	delete process.env.CHECKED_SECRET;
	await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (host: string, ...others: string[]) =>
	await runCommand([
		...['--auth-url', server.url, '--host', host],
		...['--client-id', 'c', '--secret-env', 'CHECKED_SECRET', '--wait', '0', '--output', folder],
		...['--sender', 'mill,mill-account,BE', '--recipient', 'bakery,bakery-account,BE'],
		...others,
	]);

const EXISTS = repeatsWith(409, { errorCode: 'EVENT_ALREADY_EXISTS' });

test.each([
	['with its port', ({ host }: URL) => host],
	['without its port', ({ hostname }: URL) => hostname],
])('--host %s agrees', async (_, hostOf) => {
	server = await startCheckedService(EXISTS);
	expect(await run(hostOf(new URL(server.url)))).toBe(0);
	const lines = printed.join('\n').split('\n').filter(Boolean);
	expect(lines).toContain('It fits.');
	const eventIds = lines.filter((line) => line.startsWith('  Event ID'));
	expect(eventIds).toHaveLength(6);
	expect(new Set(eventIds).size).toBe(6);
});

const NOT_SENT = /Nothing was sent/;
test.each<[string, (url: URL) => [string, ...string[]], RegExp]>([
	['another host', () => ['api.example.com'], NOT_SENT],
	['another port', ({ hostname }) => [`${hostname}:1`], NOT_SENT],
	['a part of the host', ({ hostname }) => [hostname.slice(0, -1)], NOT_SENT],
	[
		'an entry that the credential would not take',
		({ host }) => [host, '--recorded-codes', 'TX-1, "a part'],
		/Codes for Recorded Already/,
	],
])('%s: nothing is sent', async (_, argsOf, words) => {
	let requests = 0;
	server = await startHttpServer((_request, response) => {
		requests++;
		response.end();
	});
	await expect(run(...argsOf(new URL(server.url)))).rejects.toThrow(words);
	expect(requests).toBe(0);
});

test('a Base URL that nothing listens at is said at once', async () => {
	server = await startCheckedService(EXISTS);
	const other = await startHttpServer(() => {});
	await other.stop();
	const { host } = new URL(other.url);
	const startedAt = performance.now();
	await expect(run(host, '--base-url', other.url)).rejects.toThrow(
		/gave no answer[^]*to which \/api\/v1\/transactions is added/,
	);
	expect(performance.now() - startedAt).toBeLessThan(5000);
});

test.each([[404], [405]])('%s at the path of tokens: what to enter', async (status) => {
	server = await startHttpServer((_, response) => void response.writeHead(status).end());
	await expect(run('127.0.0.1')).rejects.toThrow(
		/\/passport\/oauth\/token \(status 40[45]\)[^]*to which \/passport\/oauth\/token is added.*doesn't fit/,
	);
});
