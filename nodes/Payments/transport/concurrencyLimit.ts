/** How one request ended, as far as it tells how much the service can take. */
export type Feedback =
	/** The service answered, whatever it said about the transaction. */
	| { kind: 'answered' }
	/** The service asked for fewer requests (429, 503); `retryAfter` is its Retry-After header in ms. */
	| { kind: 'busy'; retryAfter?: number }
	/** No answer came in time, or the connection broke. */
	| { kind: 'lost' }
	/** Nothing was sent. */
	| { kind: 'unused' };

/** Decides how many requests may be in flight, and when the next one may start. Times are in ms, from any fixed start. */
export interface ConcurrencyLimit {
	/** The number of requests that may be in flight, at least 1. */
	readonly limit: number;
	/** The time before which no request may start because the service asked to wait. */
	readonly pausedUntil: number;
	/** Returns the ms to wait before the next request may start; 0 when it may start now. */
	delay(now: number): number;
	/** Records that a request starts. */
	started(now: number): void;
	/** Records how a request that started at `startedAt` ended. */
	finished(feedback: Feedback, startedAt: number, now: number): void;
}

/** The maximum number of requests in flight, automatic or set by the user. */
export const MAX_CONCURRENT_REQUESTS = 200;

/** Slow start begins here, as TCP does (RFC 6928), so that a short list leaves in one round trip. */
export const INITIAL_LIMIT = 10;
/** A round is shorter than this (ms) only on a local network, where one slow turn of the event loop would decide it. */
const MIN_ROUND = 20;
/** Slow start goes on while doubling the limit raises the throughput by at least this factor. */
const SLOW_START_GAIN = 1.25;
/** Slow start ends at once when the throughput falls below this part of the one before; a smaller gain than above is measured twice. */
const SLOW_START_LOSS = 0.9;
/** In the steady phase, the limit is raised by this factor to see whether the throughput follows. */
const PROBE_STEP = 1.2;
/** Throughput must follow a probe by this factor for the higher limit to stay. */
const PROBE_GAIN = 1.04;
/** Rounds between two probes; doubled after each probe that gains nothing. */
const PROBE_INTERVAL = 2;
const MAX_PROBE_INTERVAL = 64;
/** A throughput below this part of the usual one, at a higher latency, means that the service slows down. */
const SLOWDOWN = 0.8;
/** Multiplicative decrease: the first one ends slow start, which doubled the limit just before. */
const FIRST_DECREASE = 0.5;
const DECREASE = 0.8;
/** Part of the measured rate that is used, so that a service with a rate limit isn't hit again at once. */
const RATE_MARGIN = 0.98;
/** Multiplicative decrease of the rate. */
const RATE_DECREASE = 0.9;
/** Growth per second of a rate that was measured only once, and of one that was confirmed. */
const FIRST_RATE_GROWTH = 1.05;
const FIRST_RATE_HOLD = 5000;
const RATE_GROWTH = 1.02;
/** How long (ms) a confirmed rate is held before it grows; doubled each time. */
const RATE_HOLD = 20_000;
/** The shortest period (ms) over which a rate is measured. */
const MIN_RATE_PERIOD = 1000;
/** A reduction of the rate was useless when the service asks again after fewer ms and fewer requests than these. */
const USELESS_AFTER = 3000;
const USELESS_REQUESTS = 20;
/** After so many useless reductions, 429 has another reason than the rate. */
const MAX_USELESS_REDUCTIONS = 3;

/**
 * Creates a limit that the user has set. It only waits when the service asks for that.
 *
 * @param limit requests in flight
 */
export const fixedLimit = (limit: number): ConcurrencyLimit => new FixedLimit(limit);

/** Creates a limit that adapts to the service; see `AutomaticLimit`. */
export const automaticLimit = (): ConcurrencyLimit => new AutomaticLimit();

class FixedLimit implements ConcurrencyLimit {
	readonly limit: number;

	pausedUntil = 0;

	constructor(limit: number) {
		this.limit = Math.max(1, Math.min(limit, MAX_CONCURRENT_REQUESTS));
	}

	delay(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	started(): void {}

	finished(feedback: Feedback, _startedAt: number, now: number): void {
		if (feedback.kind !== 'busy' || feedback.retryAfter === undefined) return;
		this.pausedUntil = Math.max(this.pausedUntil, now + feedback.retryAfter);
	}
}

/**
 * Finds out how much a service can take while it sends.
 *
 * - In flight: slow start doubles the limit while the throughput follows. Afterwards, the limit is probed upward now and then, falls back when
 *   nothing is gained, and shrinks when the throughput falls while the latency rises (hill climbing on throughput, as in BBR and Netflix's
 *   concurrency-limits). 429, 503, and lost requests halve it, once per round trip (multiplicative decrease, RFC 5681).
 * - Rate: a Retry-After header stops everything until then. The rate at which requests were accepted so far is kept afterwards, and grows
 *   slowly.
 */
class AutomaticLimit implements ConcurrencyLimit {
	pausedUntil = 0;

