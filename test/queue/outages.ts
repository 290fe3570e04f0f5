import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster';

/** Redis is gone for so many seconds, and comes back with what it had stored. */
export async function stopRedis({ redis }: Cluster, seconds: number): Promise<void> {
	await redis.stop();
	await wait(seconds * 1000);
	await redis.start();
}
