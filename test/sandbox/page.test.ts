import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { http } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';

const PAGE = join(__dirname, '../../sandbox/page');
const components = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.vue'),
);

let sandbox: SharedSandbox;
const get = async (path: string) => await http.get<string>(sandbox.url + path);

beforeAll(async () => {
	sandbox = await sharedSandbox();
});

it('allows no code but its own files', async () => {
	const { data, headers } = await get('/');
	const policy = String(headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain("script-src 'self';");
	expect(policy).not.toContain('unsafe');
	expect(data).not.toMatch(/<script(?![^>]* src=)/);
});

it('serves every file that the page names, and compiles all components', async () => {
	const { data } = await get('/');
	const paths = [...data.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, path]) => path);
	expect(paths.length).toBeGreaterThanOrEqual(4);
	const responses = await Promise.all(paths.map(get));
	expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
	const script = responses[paths.indexOf('/page.js')];
	expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
	const missing = components.filter(
		(file) => !script.data.includes(`__name:"${basename(file, '.vue')}"`),
	);
	expect(missing).toEqual([]);
});

it('serves nothing else of its folder, and nothing outside of it', async () => {
	for (const path of ['/App.vue', '/main.js', '/style.css', '/views/'])
		expect([path, (await get(path)).status]).toEqual([path, 404]);
	for (const path of ['/..%2Fcli.ts', '/%2e%2e/cli.ts', '/views/..%2F..%2Fcli.ts'])
		expect((await get(path)).status).toBeGreaterThanOrEqual(400);
});
