import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

import {
	forEachConcurrent,
	MAX_CONCURRENT_REQUESTS,
} from '../../nodes/Payments/transport/forEachConcurrent';

/** Works through a list whose entries take so many turns of the event loop; says in which order they were begun, and how many at most were under way. */
async function workThrough(turns: number[], limit: number, stopAfter = Infinity) {
	const begun: number[] = [];
	let [running, most, ended] = [0, 0, 0];
	await forEachConcurrent([...turns.entries()], limit, {
		work: async ([index, takes]) => {
			begun.push(index);
			most = Math.max(most, ++running);
			for (let i = 0; i < takes; i++) await turn();
			running--;
			ended++;
		},
		stop: () => ended >= stopAfter,
		pause: async () => await turn(),
	});
	return { begun, most, ended };
}

test('every entry is begun once and in order, never more than allowed at a time, whatever each takes', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat(4), { maxLength: 200 }),
			fc.integer({ min: -1, max: 150 }),
			async (turns, limit) => {
				const { begun, most, ended } = await workThrough(turns, limit);
				expect(begun).toEqual([...turns.keys()]);
				expect(ended).toBe(turns.length);
				expect(most).toBeLessThanOrEqual(Math.min(MAX_CONCURRENT_REQUESTS, Math.max(1, limit)));
			},
		),
	);
});

test('once told to stop nothing new is begun, and what is under way is waited for', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat(4), { minLength: 1, maxLength: 200 }),
			fc.integer({ min: 1, max: 50 }),
			fc.nat(200),
			async (turns, limit, stopAfter) => {
				const { begun, ended } = await workThrough(turns, limit, stopAfter);
				expect(ended).toBe(begun.length);
				expect(begun.length).toBeLessThan(stopAfter + limit + 1);
			},
		),
	);
});

test('the event loop gets a turn before everything that is allowed is begun', async () => {
	let running = 0;
	const atPause: number[] = [];
	await forEachConcurrent(Array.from({ length: 100 }), 100, {
		work: async () => {
			running++;
			await turn();
			await turn();
			await turn();
			running--;
		},
		stop: () => false,
		pause: async () => {
			atPause.push(running);
			await turn();
		},
	});
	expect(atPause.length).toBeGreaterThan(4);
	expect(atPause[0]).toBeLessThan(20);
});
