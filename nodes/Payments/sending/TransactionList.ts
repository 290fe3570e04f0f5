import type { SendFailure, SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import { FlowControl, MAX_REJECTED_TOKENS, MIN_PATIENCE_MS, type FlowLimits } from './FlowControl';
import { duplicate, mergeFailures, unknownOutcome } from './outcome';
import type { AttemptResult } from './response/readResponse';
import { parseRetryAfter, retryDelay } from './retryDelay';

/*
 * One run of the node, read from top to bottom:
 *
 *     sendOne        one transaction, from its first attempt to its result
 *     send           the list: retries that are due start first, then the next item begins
 *     FlowControl    how many requests are open, when the next may start, when no item begins
 */

export interface ListOptions extends FlowLimits {
	/** Whether no further item begins after this result. */
	stopsAt: (result: SendResult) => boolean;
	/** Aborted when the execution is canceled. */
	cancelSignal?: AbortSignal;
}

export interface Clock {
	/** ms on a clock that nobody sets. */
	now: () => number;
	sleep: (ms: number) => Promise<unknown>;
}

interface EndedAttempt {
	attempt: AttemptResult;
	endedAt: number;
	/** How long the service asks to wait from then on. */
	retryAfter?: number;
}

/** A transaction that waits for its next attempt. */
interface Retry {
	/** When the attempt is to start. */
	dueAt: number;
	/** Until when it may start. */
	deadline: number;
	/** Called with `true` when it starts, and with `false` when it won't. */
	resolve: (starts: boolean) => void;
}

/** Starting all requests in one tick delays the first. Yield to the event loop after so many. */
const STARTS_PER_TICK = 12;
/** An execution that ends leaves no longer timer behind. */
const MAX_SLEEP_MS = 1000;

/** Sends a list of transactions. Times are in ms. */
export class TransactionList {
	private readonly results = new Map<number, SendResult>();

	private readonly flow: FlowControl;

	private nextIndex = 0;

	/** Transactions that have begun and have no result yet. */
	private unfinished = 0;

	/** In the order in which they are due. */
	private retries: Retry[] = [];

	/** Whether no further item begins, because the execution stops at a result. */
	private isStopped = false;

	/** Ends the wait of `send`. */
	private wake = () => {};

	/** @param attempt makes one request for a transaction */
	constructor(
		private readonly items: TransactionItem[],
		private readonly attempt: (item: TransactionItem) => Promise<AttemptResult>,
		private readonly options: ListOptions,
		private readonly clock: Clock,
	) {
		this.flow = new FlowControl(options, clock.now());
	}

	/** Sends one transaction: its attempts, until one is final or the retry time is over. */
	private async sendOne(item: TransactionItem): Promise<SendResult> {
		let startedAt = this.clock.now();
		/** How the first attempt ended that may have been recorded. */
		let leftOpen: SendFailure | undefined;
		let mayHaveRecorded = false;
		let rejectedTokens = 0;
		let isAboutRow = false;
		/** Until when a retry with another token may start. */
		let tokenDeadline: number | undefined;
		for (let attemptCount = 1; ; attemptCount++) {
			const { attempt, endedAt, retryAfter } = await this.makeAttempt(item);
			if (attempt.kind === 'created') return attempt.result;
			if (attempt.kind === 'recorded') return duplicate(attempt.response, mayHaveRecorded);
			const { result, evidence, retryable, tokenRejected } = attempt;
			const failure = mergeFailures(leftOpen, result);
			if (result.outcome === 'unknown') {
				leftOpen ??= result;
				// If the Event ID is still in progress, it's another request that may record it.
				mayHaveRecorded ||= evidence !== 'decision';
			}
			// A token that ends is rejected for many rows at once, and counts for the first of them. One
			// that others had rejected, and that is accepted for other rows by now, counts, too: then
			// it's this row that is rejected.
			isAboutRow ||= tokenRejected !== undefined && !this.flow.isTokenUnproven;
			if (tokenRejected && (tokenRejected.isCurrent || isAboutRow)) rejectedTokens++;
			if (!retryable || rejectedTokens === MAX_REJECTED_TOKENS) return failure;

			// A token can end at any time. If the first is rejected, the retry time begins with the next.
			if (tokenRejected && attemptCount === 1) startedAt = endedAt;
			const deadline = startedAt + this.options.maxRetryTime;
			if (tokenRejected) tokenDeadline ??= Math.max(deadline, endedAt + MIN_PATIENCE_MS);
			const starts = tokenRejected
				? await this.waitForRetry(endedAt + tokenRejected.waitMs, tokenDeadline!)
				: await this.waitForRetry(
						endedAt + retryDelay({ attemptCount, retryAfter }, Math.random()),
						deadline,
					);
			if (!starts && this.flow.isUseless) return failure;
			if (!starts) return sayHowOften(failure, attemptCount, this.clock.now() - startedAt);
		}
	}

	/** Makes one attempt, and lets the flow control know how it ended. */
	private async makeAttempt(item: TransactionItem): Promise<EndedAttempt> {
		const startedAt = this.clock.now();
		try {
			const attempt = await this.attempt(item);
			const endedAt = this.clock.now();
			if (attempt.kind !== 'failure') {
				this.flow.countDecision(startedAt, endedAt);
				return { attempt, endedAt };
			}
			const retryAfter = parseRetryAfter(attempt.retryAfter, Date.now());
			this.flow.countFailure(attempt, startedAt, endedAt, retryAfter);
			return { attempt, endedAt, retryAfter };
		} finally {
			this.flow.openRequests--;
		}
	}

	/** Returns whether the next attempt starts. */
	private async waitForRetry(dueAt: number, deadline: number): Promise<boolean> {
		return await new Promise((resolve) => {
			this.retries.push({ dueAt, deadline, resolve });
			this.retries.sort((one, other) => one.dueAt - other.dueAt);
			this.wake();
		});
	}

	/**
	 * Sends all items. Does not throw.
	 *
	 * @returns the results by the indexes of the items, without those that were not begun because the
	 *   execution stops
	 */
	async send(): Promise<Map<number, SendResult>> {
		const { cancelSignal } = this.options;
		const wakeOnCancel = () => this.wake();
		cancelSignal?.addEventListener('abort', wakeOnCancel);
		try {
			for (let startCount = 1; ;) {
				const now = this.clock.now();
				this.endItemsThatDontBegin(now);
				if (this.endRetriesThatDontStart(now)) {
					// Their results come first: one of them can stop the list.
					await this.clock.sleep(0);
					continue;
				}
				if (!this.hasNew && this.unfinished === 0) return this.results;
				const waitMs = this.nextStartAt() - now;
				if (waitMs > 0) {
					await this.waitForChange(waitMs);
				} else {
					this.startNext(now);
					if (startCount++ % STARTS_PER_TICK === 0) await this.clock.sleep(0);
				}
			}
		} finally {
			cancelSignal?.removeEventListener('abort', wakeOnCancel);
		}
	}

	private get hasNew(): boolean {
		return this.nextIndex < this.items.length;
	}

	private nextStartAt(): number {
		const dueAt = this.hasNew ? 0 : (this.retries.at(0)?.dueAt ?? Infinity);
		return Math.max(dueAt, this.flow.nextStartAt());
	}

	private startNext(now: number): void {
		this.flow.countStart(now);
		// Another row shows whether it's the token that was rejected, or the row.
		const isNewFirst = this.flow.isTokenUnproven && this.hasNew;
		if (!isNewFirst && this.retries.length > 0 && this.retries[0].dueAt <= now)
			return this.retries.shift()!.resolve(true);
		const item = this.items[this.nextIndex++];
		this.unfinished++;
		void this.sendOne(item)
			// A defect of ours costs this item its certainty, and the others nothing.
			.catch(({ message }: Error) =>
				unknownOutcome(`the response could not be processed (${message})`),
			)
			.then((result) => {
				this.unfinished--;
				this.settle(item, result);
				this.wake();
			});
	}

	private settle({ itemIndex }: TransactionItem, result: SendResult): void {
		this.results.set(itemIndex, result);
		this.isStopped ||= this.options.stopsAt(result);
	}

	private endItemsThatDontBegin(now: number): void {
		if (this.isStopped || this.options.cancelSignal?.aborted) this.nextIndex = this.items.length;
		if (!this.hasNew) return;
		const result = this.flow.reasonToEnd(now);
		while (result && this.hasNew) this.settle(this.items[this.nextIndex++], result);
	}

	/** Returns whether there was one. */
	private endRetriesThatDontStart(now: number): boolean {
		const before = this.retries.length;
		const { pausedUntil, isUseless } = this.flow;
		const isInVain = isUseless || this.options.cancelSignal?.aborted;
		this.retries = this.retries.filter(({ dueAt, deadline, resolve }) => {
			// One that couldn't start in time isn't waited for.
			const isInTime = Math.max(now, dueAt, pausedUntil) <= deadline;
			if (isInTime && !isInVain) return true;
			resolve(false);
			return false;
		});
		return this.retries.length < before;
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

/** Adds to a failure how often, and for how long, it was tried. */
function sayHowOften(result: SendFailure, attemptCount: number, ms: number): SendFailure {
	const times = attemptCount === 1 ? 'once' : `${attemptCount} times`;
	return { ...result, message: `${result.message} (tried ${times} in ${Math.round(ms / 1000)} s)` };
}
