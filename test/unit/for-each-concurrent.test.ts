import { setImmediate as turn } from 'node:timers/promises';

import { forEachConcurrent } from '../../nodes/Payments/sending/throttle/forEachConcurrent';
import { fc } from '../support/properties';

/**
 * Works through a list whose entries take so many turns of the event loop; says in which order they
 * were begun, and how many at most were in progress.
 */
async function workThrough(turns: number[], limit: number) {
	const begun: number[] = [];
	let [inProgress, most, ended] = [0, 0, 0];
	await forEachConcurrent([...turns.entries()], limit, async ([index, takes]) => {
		begun.push(index);
		most = Math.max(most, ++inProgress);
		for (let i = 0; i < takes; i++) await turn();
		inProgress--;
		ended++;
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
				expect(most).toBeLessThanOrEqual(Math.max(1, limit));
			},
		),
	);
});
