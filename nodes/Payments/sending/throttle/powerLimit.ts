/** The window of a new connection (RFC 6928), so that a short list leaves in one round trip. */
const INITIAL_WINDOW = 10;
/** Once a round trip is known, the window becomes that for this rate, in requests per ms. */
const INITIAL_RATE = 0.3;
/** That window is at most so large. */
const MAX_INITIAL_WINDOW = 100;
/** The r of power. The larger it is, the more requests may wait for a little more throughput. */
const R = 6;
/** Slow start doubles the window (RFC 5681) for as long as power grows. */
const SLOW_START_FACTOR = 2;
/** Afterwards, each round tries a window that is larger or smaller by this factor. */
const STEP = 1.2;
/** Multiplicative decrease (RFC 9438, section 4.6). */
const DECREASE = 0.7;

/**
 * The number of requests that may be in flight: the one with the highest power, which is
 * throughput^r / round trip time (Kleinrock, "Power and Deterministic Rules of Thumb for
 * Probabilistic Problems in Computer Communications", 1979). Below it, the service could take more.
 * Above it, requests wait for each other.
 *
 * It is found by incremental steps (Heiss and Wagner, "Adaptive Load Control in Transaction
 * Processing Systems", 1991): the window goes on growing or shrinking for as long as power grows,
 * and turns around when it doesn't. Nothing is assumed about what makes requests wait: the service,
 * the network, or n8n's own processor. Times are in ms.
 */
export class PowerLimit {
	private window: number;

	private inFlight = 0;

	private maxInFlight = 0;

	private roundStart?: number;

	/** Of the requests that started in this round. */
	private roundTrips: number[] = [];

	private isGrowing = true;

	private factor: number;

	/** Of the round before this one. */
	private power = 0;

	/** @param learned the window with which an earlier execution ended */
	constructor(
		private readonly maxWindow: number,
		learned?: number,
	) {
		this.window = Math.max(INITIAL_WINDOW, learned ?? 0);
		this.factor = learned === undefined ? SLOW_START_FACTOR : STEP;
	}

	get limit(): number {
		return Math.max(1, Math.floor(this.window));
	}

	/** The window that the next execution starts with. Slow start goes on there. */
	get learned(): number {
		return this.isUsed && this.factor === SLOW_START_FACTOR ? this.grown() : this.limit;
	}

	started(): void {
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
	}

	finished(): void {
		this.inFlight--;
	}

	/** Records a response. Those to requests that started before this round say nothing about it. */
	answered(startedAt: number, now: number): void {
		if (this.roundStart === undefined) {
			this.openOverDistance(now - startedAt);
			this.beginRound(now);
		} else if (startedAt >= this.roundStart) {
			this.roundTrips.push(now - startedAt);
			// As many as are in flight, because requests that started together are answered together.
			if (this.roundTrips.length > this.window) this.endRound(now);
		}
	}

	/** Records that a request was lost, or rejected because the service is busy. */
	reduce(now: number): void {
		this.window = Math.max(1, this.window * DECREASE);
		this.factor = STEP;
		this.isGrowing = true;
		this.power = 0;
		this.beginRound(now);
	}

	/** Over a distance, requests spend their time on the way, so more of them can be in flight. */
	private openOverDistance(rtt: number): void {
		this.window = Math.max(this.window, Math.min(rtt * INITIAL_RATE, MAX_INITIAL_WINDOW));
	}

	private endRound(now: number): void {
		if (this.isUsed) this.step(this.measuredPower());
		this.beginRound(now);
	}

	/** A window can be judged only if more than half of it was used. */
	private get isUsed(): boolean {
		return this.window < 2 * this.maxInFlight;
	}

	/**
	 * The (R + 1)-th root of throughput^R / round trip time, where throughput is window / round trip
	 * time (Little's law). A root has the same maximum.
	 */
	private measuredPower(): number {
		// The first ones of a window that grew were answered before the others waited with them.
		const settled = this.roundTrips.slice(this.roundTrips.length / 2);
		const rtt = settled.reduce((sum, one) => sum + one, 0) / settled.length;
		const inFlight = Math.min(this.window, this.maxInFlight);
		return inFlight ** (R / (R + 1)) / Math.max(1, rtt);
	}

	/** Goes on in the same direction if power grew, and turns around if it didn't. */
	private step(power: number): void {
		const isBetter = power > this.power;
		if (!isBetter) this.isGrowing = !this.isGrowing;
		this.window = this.isGrowing ? this.grown() : this.shrunk();
		if (!isBetter || this.window === this.maxWindow) this.factor = STEP;
		this.power = power;
	}

	private grown(): number {
		return Math.min(Math.max(this.window * this.factor, this.window + 1), this.maxWindow);
	}

	private shrunk(): number {
		return Math.max(this.window / this.factor, Math.min(this.window, INITIAL_WINDOW));
	}

	private beginRound(now: number): void {
		this.roundStart = now;
		this.roundTrips = [];
		this.maxInFlight = this.inFlight;
	}
}
