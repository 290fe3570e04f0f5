import type { Clock } from '../../shared/clock';
import type { Conclusion } from '../results';
import type { TransactionItem } from '../Transaction';
import { Breaker } from './Breaker';
import { Setbacks } from './EndedAttempt';
import { unknownOutcome } from './response/outcome';
import { Pace } from './Pace';
import type { AttemptResult } from './response/readResponse';
import { giveUp, NEW, whatNext, type NextAttempt } from './whatNext';
import { Window } from './Window';

/*
 * One run of the node is a loop that starts a transaction as soon as one may start:
 *
 *     Window     how many may be open   ─┐
 *     Pace       when the next starts   ─┼─►  start  ──►  attempt  ──►  whatNext  ──►  result
 *     Breaker    whether any starts     ─┘      ▲            │             │
 *        ▲                                      └─────────── │ ── again ◄──┘
 *        └───────────── all three learn from it ─────────────┘
 *
 * What they look for is a decision: an answer about a transaction, which is recorded, or rejected
 * for what it is. Everything else decides nothing.
 *
 * A service that restarts for 5 seconds at row 30 of 60 answers the rows that are open with 503, or
 * refuses the connection. Each of them waits for a retry, and fewer may be open. If those that
 * start from then on fail, too, everything waits for 0.5 s, then for twice as long each time, up to
 * 5 s. As soon as the service decides about a transaction again, there are no new waits, and all 60
 * are created.
 *
 * A limit of 100 a minute answers the rest with 429. All wait as long as it asks for, or by the
 * same backoff, then one request finds out whether it still holds.
 *
 * The breaker ends the list
 *
 *   - if nothing was decided for as long as Max Retry Time (90 s by default, and 5 s at least),
 *     waits included, or if the service asks for a longer wait;
 *   - if three new tokens were rejected before the first decision;
 *   - after 20 answers in a row that are about no transaction: before the first decision, such as
 *     404 or a redirect; after it, only redirects and web pages, which no transaction causes. 429,
 *     5xx, a rejected token, and no answer at all aren't counted here.
 *
 * Then nothing starts anymore. What was never processed ends as `notSent`, and what may have been
 * recorded as `unknown`.
 */

export interface ListOptions {
	/** ms */
	maxRetryTime: number;
	/** A whole number. The list learns how many the service can take, up to this. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
	/** Whether the execution stops at this result. Without it, at none. */
	stopsAt?: (result: Conclusion) => boolean;
	/** Aborted when the execution is canceled. */
	cancelSignal?: AbortSignal;
}

/** A transaction that waits for its next attempt. */
interface Waiting extends NextAttempt {
	item: TransactionItem;
}

/** Starting all requests in one tick delays the first. Yield to the event loop after so many. */
const STARTS_PER_TICK = 12;
/** An execution that ends leaves no longer timer behind. */
const MAX_SLEEP_MS = 1000;

/** Sends a list of transactions. Times are in ms. */
export class TransactionList {
	private readonly results = new Map<number, Conclusion>();

	private readonly setbacks = new Setbacks();

	private readonly window: Window;

	private readonly pace: Pace;

	private readonly breaker: Breaker;

	/** Those that had no attempt, then those that were given back. */
	private queue: Waiting[];

	/** Of the next one of the queue. */
	private nextIndex = 0;

	/** In the order in which they are due. They come first. */
	private retries: Waiting[] = [];

	private openRequests = 0;

	/** Whether the execution stops at a result. */
	private isStopped = false;

	/** Ends the wait of `send`. */
	private wake = () => {};

	/**
	 * @param attempt makes one request for a transaction
	 * @param random spreads retries, from 0 to 1
	 */
	constructor(
		items: TransactionItem[],
		private readonly attempt: (item: TransactionItem) => Promise<AttemptResult>,
		private readonly options: ListOptions,
		private readonly clock: Clock,
		private readonly random: () => number = Math.random,
	) {
		const first = { record: NEW, dueAt: 0, deadline: Infinity, isGivenBack: false };
		this.queue = items.map((item) => ({ ...first, item }));
		// What stops at a failure learns from the first one before it sends more.
		this.window = new Window(options.maxConcurrentRequests, options.stopsAt !== undefined);
		this.pace = new Pace(options.maxRequestsPerSecond);
		this.breaker = new Breaker(options.maxRetryTime, clock.now());
	}

