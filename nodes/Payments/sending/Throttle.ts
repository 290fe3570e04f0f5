import type { Answer } from './answer/Says';
import { waitAfter, type Wait } from './waitAfter';

/** An attempt that has ended. Times are in ms. */
export interface Attempt {
	answer: Answer;
	startedAt: number;
	endedAt: number;
	/** Which one it is of its transaction, from 1 on. */
	number: number;
}

/** A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_SIZE = 50;
/** A decision that takes so many times as long as the shortest has waited in a queue. */
const QUEUING = 2;
/**
 * Requests don't take the same time to arrive: at exactly its rate, a service would now and then
 * count one too many in a second. At this share, one may take 50 ms longer than another.
 */
const SHARE_OF_RATE = 0.95;
/** So late does a timer usually come. The next start makes up for it. */
const TIMER_DELAY_MS = 2;

export interface ThrottleOptions {
	/** A whole number, up to which the throttle learns how many the service can take. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
	/** Whether the first request goes alone, so that an execution that stops at a failure can. */
	isFirstAlone: boolean;
}

/**
 * How many requests may be open, and from when on the next may start. It's TCP's congestion control
 * (RFC 5681) with requests in place of segments: the window doubles in a round trip up to a
 * threshold, grows by one from there, and is halved by a setback.
 */
export class Throttle {
	/** Nothing starts before it: the service asked to wait, or fewer requests weren't enough. */
	pausedUntil = 0;

	/** When the next may start by Max Requests per Second. */
	private spacedUntil = 0;

	/** With a fraction. */
	private size: number;

	/**
	 * Below it, the window doubles in a round trip; from it on, it grows by one (section 3.1).
	 * Without it, 5,000 rows at a service that takes 100 at once: 1,600 `unknown` in place of 106.
	 */
	private slowStartThreshold = Infinity;

	private reducedAt = -Infinity;

	/**
	 * How long the service took at least for one that it took, in ms. What it rejects can be faster.
	 * Without it, a service that slows down beyond 20 at once takes longer than one by one.
	 */
	private shortestMs = Infinity;

	/**
	 * Set while one request at a time is sent: at first, if so chosen, with another token, and after
	 * a 429. It ends with a response to a request that started since then.
	 */
	private aloneSince: number | undefined;

	/** Attempts in a row that ended with overload. Rejected tokens don't count. */
	private overloads = 0;

	/** Setbacks in a row: round trips with such attempts. */
	private setbacks = 0;

	private lastSetbackAt = -Infinity;

	constructor(private readonly options: ThrottleOptions) {
		this.size = Math.min(INITIAL_SIZE, options.maxConcurrentRequests);
		if (options.isFirstAlone) this.aloneSince = 0;
	}

	/** How many requests may be open. */
	get maxOpen(): number {
		return this.aloneSince === undefined ? Math.floor(this.size) : 1;
	}

	/** When the next request may start. */
	get nextStartAt(): number {
		return Math.max(this.pausedUntil, this.spacedUntil);
	}

	countStart(now: number): void {
		const { maxRequestsPerSecond } = this.options;
		if (maxRequestsPerSecond === 0) return;
		const due = Math.max(this.spacedUntil, now - TIMER_DELAY_MS);
		this.spacedUntil = due + 1000 / (maxRequestsPerSecond * SHARE_OF_RATE);
	}

	/**
	 * Learns from an attempt how many may be open, and how long everything waits.
	 *
	 * @param random from 0 to 1, spreads the retries of many transactions
	 * @returns how long everything waits, and how long the transaction
	 */
	learn(attempt: Attempt, random: number): Wait {
		const setback = this.countSetback(attempt);
		this.resize(attempt, setback);
		const wait = waitAfter(attempt.answer, { attempts: attempt.number, setback, random });
		this.pausedUntil = Math.max(this.pausedUntil, attempt.endedAt + wait.all);
		return wait;
	}

	/** Returns how many setbacks in a row there are with this attempt, or 0 if it's none. */
	private countSetback({ answer, startedAt, endedAt }: Attempt): number {
		const { says, shows, waitMs } = answer;
		if (shows === 'token') return 0;
		if (shows !== 'overload' && shows !== 'unusable') {
			this.overloads = 0;
			this.setbacks = 0;
			return 0;
		}
		this.overloads++;
		// One among decisions is bad luck, unless the service states a limit. Without this, a service
		// with 5 % of 503 takes 10.2 s in place of 1.6.
		const isStated = waitMs !== undefined || says === 'limit';
		if (this.overloads === 1 && !isStated) return 0;
		// What started before the last setback is part of it.
		if (startedAt < this.lastSetbackAt) return 0;
		this.lastSetbackAt = endedAt;
		return ++this.setbacks;
	}

	private resize({ answer, startedAt, endedAt }: Attempt, setback: number): void {
		switch (answer.shows) {
			case 'decision':
				this.grow(startedAt, endedAt - startedAt, answer.says === 'success');
				return this.endAlone(startedAt);
			case 'undecided':
			case 'elsewhere':
				return this.endAlone(startedAt);
			case 'token':
				// Any response will do: a token that another request has used is accepted, too.
				this.aloneSince = 0;
				return;
			case 'overload':
			case 'unusable':
				if (setback > 0) this.reduce(setback, endedAt);
				// Without it, half a window would find out that the limit still holds.
				if (answer.says === 'limit') this.aloneSince = endedAt;
		}
	}

	private endAlone(startedAt: number): void {
		const { aloneSince } = this;
		if (aloneSince !== undefined && startedAt >= aloneSince) this.aloneSince = undefined;
	}

	private grow(startedAt: number, tookMs: number, isTaken: boolean): void {
		if (isTaken) this.shortestMs = Math.min(this.shortestMs, tookMs);
		// More would only queue, here or there, and be refused by a limit (RFC 9406, section 4.2).
		if (this.size >= INITIAL_SIZE && tookMs > QUEUING * this.shortestMs) return;
		// What started before the last reduction says nothing about the window after it.
		if (startedAt < this.reducedAt) return;
		const growth = this.size < this.slowStartThreshold ? 1 : 1 / this.size;
		this.size = Math.min(this.size + growth, this.options.maxConcurrentRequests);
	}

	/** Reduces the window: first to half, then, if that isn't enough, to one. */
	private reduce(setback: number, now: number): void {
		this.reducedAt = now;
		this.size = setback === 1 ? Math.max(1, this.size / 2) : 1;
		// Held for as long as an outage goes on (section 3.1).
		if (setback === 1) this.slowStartThreshold = this.size;
	}
}
