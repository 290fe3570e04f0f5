import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEPLOYMENT, networks, services } from './cluster/compose';
import { requireProgram } from '../../host/programs.mjs';

const COMPOSE = readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8');

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
	const args = ['config', '--quiet'];
	const { status, stderr } = spawnSync(requireProgram('docker-compose'), args, {
		cwd: folder,
		encoding: 'utf8',
	});
	expect({ status, stderr }).toMatchObject({ status: 0 });
});

test('no secret stands in the compose file: each comes from a file', () => {
	const settings = COMPOSE.match(/^\s+\w*(PASSWORD|KEY|SECRET)\w*:.*$/gm) ?? [];
	expect(settings.length).toBeGreaterThan(0);
	expect(settings.filter((line) => !/_FILE: \/run\/secrets\/\w+$/.test(line))).toEqual([]);
});

test('images are pinned: n8n and its runners to the version that is tested, those of others by digest', () => {
	const json = (path: string) =>
		JSON.parse(readFileSync(join(__dirname, '..', '..', path), 'utf8')) as {
			version: string;
			dependencies: Record<string, string>;
		};
	const { n8n } = json('host/installations/current/package.json').dependencies;
	const dockerfile = readFileSync(join(DEPLOYMENT, 'Dockerfile'), 'utf8');
	expect(dockerfile).toContain(`/n8n:${n8n}\n`);
	const images = [...COMPOSE.matchAll(/^\s+image: (\S+)$/gm)].map(([, image]) => image);
	expect(images.filter((image) => !/:[\d.]+-alpine@sha256:[0-9a-f]{64}$/.test(image))).toEqual([
		`n8n-payments:${json('package.json').version}`,
		`n8nio/runners:${n8n}`,
	]);
});

test('task runners get no secret of n8n, and reach nothing but the processes that execute', () => {
	expect(networks.runners).toEqual({ internal: true });
	for (const name of ['runner-main', 'runner-1', 'runner-2']) {
		const { environment, secrets, volumes, networks: own } = services[name];
		expect([own, secrets, volumes]).toEqual([['runners'], undefined, undefined]);
		expect(Object.keys(environment!).sort()).toEqual([
			'N8N_RUNNERS_AUTH_TOKEN',
			'N8N_RUNNERS_TASK_BROKER_URI',
		]);
	}
	const inNetwork = Object.keys(services).filter((name) =>
		services[name].networks?.includes('runners'),
	);
	expect(inNetwork.sort()).toEqual([
		...['main', 'runner-1', 'runner-2', 'runner-main', 'worker-1', 'worker-2'],
	]);
});
