import { Pool } from 'undici';
import { signedEvent } from './receivers';

/** Each sends as soon as it has an answer. */
const CONNECTIONS = 20;

/**
 * Delivers events to a webhook of this machine for some seconds, as fast as it responds.
 *
 * @returns how many were answered with 2xx
 */
export async function deliver(
	url: string,
	seconds: number,
): Promise<{ accepted: number; acceptedPerSecond: number }> {
	const { origin, pathname: path } = new URL(url);
	const pool = new Pool(origin, { connections: CONNECTIONS });
	let accepted = 0;
	const start = performance.now();
	const sender = async () => {
		while (performance.now() < start + seconds * 1000) {
			const response = await pool.request({ method: 'POST', path, ...signedEvent() });
			await response.body.dump();
			if (response.statusCode < 300) accepted++;
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, sender));
	const took = (performance.now() - start) / 1000;
	await pool.close();
	return { accepted, acceptedPerSecond: accepted / took };
}
