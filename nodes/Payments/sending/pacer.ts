/**
 * Requests don't take the same time to arrive: at exactly its rate, a service would now and then
 * count one too many in a second. At this share, one may take 50 ms longer than another.
 */
const SHARE_OF_RATE = 0.95;
/** So late does a timer usually come. The next start makes up for it. */
const TIMER_DELAY_MS = 2;

/** Spaces the starts of requests evenly, for *Max Requests per Second*. Times are in ms. */
export class Pacer {
	/** The next request may start from this time on. */
	nextAt = 0;

	/** @param maxPerSecond 0 for no limit */
	constructor(private readonly maxPerSecond: number) {}

	started(now: number): void {
		const { maxPerSecond } = this;
		if (maxPerSecond === 0) return;
		const due = Math.max(this.nextAt, now - TIMER_DELAY_MS);
		this.nextAt = due + 1000 / (maxPerSecond * SHARE_OF_RATE);
	}
}
