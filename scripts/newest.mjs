// Tests the packed nodes in another n8n than the pinned one, the latest by default:
// npm run test:newest
// npm run test:newest -- 2.40.6
// npm run test:newest -- n8nio/n8n:v3-rc, a Docker image, for an n8n that npm doesn't have
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installN8n, PINNED, setUp } from '../host/setup.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = join(root, '.cache', 'n8n');

/** Test files of test/e2e, without those of the sandbox. */
const TESTS = 'e2e/(agents|credential|editor|expressions|templates|trigger)\\.test';

/**
 * Runs a command to its end. If it fails, so does this one.
 * @param {string} command
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function run(command, options = {}) {
	const { status } = spawnSync(command, { shell: true, stdio: 'inherit', cwd: root, ...options });
	if (status !== 0) process.exit(status ?? 1);
}

/**
 * Installs a version of n8n with the extra packages and overrides of the pinned one.
 * @param {string} version
 */
async function install(version) {
	mkdirSync(FOLDER, { recursive: true });
	for (const name of ['package.json', '.npmrc'])
		copyFileSync(join(PINNED, name), join(FOLDER, name));
	run(`npm install n8n@${version} --package-lock-only --loglevel=error`, { cwd: FOLDER });
	await installN8n(FOLDER);
}

const [n8n = 'latest'] = process.argv.slice(2);
const isImage = n8n.includes('/');
if (isImage) {
	run(`docker pull ${n8n}`);
	// What the tests take from an n8n on disk: how nodes find their way, an MCP client, spreadsheets.
	await setUp(['n8n']);
} else await install(n8n);
const env = { ...process.env, ...(isImage ? { N8N_IMAGE: n8n } : { N8N_FOLDER: FOLDER }) };
run(`jest --selectProjects e2e --runInBand --forceExit --testPathPatterns '${TESTS}'`, { env });
