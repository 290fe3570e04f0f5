/** How one request ended, as far as it tells how much the service can take. */
export interface Feedback {
	/**
	 * - `answered`: the service answered, whatever it said about the transaction
	 * - `busy`: the service asked for fewer requests (429, 503)
	 * - `lost`: no answer came in time, or the connection broke
	 * - `unused`: nothing was sent
	 */
	kind: 'answered' | 'busy' | 'lost' | 'unused';
	/** The Retry-After header of a service that is busy, in ms. */
	retryAfter?: number;
}

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
/** Requests per ms with which slow start begins after the first response, so that a long way costs fewer round trips. */
const START_RATE = 0.25;
const MAX_START = 75;
/** A round is shorter than this (ms) only on a local network, where one slow turn of the event loop would decide it. */
const MIN_ROUND = 20;
/** Slow start multiplies the limit each round: by 2 as in TCP, by less when it begins with more requests, of which a rate limit rejects more. */
const SLOW_START_STEP = 2;
const SLOW_START_STEP_OVER_DISTANCE = 1.7;
/** Slow start goes on while the throughput grows by at least this part of what the limit grows. */
const SLOW_START_GAIN = 0.25;
/**
 * Slow start ends at once when the throughput falls below this part of the one before. A smaller gain than above is measured twice, and so is a
 * loss at a latency (ms) so short that one slow turn of the event loop explains it.
 */
const SLOW_START_LOSS = 0.9;
const SHORT = 40;
/** In the steady phase, the limit is raised by this factor to see whether the throughput follows. */
const PROBE_STEP = 1.2;
/** Throughput must follow a probe by this factor for the higher limit to stay. */
const PROBE_GAIN = 1.04;
/** Rounds between two probes; doubled after each probe that gains nothing. */
const PROBE_INTERVAL = 2;
const MAX_PROBE_INTERVAL = 64;
/** A throughput below this part of the usual one, at a higher latency, means that the service slows down. */
const SLOWDOWN = 0.8;
/** Multiplicative decrease: the first one ends slow start, which raised the limit just before. */
const FIRST_DECREASE = 0.5;
const DECREASE = 0.8;
/** Part of the measured rate that is used, so that a service with a rate limit isn't hit again at once. */
const RATE_MARGIN = 0.98;
/** Multiplicative decrease of a rate that was not raised before the service asked to wait. */
const RATE_DECREASE = 0.95;
/** The same when that was not enough twice in a row: the service takes much less than before. */
const RATE_DECREASE_AGAIN = 0.7;
/** A rate was not reduced enough when the service asks again after fewer ms than these. */
const SOON = 3000;
/** By how much a rate grows after its first second without 429; the growth doubles each second, up to the maximum. */
const RATE_GROWTH = 0.02;
const MAX_RATE_GROWTH = 0.16;
/** How long (ms) a rate is held before it grows: one that was measured once, and one that was confirmed; then doubled each time. */
const FIRST_RATE_HOLD = 5000;
const RATE_HOLD = 20_000;
/** By how much (ms) requests may be behind their pace and still make up for it, because timers wake late. */
const MAX_LATENESS = 25;
/** The shortest period (ms) over which a rate is measured. */
const MIN_RATE_PERIOD = 1000;
/** A reduction of the rate was useless when the service asks again as soon, and after fewer requests than these. */
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
		if (feedback.retryAfter === undefined) return;
		this.pausedUntil = Math.max(this.pausedUntil, now + feedback.retryAfter);
	}
}

