import type { Clock } from '../../shared/clock';
import { NOT_BEGUN, type Conclusion, type NotBegun } from '../results';
import type { TransactionItem } from '../Transaction';
import type { Answer } from './answer/Says';
import { unknownOutcome } from './answer/words';
import { Ending } from './Ending';
import { advance, giveUp, type NextAttempt, type Progress } from './Progress';
import { Throttle, type ThrottleOptions } from './Throttle';

/*
 * One run of the node is a loop that starts a transaction as soon as one may start:
 *
 *     Throttle   how many may be open,          ─┐
 *                when the next one starts        ├─►  start  ──►  answer  ──►  advance  ──►  result
 *     Ending     whether any starts             ─┘      ▲            │            │
 *        ▲                                              └─────────── │ ── again ◄─┘
 *        └─────────────── both learn from it ────────────────────────┘
 *
 * What they look for is a decision: an answer about a transaction, which the service took, or
 * rejected for what it is. Everything else decides nothing.
 *
 * A service that restarts for 5 seconds at row 30 of 60 answers the rows that are open with 503, or
 * refuses the connection. Each of them waits for a retry, and fewer may be open. If those that
 * start from then on fail, too, everything waits for 0.5 s, then for twice as long each time, up to
 * 5 s. As soon as the service decides about a transaction again, there are no new waits, and all 60
 * are created.
 *
 * A limit of 100 a minute answers the rest with 429. All wait as long as it asks for, or by the
 * same backoff (waitAfter.ts), then one request finds out whether it still holds.
 *
 * When the list ends (Ending.ts), nothing starts anymore. What was never processed ends as
 * `notSent`, and what may have been recorded as `unknown`.
 */

export interface ListOptions extends Omit<ThrottleOptions, 'isFirstAlone'> {
	/** ms */
	maxRetryTime: number;
	/** Whether the execution stops at this result. Without it, at none. */
	stopsAt?: (result: Conclusion) => boolean;
	/** Aborted when the execution is canceled. */
	cancelSignal?: AbortSignal;
}

/** A transaction that waits for its next attempt. */
interface Retry extends NextAttempt {
	item: TransactionItem;
}
/** The same, or one that waits for its first one. */
interface Waiting extends Omit<Retry, 'progress'> {
	progress?: Progress;
}

/** Starting all requests in one tick delays the first. Yield to the event loop after so many. */
const STARTS_PER_TICK = 12;
/** An execution that ends leaves no longer timer behind. */
const MAX_SLEEP_MS = 1000;

/** Sends a list of transactions. Times are in ms. */
export class TransactionList {
	private readonly results: Map<number, Conclusion | NotBegun>;

	private readonly throttle: Throttle;

	private readonly ending: Ending;

	/** Those that had no attempt, then those that were given back. */
	private queue: Waiting[];

	/** Of the next one of the queue. */
	private nextIndex = 0;

	/** In the order in which they are due. They come first. */
	private retries: Retry[] = [];

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
		private readonly attempt: (item: TransactionItem) => Promise<Answer>,
		private readonly options: ListOptions,
		private readonly clock: Clock,
		private readonly random: () => number = Math.random,
	) {
		const { maxRetryTime, stopsAt } = options;
		const first = { dueAt: 0, deadline: Infinity, isGivenBack: false };
		this.queue = items.map((item) => ({ ...first, item }));
		this.results = new Map(items.map(({ itemIndex }) => [itemIndex, NOT_BEGUN]));
		this.throttle = new Throttle({ ...options, isFirstAlone: stopsAt !== undefined });
		this.ending = new Ending(maxRetryTime, clock.now());
	}

	/**
	 * Sends all items. Does not throw.
	 *
	 * @returns the results by the indexes of the items
	 */
	async send(): Promise<Map<number, Conclusion | NotBegun>> {
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
		if (!next || this.openRequests >= this.throttle.maxOpen) return Infinity;
		return Math.max(next.dueAt, this.throttle.nextStartAt);
	}

	private start(next: Waiting, now: number): void {
		if (next === this.retries.at(0)) this.retries.shift();
		else this.nextIndex++;
		const { item } = next;
		this.openRequests++;
		this.throttle.countStart(now);
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

	private async makeAttempt({ item, progress }: Waiting, startedAt: number): Promise<void> {
		const answer = await this.attempt(item);
		const number = (progress?.attempts ?? 0) + 1;
		const attempt = { answer, startedAt, endedAt: this.clock.now(), number };
		const wait = this.throttle.learn(attempt, this.random());
		this.ending.learn(attempt);
		const next = advance(progress, attempt, wait, this.options.maxRetryTime);
		if ('result' in next) this.settle(item, next.result);
		else if (next.isGivenBack) this.queue.push({ item, ...next });
		else this.addRetry({ item, ...next });
	}

	private addRetry(added: Retry): void {
		const isBefore = ({ dueAt }: Retry) => dueAt <= added.dueAt;
		this.retries.splice(this.retries.findLastIndex(isBefore) + 1, 0, added);
	}

	private settle({ itemIndex }: TransactionItem, result: Conclusion): void {
		this.results.set(itemIndex, result);
		this.isStopped ||= this.options.stopsAt?.(result) ?? false;
	}

	private endWhatDoesNotStart(now: number): void {
		const { pausedUntil } = this.throttle;
		const reason = this.ending.reasonAt(now, pausedUntil);
		const isCanceled = this.options.cancelSignal?.aborted === true;
		this.retries = this.retries.filter(({ item, progress, dueAt, deadline }) => {
			const startsAt = Math.max(now, dueAt, pausedUntil);
			// What a run that stops hasn't got processed, it hasn't begun.
			if (this.isStopped && !progress.leftOpen) return false;
			if (!isCanceled && !reason && startsAt <= deadline) return true;
			this.settle(item, giveUp(progress, now));
			return false;
		});
		if (!reason && !isCanceled && !this.isStopped) return;
		const left = this.queue.splice(this.nextIndex);
		// First what was tried: if the execution stops, it's the item that says why.
		left.sort((one, other) => Number(!one.progress) - Number(!other.progress));
		for (const { item, progress } of left) {
			if (this.isStopped) break;
			if (progress) this.settle(item, giveUp(progress, now));
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