	private current = INITIAL_LIMIT;

	private inFlight = 0;

	private readonly round = new Round();

	private readonly pace = new Pace();

	private phase: 'slowStart' | 'steady' = 'slowStart';

	/** The round before, in slow start. */
	private previous?: Measured;

	/** What the limit in force achieves; measured anew after each change. */
	private reference?: Measured;

	private probe: 'none' | 'settling' | 'measuring' = 'none';

	private probeInterval = PROBE_INTERVAL;

	private roundsToProbe = PROBE_INTERVAL;

	private isMeasuredTwice = false;

	private reducedAt = -Infinity;

	get limit(): number {
		return Math.max(1, Math.floor(this.current));
	}

	delay(now: number): number {
		return Math.max(0, this.pausedUntil - now, this.pace.delay(now));
	}

	started(now: number): void {
		this.inFlight++;
		this.pace.started(now);
		this.round.started(now, this.inFlight);
	}

	finished(feedback: Feedback, startedAt: number, now: number): void {
		this.inFlight--;
		if (feedback.kind === 'unused') return;
		if (feedback.kind !== 'answered') {
			this.reduce(feedback, startedAt, now);
			return;
		}
		this.pace.accepted();
		this.round.answered(now - startedAt);
		if (this.round.isOver(this.limit, now)) this.endRound(now);
	}

	private reduce(feedback: Feedback, startedAt: number, now: number) {
		const retryAfter = feedback.kind === 'busy' ? (feedback.retryAfter ?? 0) : 0;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		// Requests that left before the last reduction say nothing about the limit that is in force now.
		if (startedAt < this.reducedAt) return;
		this.reducedAt = now;
		if (retryAfter > 0) {
			this.pace.reduce(now, retryAfter);
		} else {
			this.current *= this.phase === 'slowStart' ? FIRST_DECREASE : DECREASE;
			this.current = Math.max(1, this.current);
		}
		this.phase = 'steady';
		this.measureAnew(now);
	}

	private measureAnew(now: number) {
		this.reference = undefined;
		this.probe = 'none';
		this.round.reset(now);
	}

	/** Falls back to the limit of the round before. */
	private endSlowStart(now: number) {
		this.phase = 'steady';
		this.current = this.previous?.limit ?? this.current;
		this.measureAnew(now);
	}

	private endRound(now: number) {
		const measured = { limit: this.current, ...this.round.measure(now) };
		const limitReached = this.round.reached(this.limit);
		this.round.reset(now);
		// A limit that wasn't reached can't be judged.
		if (!limitReached) return;
		if (this.phase === 'slowStart') this.grow(measured, now);
		else this.adjust(measured, now);
		this.current = Math.max(1, Math.min(this.current, MAX_CONCURRENT_REQUESTS));
	}

	private grow(measured: Measured, now: number) {
		const { previous } = this;
		const gain = previous ? measured.throughput / previous.throughput : Infinity;
		if (gain >= SLOW_START_GAIN) {
			this.previous = measured;
			this.isMeasuredTwice = false;
			this.current *= 2;
		} else if (gain >= SLOW_START_LOSS && !this.isMeasuredTwice) {
			this.isMeasuredTwice = true;
		} else if (gain >= PROBE_GAIN) {
			this.phase = 'steady';
		} else {
			this.endSlowStart(now);
		}
	}

	private adjust(measured: Measured, now: number) {
		const { reference } = this;
		if (!reference) {
			this.reference = measured;
		} else if (this.probe === 'settling') {
			// The first round after a change still has the latency of the limit before.
			this.probe = 'measuring';
		} else if (this.probe === 'measuring') {
			this.endProbe(measured, reference);
		} else if (this.current > INITIAL_LIMIT && isSlowdown(measured, reference)) {
			this.current = Math.max(INITIAL_LIMIT, this.current * DECREASE);
			this.measureAnew(now);
		} else {
			this.reference = average(reference, measured);
			this.roundsToProbe--;
			if (this.roundsToProbe <= 0) this.startProbe();
		}
	}

