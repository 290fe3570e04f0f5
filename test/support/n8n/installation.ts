import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A real n8n on this machine, with the Node that it runs on. */
export interface N8nInstallation {
	folder: string;
	/** Path of the Node that the folder pins. */
	node: string;
	/** Path of n8n's command. */
	n8n: string;
	/** n8n's version, such as 2.41.1. */
	version: string;
}

/**
 * Finds the n8n that is installed in a folder; this folder unless told.
 * @throws when there is none, with the command that installs it
 */
export function n8nInstallation(
	folder = join(__dirname, 'installations', 'current'),
): N8nInstallation {
	const bin = join(folder, 'node_modules', '.bin');
	const [node, n8n] = [join(bin, 'node'), join(bin, 'n8n')];
	if (!existsSync(node) || !existsSync(n8n)) {
		throw new Error(
			`n8n is not installed in ${folder}. Start this by "npm run …" (demo, test:e2e), which installs it first.`,
		);
	}
	const { version } = JSON.parse(
		readFileSync(join(folder, 'node_modules/n8n/package.json'), 'utf8'),
	) as { version: string };
	return { folder, node, n8n, version };
}
