import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { http } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';

const SANDBOX = join(__dirname, '../../sandbox');
const PAGE = join(SANDBOX, 'page');
const components = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.vue'),
);

let sandbox: SharedSandbox;
const get = async (path: string) => await http.get<string>(sandbox.url + path);

beforeAll(async () => {
	sandbox = await sharedSandbox();
});

describe('serving the sandbox page', () => {
	it('allows no code but its own files', async () => {
		const { data, headers } = await get('/');
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("script-src 'self';");
		expect(policy).not.toContain('unsafe');
		expect(data).not.toMatch(/<script(?![^>]* src=)/);
	});

	it('serves every file that the page names', async () => {
		const { data } = await get('/');
		const paths = [...data.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, path]) => path);
		expect(paths.length).toBeGreaterThanOrEqual(4);
		const responses = await Promise.all(paths.map(get));
		expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
	});

	it('compiles one script and one stylesheet, which a browser keeps until they change', async () => {
		const { data: html, headers: ofPage } = await get('/');
		const version = /\/page\.js(\?\w+)/.exec(html)![1];
		expect(html.match(/<(link rel="stylesheet"|script)/g)).toHaveLength(2);
		for (const [path, type] of [
			['/page.js', 'text/javascript'],
			['/page.css', 'text/css'],
		]) {
			expect(html).toContain(path + version);
			const { headers } = await get(path + version);
			expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
			expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
			// The latest under a name that doesn't change is asked for each time.
			expect((await get(path)).headers['cache-control']).toBe('no-cache');
		}
		expect(ofPage['cache-control']).toBe('no-store');
	});

	it('has what the first view shows, whatever names and texts were sent', async () => {
		const event = `A"&<b>'$&`;
		await sandbox.client.emitEvent({ event });
		const { data } = await get('/');
		const [, attribute] = / data-sandbox="([^"]*)"/.exec(data)!;
		const shown = JSON.parse(
			attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
		) as Record<string, unknown>;
		const counts = await sandbox.client.getCounts();
		expect(counts.events.types[event]).toBe(1);
		expect(shown).toMatchObject({ counts });
		expect(shown.vocabulary).toEqual((await http.get(`${sandbox.url}/sandbox/vocabulary`)).data);
	});

	it('compiles all components', async () => {
		const { data } = await get('/page.js');
		const missing = components.filter(
			(file) => !data.includes(`__name:"${basename(file, '.vue')}"`),
		);
		expect(missing).toEqual([]);
		expect(data.includes('<template>')).toBe(false);
	});

	it('compiles the same script, whatever folder the sandbox is started in', async () => {
		const tsx = require.resolve('tsx/cjs', { paths: [SANDBOX] });
		const args = ['--require', tsx, join(SANDBOX, 'http/compilePage.ts')];
		const [script, style] = [(await get('/page.js')).data, (await get('/page.css')).data];
		const { stdout, stderr } = spawnSync(process.execPath, args, {
			cwd: tmpdir(),
			encoding: 'utf8',
		});
		expect([stderr, stdout]).toEqual(['', JSON.stringify({ script, style })]);
	});

	it('serves nothing else of its folder, and nothing outside of it', async () => {
		for (const path of [
			...components.map((file) => `/${file}`),
			'/main.js',
			'/style.css',
			'/views/',
		])
			expect([path, (await get(path)).status]).toEqual([path, 404]);
		for (const path of ['/..%2Fcli.ts', '/%2e%2e/cli.ts', '/views/..%2F..%2Fcli.ts'])
			expect((await get(path)).status).toBeGreaterThanOrEqual(400);
	});
});
