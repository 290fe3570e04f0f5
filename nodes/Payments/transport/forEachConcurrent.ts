/**
 * Works through a list in its order, with so many entries at the same time.
 *
 * Once `stop` says so, nothing new is begun, and what was begun is waited for.
 *
 * @param limit how many at the same time, at least 1
 */
export async function forEachConcurrent<T>(
	list: readonly T[],
	limit: number,
	{ work, stop }: { work: (entry: T) => Promise<void>; stop: () => boolean },
): Promise<void> {
	let nextIndex = 0;
	const worker = async () => {
		while (nextIndex < list.length && !stop()) {
			const entry = list[nextIndex];
			nextIndex++;
			await work(entry);
		}
	};
	const workers = Math.min(list.length, Math.max(1, limit));
	await Promise.all(Array.from({ length: workers }, worker));
}
