import { join } from 'node:path';
import { ensureHost, ensureOlderHost } from './n8n.mjs';
import { ensureInstalled, root } from './install.mjs';

const bin = (path) => join('node_modules', path);
const script = (file, ...args) => ['node', '--import', 'tsx', file, ...args];

const clean = { name: 'clean', command: ['rm', '-rf', 'dist'] };
const compile = {
	name: 'compile',
	command: ['node', bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
};
const assets = {
	name: 'icons, codex, schemas',
	command: ['node', bin('gulp/bin/gulp.js'), '--silent'],
};
const types = { name: 'types', command: ['node', bin('typescript/bin/tsc'), '--noEmit'] };
const lint = {
	name: "n8n's lint rules on what ships",
	command: ['node', bin('eslint/bin/eslint.js'), '.'],
};
/** Tests of some of the projects in jest.config.js; how many at a time is Jest's choice unless told. */
const jest = (name, projects, ...options) => ({
	name,
	jest: true,
	command: ['node', bin('jest/bin/jest.js'), ...options, '--selectProjects', ...projects],
});

/** A program that does not come from npm: the variable that hands its path on, its names, and Debian's package of it. */
const chromium = {
	variable: 'CHROMIUM',
	names: ['chromium', 'chromium-browser', 'google-chrome'],
	package: 'chromium',
};

const postgres = {
	variable: 'POSTGRES',
	names: ['postgres'],
	folders: ['/usr/lib/postgresql/*/bin'],
	package: 'postgresql',
};

const caddy = { variable: 'CADDY', names: ['caddy'], package: 'caddy' };

/** What queue mode consists of besides n8n. */
const queuePrograms = [
	{ variable: 'REDIS_SERVER', names: ['redis-server'], package: 'redis-server' },
	postgres,
	caddy,
];
const compose = {
	variable: 'DOCKER_COMPOSE',
	names: ['docker-compose'],
	package: 'docker-compose',
};

const scannerFolder = join(root, 'scripts', 'scanner');
const ensureScanner = async () =>
	await ensureInstalled(scannerFolder, "n8n's package scanner", 250_000_000);

/**
 * Every task of run.mjs: `about` for the list, `needs` what is installed before besides the development tools,
 * `programs` what must be on the machine, and its `steps`. What is typed behind the task goes to its last step.
 */
export const TASKS = {
	build: { about: 'compile what ships into dist/', steps: [clean, compile, assets] },
	demo: {
		about: 'the whole path in a real n8n: --once, --port N, --sandbox-port N',
		needs: [ensureHost],
		steps: [{ name: 'demo', command: script('demo/main.ts') }],
	},
	sandbox: {
		about: 'the payments service on this machine: --help tells its options',
		steps: [{ name: 'sandbox', command: script('sandbox/cli.ts') }],
	},
	test: {
		about: 'types, lint, unit tests and tests in the real engine',
		// Jest would leave one core to others; on two cores that is half of the time.
		steps: [
			types,
			lint,
			jest('unit and engine tests', ['unit', 'integration'], '--maxWorkers=100%'),
		],
	},
	'test:e2e': {
		about: 'the packed nodes in a real n8n, in an older one, and in a real browser',
		needs: [ensureHost, ensureOlderHost],
		programs: [chromium, postgres, caddy],
		steps: [jest('tests in n8n', ['e2e'], '--runInBand')],
	},
	'test:queue': {
		about: 'the packed nodes in n8n in queue mode, under load and under fire',
		needs: [ensureHost],
		programs: [...queuePrograms, compose],
		steps: [jest('tests in queue mode', ['queue'], '--runInBand')],
	},
	soak: {
		about: 'queue mode under steady load, and what it does to the memory: --minutes N (20)',
		needs: [ensureHost],
		programs: queuePrograms,
		steps: [{ name: 'soak', command: script('scripts/soak/main.ts') }],
	},
	'docs:screenshots': {
		about: 'the pictures of the docs, anew from the real editor and the sandbox',
		needs: [ensureHost],
		programs: [chromium],
		steps: [{ name: 'pictures', command: script('scripts/screenshots/main.ts') }],
	},
	bench: {
		about: 'the nodes against what a user would take instead: --quick takes under 3 minutes',
		needs: [ensureHost],
		steps: [{ name: 'benchmark', command: script('bench/main.ts') }],
	},
	'check:package': {
		about: "what ships: its list, its size, n8n's lint and scanner",
		needs: [ensureScanner],
		steps: [
			lint,
			{ name: 'what ships', command: script('scripts/check-package.ts') },
			{ name: "n8n's scanner", command: ['node', 'scripts/scanner/scan.mjs'] },
		],
	},
};
