import { MAX_CONCURRENT_REQUESTS } from '../../../shared/maxConcurrentRequests';
import { CubicRate } from './cubicRate';
import { Pacer } from './pacer';
import { PowerLimit } from './powerLimit';

/** What a finished request says about the service's capacity. */
export interface Feedback {
	/**
	 * - `answered`: the service answered, whatever it said about the transaction
	 * - `busy`: the service asked for fewer requests (429, 503)
	 * - `lost`: no connection, no token, or no complete response in time
	 * - `unused`: it can't be sent, whatever the load, for example because the credential is wrong
	 */
	kind: 'answered' | 'busy' | 'lost' | 'unused';
	/** The Retry-After header of a service that is busy, in ms. */
	retryAfter?: number;
}

/** Decides how many requests may be in flight, and when the next one may start. Times are in ms. */
export interface Throttle {
	/** Requests that may be in flight, at least 1. */
	readonly limit: number;
	/** No request may start before this time, because the service asked to wait. */
	readonly pausedUntil: number;
	/** Returns the ms to wait before the next request may start. 0 if it may start now. */
	delay(now: number): number;
	/** Records that a request starts. */
	started(now: number): void;
	/** Records how a request that started at `startedAt` ended. */
	finished(feedback: Feedback, startedAt: number, now: number): void;
}

/** What an execution learned about a service. The next one starts with it. */
export interface LearnedCapacity {
	/** Requests in flight. */
	concurrency: number;
	/** Requests per second, missing if the service didn't ask for fewer. */
	rate?: number;
}

export interface ThrottleSettings {
	/** 0 to learn what the service can take. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
}

/** Timers end up to so many ms late. */
const TIMER_NOISE_MS = 2;

/** Creates the limit that the options ask for. */
export const createThrottle = (
	{ maxConcurrentRequests, maxRequestsPerSecond }: ThrottleSettings,
	learned?: LearnedCapacity,
): FixedThrottle | AutomaticThrottle =>
	maxConcurrentRequests > 0
		? new FixedThrottle(maxConcurrentRequests, maxRequestsPerSecond)
		: new AutomaticThrottle(maxRequestsPerSecond, learned);

/** A number of requests that the user set. Waits when the service asks for that. */
export class FixedThrottle implements Throttle {
	readonly limit: number;

	pausedUntil = 0;

	private readonly pacer = new Pacer();

	constructor(
		limit: number,
		private readonly maxRequestsPerSecond = 0,
	) {
		this.limit = Math.max(1, Math.min(Math.floor(limit), MAX_CONCURRENT_REQUESTS));
	}

	delay(now: number): number {
		return Math.max(0, this.pausedUntil - now, this.pacer.delay(now));
	}

	started(now: number): void {
		this.pacer.started(now, this.maxRequestsPerSecond || Infinity);
	}

	finished(feedback: Feedback, _startedAt: number, now: number): void {
		if (feedback.retryAfter === undefined) return;
		this.pausedUntil = Math.max(this.pausedUntil, now + feedback.retryAfter);
	}
}

/**
 * Learns how much a service can take while it sends.
 *
 * The number of requests in flight is the one with the highest power. A service that asks to wait
 * (Retry-After) has a rate limit: nothing starts before that time, and from then on the rate
 * follows CUBIC.
 */
export class AutomaticThrottle implements Throttle {
	pausedUntil = 0;

	private readonly concurrency: PowerLimit;

	private readonly rate: CubicRate;

	private readonly ratePacer = new Pacer(TIMER_NOISE_MS);

	private readonly optionPacer = new Pacer();

	/** Requests that started before the last reduction say nothing about the current limits. */
	private reducedAt = -Infinity;

	constructor(
		private readonly maxRequestsPerSecond = 0,
		learned?: LearnedCapacity,
	) {
		this.concurrency = new PowerLimit(MAX_CONCURRENT_REQUESTS, learned?.concurrency);
		this.rate = new CubicRate(learned?.rate);
	}

	get limit(): number {
		return this.concurrency.limit;
	}

	get learned(): LearnedCapacity {
		return { concurrency: this.concurrency.learned, rate: this.rate.measured };
	}

	delay(now: number): number {
		const paused = this.pausedUntil - now;
		return Math.max(0, paused, this.ratePacer.delay(now), this.optionPacer.delay(now));
	}

	started(now: number): void {
		this.concurrency.started();
		this.rate.started(now);
		this.ratePacer.started(now, this.rate.at(now));
		this.optionPacer.started(now, this.maxRequestsPerSecond || Infinity);
	}

	finished(feedback: Feedback, startedAt: number, now: number): void {
		this.concurrency.finished();
		if (feedback.kind === 'answered') {
			this.concurrency.answered(startedAt, now);
			this.rate.answered(startedAt);
		} else if (feedback.kind !== 'unused') {
			this.reduce(feedback.retryAfter ?? 0, startedAt, now);
		}
	}

	private reduce(retryAfter: number, startedAt: number, now: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		if (startedAt < this.reducedAt) return;
		this.reducedAt = now;
		if (retryAfter > 0) this.rate.reduce(now, retryAfter, startedAt);
		if (retryAfter === 0 || this.rate.isAbandoned) this.concurrency.reduce(now);
	}
}
