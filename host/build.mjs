// Compiles what ships into dist/, or the folder OUT_DIR, and copies what tsc doesn't: icons, codex
// files, and output schemas. With --watch, it goes on after each change.
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, rmSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const host = dirname(fileURLToPath(import.meta.url));
const root = dirname(host);
const outDir = resolve(root, process.env.OUT_DIR ?? 'dist');
const isWatching = process.argv.includes('--watch');

/**
 * @param {string} folder
 * @param {string | null} file in it
 */
function copyAsset(folder, file) {
	if (/\.(json|svg)$/.test(file ?? ''))
		cpSync(join(root, folder, file), join(outDir, folder, file));
}

if (!isWatching) rmSync(outDir, { recursive: true, force: true });
for (const folder of ['icons', 'nodes']) {
	const path = join(root, folder);
	for (const file of readdirSync(path, { recursive: true })) copyAsset(folder, file);
	if (isWatching) watch(path, { recursive: true }, (_, file) => copyAsset(folder, file));
}
const options = isWatching ? ['--watch', '--preserveWatchOutput'] : [];
const compiler = join(host, 'node_modules/typescript/bin/tsc');
const project = ['--project', join(host, 'tsconfig.build.json'), '--outDir', outDir];
spawn(process.execPath, [compiler, ...project, ...options], { cwd: root, stdio: 'inherit' }).on(
	'exit',
	(code) => process.exit(code ?? 1),
);
