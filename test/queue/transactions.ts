import { transaction } from '../support/builders/transactions';
import { http } from '../support/servers/sandboxCalls';
import type { Cluster } from './cluster/cluster';
import { allOver } from './executions';
import { waitUntil } from '../../host/waitUntil';
import type { Batches } from './service';

/**
 * Posts one list of transactions until n8n responds that its execution succeeded, as a sender does
 * that must not lose it.
 *
 * @returns the statuses of the other responses
 */
async function postUntilTaken(url: string, rows: object[]): Promise<number[]> {
	for (const rejections: number[] = []; ;) {
		const { status } = await http.post(url, { rows });
		if (status === 200) return rejections;
		rejections.push(status);
		if (rejections.length === 5)
			throw new Error(`n8n did not take a batch; it answered ${rejections.join(', ')}.`);
	}
}

/**
 * Sends batches to the workers. After a third of the transactions, one worker is killed and another
 * one started. After two thirds, the service revokes all tokens.
 */
export async function sendThroughCrash(
	cluster: Cluster,
	{ workflow, url }: Batches,
	batches: number,
	size: number,
) {
	const { sandbox, postgres, workers } = cluster;
	const counts = sandbox.client.getCounts;
	const sent = async (share: number) =>
		await waitUntil(
			`a share of ${share.toFixed(2)} is sent`,
			async () => (await counts()).transactions.created >= batches * size * share,
			{ timeoutMs: 240_000 },
		);
	await sandbox.client.reset();
	// Slow enough that many requests are under way when the worker dies.
	await sandbox.client.setFaults({ latencyMs: [300, 600] });
	// Without an id of their own: the node derives it from the content, so a list that is sent again
	// has the same ones.
	const rowsOf = (batch: number) =>
		Array.from({ length: size }, (_, row) => ({
			...transaction(`${batch}-${row}`),
			eventId: undefined,
		}));
	const posting = Promise.all(
		Array.from({ length: batches }, async (_, batch) => await postUntilTaken(url, rowsOf(batch))),
	);
	await sent(1 / 3);
	await cluster.killWorker(workers[0]);
	await cluster.addWorker();
	await sent(2 / 3);
	const requestsBefore = (await counts()).tokens.issued;
	await sandbox.client.changeFaults({ revokeTokens: true });
	const rejections = (await posting).flat();
	const { transactions, tokens } = await counts();
	return {
		/** What the sender was told instead of success: one for each run that died with its worker. */
		rejections,
		executions: await allOver(postgres, workflow, 60_000),
		transactions,
		/** Token requests before and after the tokens were revoked. */
		tokenRequests: [requestsBefore, tokens.issued - requestsBefore],
	};
}
