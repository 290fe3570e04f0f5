import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchSandbox, type Sandbox } from '../support/servers/sandbox';
import { http } from '../support/servers/sandboxCalls';

const PAGE = join(__dirname, '../../sandbox/page');
const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' });

let sandbox: Sandbox;
const get = async (path: string) => await http.get<string>(sandbox.url + path);

beforeAll(async () => {
	sandbox = await launchSandbox();
});
afterAll(async () => await sandbox.stop());

describe('serving the sandbox page', () => {
	it('allows no code but its own files and its import map', async () => {
		const { data, headers } = await get('/');
		const [, importMap] = /<script type="importmap">([^]*?)<\/script>/.exec(data)!;
		const hash = createHash('sha256').update(importMap).digest('base64');
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
		expect(policy).not.toContain('unsafe');
	});

	it.each(files.filter((file) => file.endsWith('.vue')))(
		'compiles %s to a module',
		async (file) => {
			const { status, headers, data } = await get(`/${file}`);
			expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
			expect(data).toContain('export default');
			expect(data).not.toContain('<template>');
		},
	);

	it('serves every library of the import map and of the head', async () => {
		const { data } = await get('/');
		const paths = data.match(/\/vendor\/[\w.]+/g)!;
		const responses = await Promise.all(paths.map(get));
		expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
	});

	it('serves nothing outside its folder', async () => {
		for (const path of ['/..%2Fcli.ts', '/vendor/..%2F..%2Fcli.ts', '/views/..%2F..%2Fcli.ts'])
			expect((await get(path)).status).toBeGreaterThanOrEqual(400);
	});
});
