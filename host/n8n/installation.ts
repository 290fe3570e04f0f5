import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALLATIONS = join(__dirname, '..', 'installations');

/**
 * Finds the installed n8n: its folder, the path of its command, the path of the Node that it runs
 * on, and its version. The variable N8N_FOLDER names another one.
 * @throws when it isn't installed, with the command that installs it
 */
export function n8nInstallation() {
	const folder = process.env.N8N_FOLDER ?? join(INSTALLATIONS, 'current');
	const n8n = join(folder, 'node_modules/.bin/n8n');
	const node = join(INSTALLATIONS, 'runtime/node_modules/.bin/node');
	if (!existsSync(node) || !existsSync(n8n)) {
		throw new Error(
			`n8n is not installed in ${folder}. Start this with "npm run …" (demo, test:e2e), which installs it first.`,
		);
	}
	const packageJson = readFileSync(join(folder, 'node_modules/n8n/package.json'), 'utf8');
	const n8nPackage = JSON.parse(packageJson) as { version: string };
	return { folder, node, n8n, version: n8nPackage.version };
}
