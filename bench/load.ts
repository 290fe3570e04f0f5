import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile } from './numbers';

export interface Delivery {
	headers: Record<string, string>;
	body: string;
}

/**
 * Flat out: `connections` senders, each sending as soon as it has an answer. Otherwise so many per
 * second, whatever the answers take.
 */
export type Load = { connections: number } | { perSecond: number };

export interface LoadResult {
	sent: number;
	/** Answered with 2xx. */
	accepted: number;
	acceptedPerSecond: number;
	/**
	 * ms from the moment at which a delivery was due to its answer; waiting for a free connection
	 * counts.
	 */
	p50: number;
	p99: number;
}

/** Enough for any of the rates, so that a slow answer does not hold up the next delivery. */
const MAX_CONNECTIONS = 200;

/** Delivers to a webhook of this machine for some seconds. `make`: the n-th delivery. */
export async function deliver(
	url: string,
	make: (index: number) => Delivery,
	load: Load,
	seconds: number,
): Promise<LoadResult> {
	const { origin, pathname: path } = new URL(url);
	const pool = new Pool(origin, {
		connections: 'connections' in load ? load.connections : MAX_CONNECTIONS,
	});
	const latencies: number[] = [];
	let [sent, accepted] = [0, 0];
	const start = performance.now();
	const end = start + seconds * 1000;
	const send = async (due: number) => {
		const { headers, body } = make(sent++);
		const answer = await pool.request({
			method: 'POST',
			path,
			headers: { 'content-type': 'application/json', ...headers },
			body,
		});
		await answer.body.dump();
		latencies.push(performance.now() - due);
		if (answer.statusCode < 300) accepted++;
	};

	const sender = async () => {
		while (performance.now() < end) await send(performance.now());
	};
	const metronome = async (perSecond: number) => {
		const under: Array<Promise<void>> = [];
		for (let due = start; due < end; due += 1000 / perSecond) {
			await wait(Math.max(0, due - performance.now()));
			under.push(send(due));
		}
		await Promise.all(under);
	};
	await ('connections' in load
		? Promise.all(Array.from({ length: load.connections }, sender))
		: metronome(load.perSecond));
	const took = (performance.now() - start) / 1000;
	await pool.close();
	return {
		sent,
		accepted,
		acceptedPerSecond: accepted / took,
		p50: percentile(latencies, 0.5),
		p99: percentile(latencies, 0.99),
	};
}
