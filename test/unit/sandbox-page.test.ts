import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { http } from '../support/servers/sandboxCalls';

const SANDBOX = join(__dirname, '../../sandbox');
const PAGE = join(SANDBOX, 'page');
const components = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.vue'),
);

let sandbox: Sandbox;
const get = async (path: string) => await http.get<string>(sandbox.url + path);

beforeAll(async () => {
	sandbox = await launchSandbox();
});
afterAll(async () => await sandbox.stop());

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
		expect(paths.length).toBeGreaterThanOrEqual(5);
		const responses = await Promise.all(paths.map(get));
		expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
	});

	it('compiles all components to one script, which a browser keeps until it changes', async () => {
		const [path] = /\/page\.js\?\w+/.exec((await get('/')).data)!;
		const { headers, data } = await get(path);
		expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
		expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
		// The latest script under a name that doesn't change, and the page, are asked for each time.
		for (const other of ['/page.js', '/'])
			expect((await get(other)).headers['cache-control']).toBe('no-cache');
		const missing = components.filter(
			(file) => !data.includes(`__name:"${basename(file, '.vue')}"`),
		);
		expect(missing).toEqual([]);
		expect(data.includes('<template>')).toBe(false);
	});

	it('compiles the same script, whatever folder the sandbox is started in', async () => {
		const tsx = require.resolve('tsx/cjs', { paths: [SANDBOX] });
		const args = ['--require', tsx, join(SANDBOX, 'http/compilePage.ts')];
		const { stdout, stderr } = spawnSync(process.execPath, args, {
			cwd: tmpdir(),
			encoding: 'utf8',
		});
		expect([stderr, stdout === (await get('/page.js')).data]).toEqual(['', true]);
	});

	it('serves nothing else of its folder, and nothing outside of it', async () => {
		for (const path of [...components.map((file) => `/${file}`), '/main.js', '/views/'])
			expect([path, (await get(path)).status]).toEqual([path, 404]);
		for (const path of ['/..%2Fcli.ts', '/vendor/..%2F..%2Fcli.ts', '/views/..%2F..%2Fcli.ts'])
			expect((await get(path)).status).toBeGreaterThanOrEqual(400);
	});
});
