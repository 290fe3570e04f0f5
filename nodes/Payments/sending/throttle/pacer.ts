/** Spaces the starts of requests evenly. Times are in ms. */
export class Pacer {
	private nextAt = -Infinity;

	/**
	 * @param makesUpForMs if a request starts up to so many ms late, the next one may start earlier
	 */
	constructor(private readonly makesUpForMs = 0) {}

	/** Returns the ms until the next request may start. Not above 0 if it may start now. */
	delay(now: number): number {
		return this.nextAt - now;
	}

	/** @param rate requests per second; Infinity for no spacing */
	started(now: number, rate: number): void {
		this.nextAt = Math.max(this.nextAt, now - this.makesUpForMs) + 1000 / rate;
	}
}
