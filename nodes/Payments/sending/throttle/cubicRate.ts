/** Multiplicative decrease (RFC 9438, section 4.6). Close to 1, because W_max is measured here. */
const BETA = 0.95;
/** The RFC's own value, for when the service asks to wait again before anything is measured. */
const BETA_UNMEASURED = 0.7;
/** Growth (RFC 9438, section 4.2), in requests per second per s³. */
const C = 0.005;
/** A rate that is measured over less time says little. */
const MIN_PERIOD_MS = 1000;
/**
 * If a service rejects requests so soon after the rate was reduced, so often in a row, it has no
 * rate limit, but another reason.
 */
const MIN_EPOCH_REQUESTS = 20;
const MAX_SHORT_EPOCHS = 3;
/** Requests per second, however often the service asks to wait. */
const MIN_RATE = 0.5;

/**
 * The rate of requests to a service with a rate limit: CUBIC (RFC 9438) for a rate in place of a
 * window, as in the adaptive retry mode of the AWS SDKs. There is no rate until the service asks to
 * wait. Times are in ms.
 */
export class CubicRate {
	/** W_max: requests per second that the service took before it asked to wait. */
	private wMax: number;

	/** K: seconds until the rate is back at W_max. */
	private k = 0;

	/** When the current epoch began: the service accepts requests again. */
	private epochStart?: number;

	/** Requests of this epoch that the service answered without asking to wait. */
	private answeredCount = 0;

	private shortEpochs = 0;

	private isReduced = false;

	/** The first rejection. Requests that started before it may be answered after it. */
	private first?: { startedAt: number; period: number };

	/** @param learned W_max of an earlier execution */
	constructor(learned = Infinity) {
		this.wMax = learned;
		this.k = timeToRecover(learned);
	}

	/** Whether the rejections follow no rate. */
	get isAbandoned(): boolean {
		return this.shortEpochs >= MAX_SHORT_EPOCHS;
	}

	/** W_max, if it was measured in this execution. */
	get measured(): number | undefined {
		// A service that answered nothing else before it asked to wait was not measured.
		const isRate = this.isReduced && this.wMax !== Infinity && this.wMax > MIN_RATE;
		return isRate && this.shortEpochs === 0 ? this.wMax : undefined;
	}

	/** Returns the requests per second that may start now. */
	at(now: number): number {
		if (this.wMax === Infinity) return Infinity;
		const t = Math.max(0, now - (this.epochStart ?? now)) / 1000;
		return Math.max(MIN_RATE, this.wMax + C * (t - this.k) ** 3);
	}

	started(now: number): void {
		this.epochStart ??= now;
	}

	answered(startedAt: number): void {
		this.answeredCount++;
		if (!this.first || startedAt > this.first.startedAt) return;
		this.setMaximum((this.answeredCount / this.first.period) * 1000);
	}

	/**
	 * Records that the service rejected a request and asked to wait.
	 *
	 * @param startedAt when the rejected request started
	 */
	reduce(now: number, retryAfter: number, startedAt: number): void {
		if (this.isAbandoned) return;
		this.isReduced = true;
		const active = now - (this.epochStart ?? now);
		if (this.wMax === Infinity) {
			const period = Math.max(active, retryAfter, MIN_PERIOD_MS);
			this.first = { startedAt, period };
			this.setMaximum((this.answeredCount / period) * 1000);
		} else {
			const rate = this.at(now);
			const isRepeated = active < MIN_PERIOD_MS;
			const measured = (this.answeredCount / active) * 1000;
			this.first = undefined;
			this.shortEpochs = this.answeredCount < MIN_EPOCH_REQUESTS ? this.shortEpochs + 1 : 0;
			this.setMaximum(isRepeated ? rate * BETA_UNMEASURED : Math.min(rate, measured));
			this.answeredCount = 0;
		}
		this.epochStart = now + retryAfter;
	}

	private setMaximum(rate: number): void {
		this.wMax = this.isAbandoned ? Infinity : Math.max(MIN_RATE, rate);
		this.k = timeToRecover(this.wMax);
	}
}

/** RFC 9438, section 4.2: the third root of W_max · (1 − β) / C. */
const timeToRecover = (wMax: number): number =>
	wMax === Infinity ? 0 : Math.cbrt((wMax * (1 - BETA)) / C);
