/** The most requests that are open at the same time; whoever asks for more gets this. */
export const MAX_CONCURRENT_REQUESTS = 100;
/** How many are begun before the event loop gets a turn. */
const BURST = 12;

/**
 * Works through a list in its order, with a bounded number of entries at the same time. Once `stop` returns true nothing new is begun, and what is
 * begun is waited for.
 *
 * A request leaves only when the event loop comes round. Begun all at once they would leave late and together, and be answered together, so
 * that processor and service wait for each other in turn: with 100 open requests and responses after 20 ms that takes half as long again.
 *
 * @param limit how many at the same time, at least 1 and at most `MAX_CONCURRENT_REQUESTS`
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
	let nextIndex = 0;
	let begun = 0;
	let turn = Promise.resolve();
	const worker = async () => {
		for (;;) {
			begun++;
			if (begun % BURST === 0) turn = turn.then(pause);
			await turn;
			if (nextIndex === list.length || stop()) return;
			const entry = list[nextIndex];
			nextIndex++;
			await work(entry);
		}
	};
	const workers = Math.min(list.length, MAX_CONCURRENT_REQUESTS, Math.max(1, limit));
	await Promise.all(Array.from({ length: workers }, worker));
}
