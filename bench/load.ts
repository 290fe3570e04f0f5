import { Pool } from 'undici';
import { median } from './numbers';

export interface Delivery {
	headers: Record<string, string>;
	body: string;
}

export interface LoadResult {
	/** Answered with 2xx. */
	accepted: number;
	acceptedPerSecond: number;
	/** Median time to the response, in ms. */
	responseMs: number;
}

/** Each sends as soon as it has an answer. */
const CONNECTIONS = 20;

/** Delivers to a webhook of this machine for some seconds, as fast as it responds. */
export async function deliver(
	url: string,
	make: () => Delivery,
	seconds: number,
): Promise<LoadResult> {
	const { origin, pathname: path } = new URL(url);
	const pool = new Pool(origin, { connections: CONNECTIONS });
	const latencies: number[] = [];
	let accepted = 0;
	const start = performance.now();
	const sender = async () => {
		for (let now = start; now < start + seconds * 1000; now = performance.now()) {
			const { headers, body } = make();
			const response = await pool.request({
				method: 'POST',
				path,
				headers: { 'content-type': 'application/json', ...headers },
				body,
			});
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