/**
 * Finds out how much a service can take while it sends.
 *
 * - In flight: slow start raises the limit while the throughput follows. Afterwards, the limit is probed upward now and then, falls back when
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

	private isSlowStart = true;

	/** The round before, in slow start. */
	private previous: Measured = { limit: INITIAL_LIMIT, throughput: 0, latency: 0 };

	/** What the limit in force achieves; measured anew after each change. */
	private reference?: Measured;

	private probe?: 'settling' | 'measuring';

	private probeInterval = PROBE_INTERVAL;

	private roundsToProbe = PROBE_INTERVAL;

	// Stryker disable next-line BooleanLiteral: the first round of slow start sets it
	private isMeasuredTwice = false;

	private isFirst = true;

	private step = SLOW_START_STEP;

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
		this.round.started(this.inFlight);
	}

	finished(feedback: Feedback, startedAt: number, now: number): void {
		this.inFlight--;
		if (feedback.kind === 'unused') return;
		if (feedback.kind !== 'answered') {
			this.reduce(feedback, startedAt, now);
			return;
		}
		this.pace.accepted(startedAt);
		if (this.isFirst) this.open(now - startedAt, now);
		this.round.answered(now - startedAt);
		if (this.round.isOver(this.limit, now)) this.endRound(now);
	}

	/** Over a distance, requests spend their time on the way, so that more of them can be in flight from the start. */
	private open(latency: number, now: number) {
		this.isFirst = false;
		this.current = Math.max(INITIAL_LIMIT, Math.min(latency * START_RATE, MAX_START));
		if (this.current > INITIAL_LIMIT) this.step = SLOW_START_STEP_OVER_DISTANCE;
		this.round.reset(now);
	}

	private reduce(feedback: Feedback, startedAt: number, now: number) {
		const retryAfter = feedback.retryAfter ?? 0;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		// Requests that left before the last reduction say nothing about the limit that is in force now.
		if (startedAt < this.reducedAt) return;
		this.reducedAt = now;
		if (retryAfter > 0) {
			this.pace.reduce(now, retryAfter, startedAt);
		} else {
			this.current *= this.isSlowStart ? FIRST_DECREASE : DECREASE;
			this.current = Math.max(1, this.current);
		}
		this.isSlowStart = false;
		this.isFirst = false;
		this.measureAnew(now);
	}

	private measureAnew(now: number) {
		this.reference = undefined;
		this.probe = undefined;
		this.round.reset(now);
	}

	private endRound(now: number) {
		const measured = { limit: this.current, ...this.round.measure(now) };
		const limitReached = this.round.reached(this.limit);
		this.round.reset(now);
		// A limit that wasn't reached can't be judged.
		if (!limitReached) return;
		if (this.isSlowStart) this.grow(measured, now);
		else this.adjust(measured, now);
		this.current = Math.max(1, Math.min(this.current, MAX_CONCURRENT_REQUESTS));
	}

	private grow(measured: Measured, now: number) {
		const gain = measured.throughput / this.previous.throughput;
		if (gain >= 1 + (this.step - 1) * SLOW_START_GAIN) {
			this.previous = measured;
			this.isMeasuredTwice = false;
			this.current *= this.step;
		} else if (!this.isMeasuredTwice && (gain >= SLOW_START_LOSS || measured.latency < SHORT)) {
			this.isMeasuredTwice = true;
		} else {
			this.isSlowStart = false;
			if (gain >= PROBE_GAIN) return;
			// Falls back to the limit of the round before.
			this.current = this.previous.limit;
			this.measureAnew(now);
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
		this.probe = undefined;
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
	private startedAt = 0;

	private answers = 0;

	private totalLatency = 0;

	private maxInFlight = 0;

	started(inFlight: number) {
		this.maxInFlight = Math.max(this.maxInFlight, inFlight);
	}

	answered(latency: number) {
		this.answers++;
		this.totalLatency += latency;
	}

	isOver(limit: number, now: number): boolean {
		return this.answers >= limit && now - this.startedAt >= MIN_ROUND;
	}

	/** Whether the limit was (almost) used; the last requests of a list leave it unused. */
	reached(limit: number): boolean {
		return this.maxInFlight >= limit * 0.9;
	}

	measure(now: number) {
		return {
			throughput: this.answers / (now - this.startedAt),
			latency: this.totalLatency / this.answers,
		};
	}

	reset(now: number) {
		this.startedAt = now;
		this.answers = 0;
		this.totalLatency = 0;
		this.maxInFlight = 0;
	}
}

const rateOf = ({ accepted, period }: { accepted: number; period: number }) =>
	(accepted / period) * RATE_MARGIN;

/** Spaces requests evenly once the service has asked to wait. */
class Pace {
	/** Requests per ms; undefined while no limit is known. */
	private rate?: number;

	/** The rates before the last two growths: the service may notice only in its next full second. */
	// Stryker disable next-line ArrayDeclaration: the first rate empties it
	private earlierRates: number[] = [];

	/** When the next request may start. */
	private next = -Infinity;

	private acceptedCount = 0;

	/** What the service accepted in how many ms, until it first asked to wait. */
	private first?: { accepted: number; period: number; rejectedFrom: number };

	private periodStart?: number;

	/** When requests went on after the last pause. */
	private resumedAt = 0;

	private grownAt = 0;

	private growth = RATE_GROWTH;

	private holdFor = FIRST_RATE_HOLD;

	private soonInARow = 0;

	private uselessReductions = 0;

	/** Negative when a request may have started before; without a rate, at most the pause that the service asked for. */
	delay(now: number): number {
		return this.next - now;
	}

	started(now: number) {
		this.periodStart ??= now;
		if (this.rate === undefined) return;
		if (now >= this.grownAt + 1000) {
			this.earlierRates = [...this.earlierRates, this.rate].slice(-2);
			this.rate *= 1 + this.growth;
			this.growth = Math.min(this.growth * 2, MAX_RATE_GROWTH);
			this.grownAt = now;
		}
		this.next = Math.max(this.next, now - MAX_LATENESS) + 1 / this.rate;
	}

	accepted(startedAt: number) {
		this.acceptedCount++;
		// Overtaken by the request that was rejected first.
		if (!this.first || startedAt > this.first.rejectedFrom) return;
		this.first.accepted++;
		this.rate = rateOf(this.first);
	}

	reduce(now: number, retryAfter: number, startedAt: number) {
		if (this.rate === undefined) {
			const elapsed = now - (this.periodStart ?? now);
			const period = Math.max(elapsed, retryAfter, MIN_RATE_PERIOD);
			this.first = { accepted: this.acceptedCount, period, rejectedFrom: startedAt };
			this.rate = rateOf(this.first);
		} else {
			this.first = undefined;
			const active = now - this.resumedAt;
			const useless = active < SOON && this.acceptedCount < USELESS_REQUESTS;
			if (useless) this.uselessReductions++;
			else if (this.uselessReductions < MAX_USELESS_REDUCTIONS) this.uselessReductions = 0;
			this.soonInARow = active < SOON ? this.soonInARow + 1 : 0;
			const decrease = this.soonInARow > 1 ? RATE_DECREASE_AGAIN : RATE_DECREASE;
			this.rate = this.earlierRates.at(0) ?? this.rate * decrease;
			this.holdFor = Math.max(RATE_HOLD, this.holdFor * 2);
		}
		if (!(this.rate > 0) || this.uselessReductions >= MAX_USELESS_REDUCTIONS) this.rate = undefined;
		this.earlierRates = [];
		this.growth = RATE_GROWTH;
		this.acceptedCount = 0;
		this.periodStart = now;
		this.resumedAt = now + retryAfter;
		this.next = this.resumedAt;
		this.grownAt = this.resumedAt + this.holdFor;
	}
}
