/** The window of a new connection (RFC 6928), so that a short list leaves in one round trip. */
const INITIAL_WINDOW = 10;
/** Requests per ms with which slow start begins once the round trip is known, up to this window. */
const INITIAL_RATE = 0.3;
const MAX_INITIAL_WINDOW = 100;
/**
 * Requests waiting on the way. Below ALPHA, the window grows, above BETA, it shrinks (section 3.2).
 */
const ALPHA = 3;
const BETA = 6;
/** Slow start doubles the window every other round trip (section 3.3). */
const SLOW_START_GROWTH = 0.5;
/** Growth of the window per round trip afterwards. TCP adds 1, because connections last longer. */
const GROWTH = 0.1;
/** Responses that tell the round trip (N_RTT_SAMPLE in RFC 9406). */
const RTT_SAMPLES = 8;
/** Multiplicative decrease (RFC 9438, section 4.6). */
const DECREASE = 0.7;

/**
 * The number of requests that may be in flight: TCP Vegas (Brakmo and Peterson, "TCP Vegas: End to
 * End Congestion Avoidance on a Global Internet", 1995), counted in requests. If more are in flight
 * than the service and the network can take, the others wait, and round trips take longer than
 * BaseRTT, the shortest one so far. Vegas keeps the number of waiting requests between ALPHA and
 * BETA. Times are in ms.
 */
export class VegasLimit {
	private window: number;

	private inFlight = 0;

	private maxInFlight = 0;

	private baseRtt = Infinity;

	/**
	 * The shortest round trip of this round. The others waited for requests that started with them.
	 */
	private rtt = Infinity;

	private samples = 0;

	private roundStart = -Infinity;

	private isSlowStart = true;

	/** @param learned the window with which an earlier execution ended */
	constructor(
		private readonly maxWindow: number,
		learned = INITIAL_WINDOW,
	) {
		this.window = Math.max(INITIAL_WINDOW, learned);
	}

	get limit(): number {
		return Math.max(1, Math.floor(this.window));
	}

	started(): void {
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
	}

	finished(): void {
		this.inFlight--;
	}

	/** Records a response. A round ends with the first responses to requests that started in it. */
	answered(startedAt: number, now: number): void {
		const rtt = Math.max(1, now - startedAt);
		if (this.baseRtt === Infinity) this.openOverDistance(rtt);
		this.baseRtt = Math.min(this.baseRtt, rtt);
		if (this.isSlowStart && this.isUsed()) this.grow(SLOW_START_GROWTH);
		if (startedAt < this.roundStart) return;
		this.rtt = Math.min(this.rtt, rtt);
		this.samples++;
		if (this.samples >= Math.min(RTT_SAMPLES, this.window)) this.endRound(now);
	}

	/** Records that a request was lost, or rejected because the service is busy. */
	reduce(now: number): void {
		this.window = Math.max(1, this.window * DECREASE);
		this.isSlowStart = false;
		this.beginRound(now);
	}

	/** Over a distance, requests spend their time on the way, so more of them can be in flight. */
	private openOverDistance(rtt: number): void {
		this.window = Math.max(this.window, Math.min(rtt * INITIAL_RATE, MAX_INITIAL_WINDOW));
	}

	/** A window can be judged only if more than half of it was used. */
	private isUsed(): boolean {
		return this.window < 2 * this.maxInFlight;
	}

	private endRound(now: number): void {
		const waiting = this.window * (1 - this.baseRtt / this.rtt);
		if (waiting > BETA) {
			this.isSlowStart = false;
			const smallest = Math.min(this.window, INITIAL_WINDOW);
			this.window = Math.max(smallest, this.window - waiting + ALPHA);
		} else if (waiting < ALPHA && !this.isSlowStart && this.isUsed()) {
			this.grow(Math.max(1, this.window * GROWTH));
		}
		this.beginRound(now);
	}

	private beginRound(now: number): void {
		this.roundStart = now;
		this.rtt = Infinity;
		this.samples = 0;
		this.maxInFlight = this.inFlight;
	}

	private grow(by: number): void {
		this.window = Math.min(this.window + by, this.maxWindow);
	}
}
