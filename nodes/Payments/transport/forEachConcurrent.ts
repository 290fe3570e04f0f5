/** The most that may be under way at a time; whoever asks for more gets this. */
export const MAX_CONCURRENT_REQUESTS = 100;
/** How many are begun before the event loop gets a turn. */
const BURST = 12;

/**
 * Works through a list with a bounded number under way at a time, in the list's order.
 * Once `stop` says so nothing new is begun, and what is under way is waited for.
 *
 * A request leaves only when the event loop comes round. Begun all at once they would leave late and together, and be answered together, so
 * that processor and service wait for each other in turn: with 100 under way and answers after 20 ms that takes half as long again.
 *
 * @param pause gives the event loop a turn
 */
export async function forEachConcurrent<T>(
	list: readonly T[],
	limit: number,
	{
		work,
		stop,
		pause,
	}: { work: (entry: T) => Promise<void>; stop: () => boolean; pause: () => Promise<void> },
): Promise<void> {
	let [next, asked] = [0, 0];
	let turn = Promise.resolve();
	const worker = async () => {
		for (;;) {
			if (++asked % BURST === 0) turn = turn.then(pause);
			await turn;
			if (next === list.length || stop()) return;
			await work(list[next++]);
		}
	};
	await Promise.all(
		Array.from(
			{ length: Math.min(list.length, MAX_CONCURRENT_REQUESTS, Math.max(1, limit)) },
			worker,
		),
	);
}
