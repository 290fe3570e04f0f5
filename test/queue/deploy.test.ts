import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { DEPLOYMENT } from './cluster/compose';
import { requireProgram } from '../../host/programs.mjs';

/** Runs a command to its end; its exit code and everything it printed. */
function run(
	command: string,
	args: string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
	const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
	return { status, output: stdout + stderr };
}

let folder: string;
beforeAll(() => {
	// As the README has it: a copy of the folder with .env and three secrets.
	folder = mkdtempSync(join(tmpdir(), 'payments-deploy-'));
	const mine = /\/(secrets|\.env|[^/]+\.tgz)$/; // of somebody who deploys from here
	cpSync(DEPLOYMENT, folder, { recursive: true, filter: (path) => !mine.test(path) });
	const example = readFileSync(join(folder, '.env.example'), 'utf8');
	writeFileSync(join(folder, '.env'), example.replace(/(RUNNERS_AUTH_TOKEN=)$/m, '$1token'));
	mkdirSync(join(folder, 'secrets'));
	for (const name of ['n8n_encryption_key', 'postgres_password', 'redis_password'])
		writeFileSync(join(folder, 'secrets', name), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Docker Compose takes the compose file', () => {
	const { status, output } = run(requireProgram('docker-compose'), ['config', '--services'], {
		cwd: folder,
	});
	expect({ status, services: output.trim().split('\n').sort() }).toEqual({
		status: 0,
		services: [
			'main',
			'postgres',
			'proxy',
			'redis',
			'runner-1',
			'runner-2',
			'runner-main',
			'webhook-1',
			'webhook-2',
			'worker-1',
			'worker-2',
		],
	});
});

test('no secret stands in the compose file: each comes from a file', () => {
	const text = readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8');
	const settings = text.match(/^\s+\w*(PASSWORD|KEY|SECRET)\w*:.*$/gm) ?? [];
	expect(settings.length).toBeGreaterThan(0);
	expect(settings.filter((line) => !/_FILE: \/run\/secrets\/\w+$/.test(line))).toEqual([]);
});

test('the image holds the n8n that is tested, and is named after the version of the nodes', () => {
	const json = (path: string) =>
		JSON.parse(readFileSync(join(__dirname, '..', '..', path), 'utf8')) as {
			version: string;
			dependencies: Record<string, string>;
		};
	expect(readFileSync(join(DEPLOYMENT, 'Dockerfile'), 'utf8')).toContain(
		`/n8n:${json('host/installations/current/package.json').dependencies.n8n}\n`,
	);
	expect(readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8')).toContain(
		`image: n8n-payments:${json('package.json').version}\n`,
	);
});

test('images are pinned: those of others by digest, n8n and its runners by the same version', () => {
	const text = readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8');
	const dockerfile = readFileSync(join(DEPLOYMENT, 'Dockerfile'), 'utf8');
	const [, version] = /^FROM docker\.n8n\.io\/n8nio\/n8n:(\d+\.\d+\.\d+)$/m.exec(dockerfile)!;
	const images = [...text.matchAll(/^\s+image: (\S+)$/gm)].map(([, image]) => image);
	expect(images.filter((image) => !/:[\d.]+-alpine@sha256:[0-9a-f]{64}$/.test(image))).toEqual([
		expect.stringMatching(/^n8n-payments:/),
		`n8nio/runners:${version}`,
	]);
});

test('task runners get no secret of n8n, and reach nothing but the processes that execute', () => {
	const text = readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8');
	const { services, networks } = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
		services: Record<string, Record<string, unknown>>;
		networks: Record<string, unknown>;
	};
	expect(networks.runners).toEqual({ internal: true });
	for (const name of ['runner-main', 'runner-1', 'runner-2']) {
		const { environment, secrets, volumes, networks: own } = services[name];
		expect(own).toEqual(['runners']);
		expect([secrets, volumes]).toEqual([undefined, undefined]);
		expect(Object.keys(environment as object).sort()).toEqual([
			'N8N_RUNNERS_AUTH_TOKEN',
			'N8N_RUNNERS_TASK_BROKER_URI',
		]);
	}
	const inNetwork = Object.entries(services).filter(([, service]) =>
		(service.networks as string[] | undefined)?.includes('runners'),
	);
	expect(inNetwork.map(([name]) => name).sort()).toEqual([
		...['main', 'runner-1', 'runner-2', 'runner-main', 'worker-1', 'worker-2'],
	]);
});
