/** Spaces the starts of requests evenly, for *Max Requests per Second*. Times are in ms. */
export class Pacer {
	/** The next request may start from this time on. */
	nextAt = 0;

	/** @param maxPerSecond 0 for no limit */
	constructor(private readonly maxPerSecond: number) {}

	started(now: number): void {
		if (this.maxPerSecond > 0) this.nextAt = Math.max(this.nextAt, now) + 1000 / this.maxPerSecond;
	}
}