	/**
	 * Sends all items. Does not throw.
	 *
	 * @returns the results by the indexes of the items, without those of which nothing was processed
	 *   because the execution stops
	 */
	async send(): Promise<Map<number, Conclusion>> {
		const { cancelSignal } = this.options;
		const wakeOnCancel = () => this.wake();
		cancelSignal?.addEventListener('abort', wakeOnCancel);
		try {
			for (let startCount = 1; ;) {
				const now = this.clock.now();
				this.endWhatDoesNotStart(now);
				const next = this.nextWaiting(now);
				if (!next && this.openRequests === 0) return this.results;
				const waitMs = this.startTimeOf(next) - now;
				if (!next || waitMs > 0) {
					await this.waitForChange(waitMs);
				} else {
					this.start(next, now);
					if (startCount++ % STARTS_PER_TICK === 0) await this.clock.sleep(0);
				}
			}
		} finally {
			cancelSignal?.removeEventListener('abort', wakeOnCancel);
		}
	}

	/** Retries that are due, then the queue, then the retry that is due next. */
	private nextWaiting(now: number): Waiting | undefined {
		const retry = this.retries.at(0);
		const queued = this.queue.at(this.nextIndex);
		if (!retry || !queued) return retry ?? queued;
		return retry.dueAt <= Math.max(now, queued.dueAt) ? retry : queued;
	}

	/** `Infinity`: after an open request has ended. */
	private startTimeOf(next: Waiting | undefined): number {
		if (!next || this.openRequests >= this.window.limit) return Infinity;
		return Math.max(next.dueAt, this.pace.nextStartAt);
	}

	private start(next: Waiting, now: number): void {
		if (next === this.retries.at(0)) this.retries.shift();
		else this.nextIndex++;
		const { item } = next;
		this.openRequests++;
		this.pace.countStart(now);
		void this.makeAttempt(next, now)
			// A defect of ours costs this item its certainty, and the others nothing.
			.catch(({ message }: Error) =>
				this.settle(item, unknownOutcome(`the response could not be processed (${message})`)),
			)
			.then(() => {
				this.openRequests--;
				this.wake();
			});
	}

	private async makeAttempt({ item, record }: Waiting, startedAt: number): Promise<void> {
		const attempt = await this.attempt(item);
		const endedAt = this.clock.now();
		const isFirst = record.attempts === 0;
		const ended = this.setbacks.read({ attempt, startedAt, endedAt, isFirst });
		for (const policy of [this.window, this.pace, this.breaker]) policy.learn(ended);
		const next = whatNext(record, ended, this.options.maxRetryTime, this.random());
		if ('result' in next) this.settle(item, next.result);
		else if (next.isGivenBack) this.queue.push({ item, ...next });
		else this.addRetry({ item, ...next });
	}

	private addRetry(added: Waiting): void {
		const isBefore = ({ dueAt }: Waiting) => dueAt <= added.dueAt;
		this.retries.splice(this.retries.findLastIndex(isBefore) + 1, 0, added);
	}

	private settle({ itemIndex }: TransactionItem, result: Conclusion): void {
		this.results.set(itemIndex, result);
		this.isStopped ||= this.options.stopsAt?.(result) ?? false;
	}

	private endWhatDoesNotStart(now: number): void {
		const reason = this.breaker.reasonToEnd(now, this.pace.pausedUntil);
		const isCanceled = this.options.cancelSignal?.aborted === true;
		const { retries } = this;
		this.retries = [];
		for (const retry of retries) {
			// What a run that stops hasn't got processed, it hasn't begun.
			if (this.isStopped && !retry.record.leftOpen) continue;
			const startsAt = Math.max(now, retry.dueAt, this.pace.pausedUntil);
			const starts = !isCanceled && !reason && startsAt <= retry.deadline;
			if (starts) this.retries.push(retry);
			else this.settle(retry.item, giveUp(retry.record, now));
		}
		if (!reason && !isCanceled && !this.isStopped) return;
		for (const { item, record } of this.queue.splice(this.nextIndex)) {
			if (this.isStopped) break;
			if (record.attempts > 0) this.settle(item, giveUp(record, now));
			else if (reason && !isCanceled) this.settle(item, reason);
		}
	}

	private async waitForChange(ms: number): Promise<void> {
		const changed = new Promise<void>((resolve) => {
			this.wake = resolve;
		});
		const waitsForRequest = ms === Infinity && this.retries.length === 0;
		await (waitsForRequest
			? changed
			: Promise.race([changed, this.clock.sleep(Math.ceil(Math.min(ms, MAX_SLEEP_MS)))]));
	}
}
