/**
 * Works through a list in its order, with so many entries at the same time.
 *
 * @param limit how many at the same time, at least 1
 */
export async function forEachConcurrent<T>(
	list: readonly T[],
	limit: number,
	work: (entry: T) => Promise<void>,
): Promise<void> {
	let nextIndex = 0;
	const worker = async () => {
		while (nextIndex < list.length) {
			const entry = list[nextIndex];
			nextIndex++;
			await work(entry);
		}
	};
	const workers = Math.min(list.length, Math.max(1, limit));
	await Promise.all(Array.from({ length: workers }, worker));
}
