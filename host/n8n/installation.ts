import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALLATIONS = join(__dirname, '..', 'installations');

/** An n8n on this machine, with the Node that it runs on. */
export interface N8nInstallation {
	folder: string;
	/** Path of the Node that host/installations/runtime pins. */
	node: string;
	/** Path of n8n's command. */
	n8n: string;
	/** n8n's version, such as 2.41.1. */
	version: string;
}

/**
 * Finds the installed n8n. The variable N8N_FOLDER names another one.
 * @throws when it isn't installed, with the command that installs it
 */
export function n8nInstallation(): N8nInstallation {
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