	private startProbe() {
		if (this.current >= MAX_CONCURRENT_REQUESTS) return;
		this.probe = 'settling';
		this.current = Math.max(this.current + 1, this.current * PROBE_STEP);
	}

	private endProbe(measured: Measured, reference: Measured) {
		this.probe = 'none';
		if (measured.throughput >= reference.throughput * PROBE_GAIN) {
			this.reference = measured;
			this.probeInterval = PROBE_INTERVAL;
			this.roundsToProbe = 0;
		} else {
			this.current = reference.limit;
			this.roundsToProbe = this.probeInterval;
			this.probeInterval = Math.min(this.probeInterval * 2, MAX_PROBE_INTERVAL);
		}
	}
}

interface Measured {
	limit: number;
	/** Answers per ms. */
	throughput: number;
	/** ms. */
	latency: number;
}

const isSlowdown = (measured: Measured, reference: Measured) =>
	measured.throughput < reference.throughput * SLOWDOWN &&
	measured.latency > reference.latency / SLOWDOWN;

/** Weighs the newest measurement with a quarter. */
const average = (before: Measured, newest: Measured): Measured => ({
	limit: newest.limit,
	throughput: before.throughput * 0.75 + newest.throughput * 0.25,
	latency: before.latency * 0.75 + newest.latency * 0.25,
});

/** The answers to about as many requests as may be in flight: one round trip. */
class Round {
	private startedAt?: number;

	private answers = 0;

	private totalLatency = 0;

	private maxInFlight = 0;

	started(now: number, inFlight: number) {
		this.startedAt ??= now;
		this.maxInFlight = Math.max(this.maxInFlight, inFlight);
	}

	answered(latency: number) {
		this.answers++;
		this.totalLatency += latency;
	}

	isOver(limit: number, now: number): boolean {
		return this.answers >= limit && now - (this.startedAt ?? now) >= MIN_ROUND;
	}

	/** Whether the limit was (almost) used; the last requests of a list leave it unused. */
	reached(limit: number): boolean {
		return this.maxInFlight >= limit * 0.9;
	}

	measure(now: number) {
		return {
			throughput: this.answers / Math.max(1, now - (this.startedAt ?? now)),
			latency: this.totalLatency / Math.max(1, this.answers),
		};
	}

	reset(now: number) {
		this.startedAt = now;
		this.answers = 0;
		this.totalLatency = 0;
		this.maxInFlight = 0;
	}
}

/** Spaces requests evenly once the service has asked to wait. */
class Pace {
	/** Requests per ms; undefined while no limit is known. */
	private rate?: number;

	/** When the next request may start. */
	private next = -Infinity;

	private acceptedCount = 0;

	private periodStart?: number;

	/** When requests went on after the last pause. */
	private resumedAt = 0;

	private grownAt = 0;

	private holdFor = FIRST_RATE_HOLD;

	private confirmed = false;

	private uselessReductions = 0;

	delay(now: number): number {
		return this.rate === undefined ? 0 : Math.max(0, this.next - now);
	}

	started(now: number) {
		this.periodStart ??= now;
		if (this.rate === undefined) return;
		if (now >= this.grownAt + 1000) {
			this.rate *= this.confirmed ? RATE_GROWTH : FIRST_RATE_GROWTH;
			this.grownAt = now;
		}
		this.next = Math.max(this.next, now) + 1 / this.rate;
	}

	accepted() {
		this.acceptedCount++;
	}

	reduce(now: number, retryAfter: number) {
		const accepted = this.acceptedCount;
		const elapsed = now - (this.periodStart ?? now);
		const active = now - this.resumedAt;
		if (this.rate === undefined) {
			this.rate = (accepted / Math.max(elapsed, retryAfter, MIN_RATE_PERIOD)) * RATE_MARGIN;
		} else {
			const useless = active < USELESS_AFTER && accepted < USELESS_REQUESTS;
			this.uselessReductions = Math.max(0, this.uselessReductions + (useless ? 1 : -1));
			const lowest = (accepted / elapsed) * RATE_MARGIN;
			const highest = (accepted / active) * RATE_MARGIN;
			this.rate = Math.min(highest, Math.max(lowest, this.rate * RATE_DECREASE));
			this.holdFor = Math.max(RATE_HOLD, this.holdFor * 2);
			this.confirmed = true;
		}
		if (!(this.rate > 0) || this.uselessReductions >= MAX_USELESS_REDUCTIONS) this.rate = undefined;
		this.acceptedCount = 0;
		this.periodStart = now;
		this.resumedAt = now + retryAfter;
		this.next = this.resumedAt;
		this.grownAt = this.resumedAt + this.holdFor;
	}
}
