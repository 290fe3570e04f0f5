// Runs n8n's own lint on what ships: in strict mode, so with n8n's configuration as it is, in a
// folder of its own, because this repository has a configuration of its own.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, '.cache', 'n8n-lint');
/** @type {{ devDependencies: Record<string, string>, n8n: object }} */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const FILES = {
	'package.json': JSON.stringify({
		...manifest,
		n8n: { ...manifest.n8n, strict: true },
		devDependencies: {
			'@n8n/node-cli': '0.48.3',
			// A peer of a package of node-cli, which npm doesn't find by itself.
			'@langchain/langgraph': '1.4.13',
			'n8n-workflow': manifest.devDependencies['n8n-workflow'],
		},
	}),
	'eslint.config.mjs': "import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n",
	'tsconfig.json': JSON.stringify({
		compilerOptions: {
			strict: true,
			target: 'es2022',
			module: 'commonjs',
			moduleResolution: 'node',
		},
		include: ['nodes', 'credentials'],
	}),
};

rmSync(folder, { recursive: true, force: true });
for (const name of ['nodes', 'credentials', 'icons', 'README.md', 'LICENSE', '.npmrc'])
	cpSync(join(root, name), join(folder, name), { recursive: true });
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
for (const command of ['npm install --loglevel=error --no-package-lock', 'npx n8n-node lint']) {
	const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
