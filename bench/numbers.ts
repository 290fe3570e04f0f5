/** The middle one; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value that a share (0 to 1) of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** Three significant digits are all that a measurement like this is good for. */
export const round = (value: number) => Number(value.toPrecision(3));
