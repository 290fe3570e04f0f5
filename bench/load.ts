import { Pool } from 'undici';
import { median } from './numbers';
import { signedEvent } from './receivers';

/** Each sends as soon as it has an answer. */
const CONNECTIONS = 20;

/**
 * Delivers events to a webhook of this machine for some seconds, as fast as it responds.
 *
 * @returns how many were answered with 2xx, and the median time to the response, in ms
 */
export async function deliver(
	url: string,
	seconds: number,
): Promise<{ accepted: number; acceptedPerSecond: number; responseMs: number }> {
	const { origin, pathname: path } = new URL(url);
	const pool = new Pool(origin, { connections: CONNECTIONS });
	const latencies: number[] = [];
	let accepted = 0;
	const start = performance.now();
	const sender = async () => {
		for (let now = start; now < start + seconds * 1000; now = performance.now()) {
			const response = await pool.request({ method: 'POST', path, ...signedEvent() });
			await response.body.dump();
			latencies.push(performance.now() - now);
			if (response.statusCode < 300) accepted++;
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, sender));
	const took = (performance.now() - start) / 1000;
	await pool.close();
	return { accepted, acceptedPerSecond: accepted / took, responseMs: median(latencies) };
}
