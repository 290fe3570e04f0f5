import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster';

/** Stops Redis for so many seconds. It starts again with its stored data. */
export async function stopRedis({ redis }: Cluster, seconds: number): Promise<void> {
	await redis.stop();
	await wait(seconds * 1000);
	await redis.start();
}
