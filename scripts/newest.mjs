// Tests the packed nodes in an n8n that is newer than the pinned one: npm run test:newest
// Or in the versions that are named: npm run test:newest -- 2.40.6 2.40.7
// Or in a Docker image, for an n8n that npm doesn't have: npm run test:newest -- n8nio/n8n:next
// The exit code is 1 when a test failed, and 3 when nothing newer was tested.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installN8n, PINNED } from '../host/setup.mjs';

const NOTHING_NEWER = 3;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(root, '.cache', 'n8n');

/** Test files of test/e2e, without those of the sandbox. */
const TESTS =
	'e2e/(action|credential|otherNodes|expressions|agent|mcp|trigger|triggerAnswers|templates|editor)\\.test';

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @type {string} */
const pinnedVersion = readJson(join(PINNED, 'package.json')).dependencies.n8n;

/**
 * Orders versions, the newest first.
 * @param {string} a
 * @param {string} b
 */
const newestFirst = (a, b) => b.localeCompare(a, 'en', { numeric: true });

/**
 * Lists the stable versions of n8n above the pinned one, the newest first: those without a suffix,
 * up to the one that n8n tags as stable. A beta of n8n is a plain version above it.
 */
function newerVersions() {
	const command = ['view', 'n8n', 'versions', 'dist-tags', '--json'];
	const { status, stdout, stderr } = spawnSync('npm', command, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`npm can't list the versions of n8n: ${stderr}`);
	const { versions, 'dist-tags': tags } = JSON.parse(stdout);
	return versions
		.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
		.filter((version) => newestFirst(version, tags.stable ?? tags.latest) >= 0)
		.filter((version) => newestFirst(version, pinnedVersion) < 0)
		.sort(newestFirst);
}

/**
 * Installs a version of n8n with the extra packages and overrides of the pinned one, in place of
 * the one that was tested before.
 * @param {string} version
 * @returns {Promise<string>} its folder
 */
async function install(version) {
	const folder = join(CACHE, version);
	if (!existsSync(folder)) rmSync(CACHE, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const manifest = readJson(join(PINNED, 'package.json'));
	manifest.dependencies.n8n = version;
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	copyFileSync(join(PINNED, '.npmrc'), join(folder, '.npmrc'));
	const lock = ['install', '--package-lock-only', '--loglevel=error'];
	if (!existsSync(join(folder, 'package-lock.json'))) {
		if (spawnSync('npm', lock, { cwd: folder, stdio: 'inherit' }).status !== 0) {
			throw new Error(`n8n ${version} can't be resolved; npm's reason is above`);
		}
	}
	await installN8n(folder);
	return folder;
}

/**
 * Gets a Docker image.
 * @param {string} image
 * @returns {string} the image
 */
function pull(image) {
	const { status, error, stderr } = spawnSync('docker', ['pull', image], { encoding: 'utf8' });
	if (status === 0) return image;
	const reason = error ? `docker isn't installed (${error.message})` : stderr.trim();
	throw new Error(`the image can't be had: ${reason}`);
}

/**
 * Runs the tests; they start the n8n that the variables name.
 * @param {Record<string, string>} variables N8N_FOLDER or N8N_IMAGE
 */
function passes(variables) {
	const jest = join(root, 'node_modules/.bin/jest');
	const args = [
		'--selectProjects',
		'e2e',
		'--runInBand',
		'--forceExit',
		'--testPathPatterns',
		TESTS,
	];
	const env = { ...process.env, ...variables };
	return spawnSync(jest, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

const named = process.argv.slice(2);
/** @type {string[]} */
const summary = [];
for (const one of named.length > 0 ? named : newerVersions().slice(0, 3)) {
	try {
		const variables = one.includes('/')
			? { N8N_IMAGE: pull(one) }
			: { N8N_FOLDER: await install(one) };
		const passed = passes(variables);
		summary.push(`n8n ${one}: ${passed ? 'passed' : 'failed'}`);
		process.exitCode = passed ? (process.exitCode ?? 0) : 1;
		if (named.length === 0) break;
	} catch (error) {
		summary.push(`n8n ${one} was skipped: ${/** @type {Error} */ (error).message}`);
	}
}
if (process.exitCode === undefined) {
	summary.push(`Nothing newer than n8n ${pinnedVersion} was tested.`);
	process.exitCode = NOTHING_NEWER;
}
console.log(['', ...summary].join('\n'));
