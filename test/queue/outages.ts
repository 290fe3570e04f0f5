import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster';

/** Redis is gone for so many seconds, and comes back with what it had stored. */
export async function stopRedis({ redis }: Cluster, seconds: number): Promise<void> {
	await redis.stop();
	await wait(seconds * 1000);
	await redis.start();
}

/** Waits until something holds; rejects in the words of `what` when it does not within the time. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs: number): Promise<void> {
	for (const deadline = Date.now() + timeoutMs; !(await holds()); await wait(1000)) {
		if (Date.now() > deadline) throw new Error(`After ${timeoutMs / 1000} s it still was not so that ${what}.`);
	}
}
