import { join } from 'node:path';
import { startN8n } from '../../host/n8n/startN8n';
import { ARTIFACTS } from '../support/pages/browser';

/**
 * Starts an n8n with the packed nodes and an owner, for a test that kills it.
 * @param name of its log file
 */
export async function startOwnN8n(name: string) {
	const logFile = join(ARTIFACTS, `n8n-${name}.log`);
	const first = await startN8n({ logFile, tarball: process.env.E2E_TARBALL });
	const { url, client, userFolder } = first;
	await client.setUpOwner();
	let current = first;
	return {
		url,
		client,
		userFolder,
		/** Ends it like a crash (SIGKILL). */
		kill: async () => await current.kill(),
		/** Starts it at the same address, on the same database. */
		startAgain: async () => {
			current = await startN8n({ logFile, userFolder, port: Number(new URL(url).port) });
		},
		stop: async () => {
			await current.stop();
			await first.stop(); // This removes the folder.
		},
	};
}

export type OwnN8n = Awaited<ReturnType<typeof startOwnN8n>>;
