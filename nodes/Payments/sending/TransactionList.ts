import type { SendFailure, SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import type { Attempt, FailedAttempt } from './attempt';
import { duplicate, mergeFailures, notSent, unknownOutcome } from './outcome';
import { backoff, parseRetryAfter, retryDelay } from './retryDelay';

/*
 * The flow control of one run of the node:
 *
 *     sendOne        one transaction, from its first attempt to its result
 *     send           the list: retries that are due start first, then the next item begins
 *     FlowControl    how many requests are open, when the next may start, when no item begins
 *
 * A service that restarts for 5 seconds at row 30 of 60 answers the rows that are open with 503, or
 * refuses the connection. Each of them waits for a retry, and fewer requests may be open. If the
 * requests that start from then on fail, too, everything waits for 0.5 s, then for twice as long
 * each time, up to 5 s. As soon as the service decides about a payment again, there are no new
 * waits, and within 60 s, the default of Max Retry Time, all 60 are created. A host that stays dead
 * decides about no payment for as long as Max Retry Time, or 5 s if that is longer: then no further
 * item begins, and those that have begun are retried until their own time is over.
 */

export interface ListOptions {
	/**
	 * ms from the first attempt for a transaction to its last one. If the first token is rejected,
	 * from then on.
	 */
	maxRetryTime: number;
	/** A whole number. The list learns how many the service can take, up to this. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
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
	attempt: Attempt;
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
/** Two more than the first: a service that rejects three new tokens doesn't accept the client. */
const MAX_REJECTED_TOKENS = 3;

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
		private readonly attempt: (item: TransactionItem) => Promise<Attempt>,
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
			if (!starts) return withAttempts(failure, attemptCount, this.clock.now() - startedAt);
		}
	}

	/** Makes one attempt, and lets the flow control know how it ended. */
	private async makeAttempt(item: TransactionItem): Promise<EndedAttempt> {
		const startedAt = this.clock.now();
		try {
			const attempt = await this.attempt(item);
			const endedAt = this.clock.now();
			if (attempt.kind !== 'failed') {
				this.flow.decided(startedAt, endedAt);
				return { attempt, endedAt };
			}
			const retryAfter = parseRetryAfter(attempt.retryAfter, Date.now());
			this.flow.failed(attempt, startedAt, endedAt, retryAfter);
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
		this.flow.started(now);
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

function withAttempts(result: SendFailure, attemptCount: number, ms: number): SendFailure {
	const times = attemptCount === 1 ? 'once' : `${attemptCount} times`;
	return { ...result, message: `${result.message} (tried ${times} in ${Math.round(ms / 1000)} s)` };
}

/** A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_WINDOW = 50;
/** If so many answers come first, and none decides about a payment, the service doesn't work. */
const MAX_ANSWERS = 20;
/** Also with a short Max Retry Time: a bad moment of a service isn't its end. */
const MIN_PATIENCE_MS = 5000;
/**
 * Requests don't take the same time to arrive: at exactly its rate, a service would now and then
 * count one too many in a second. At this share, one may take 50 ms longer than another.
 */
const SHARE_OF_RATE = 0.95;
/** So late does a timer usually come. The next start makes up for it. */
const TIMER_DELAY_MS = 2;

/**
 * How many requests may be open: TCP's congestion control (RFC 5681), with requests in place of
 * segments. When the next may start. When no further item begins.
 */
class FlowControl {
	openRequests = 0;

	/**
	 * Nobody starts before it: the service asked to wait, fewer requests weren't enough, or the token
	 * is about to be replaced.
	 */
	pausedUntil = 0;

	/** Whether nothing can be sent, so that retries are in vain, too. */
	isUseless = false;

	/** How many requests may be open, with a fraction. */
	private window: number;

	private readonly maxWindow: number;

	/** Below it, the window doubles in a round trip; from it on, it grows by one (section 3.1). */
	private slowStartThreshold = Infinity;

	/** Requests that started before the last reduction say nothing about the window after it. */
	private reducedAt = -Infinity;

	/** Failures since the last decision: overload, or a token that isn't accepted. */
	private undecided = 0;

	/** Of these, how many reduced the window or ended a token. */
	private setbacks = 0;

	/** Whether the last token was rejected, and it isn't known yet if the next is accepted. */
	isTokenUnproven = false;

	/** The next request may start from this time on (*Max Requests per Second*). */
	private pacedUntil = 0;

	private hasDecided = false;

	/** Before the first decision, like the next. */
	private answers = 0;

	private rejectedTokens = 0;

	private lastFailure: SendFailure | undefined;

	/** The result of items that don't begin. */
	private endResult: SendFailure | undefined;

	/** @param decidedAt when a payment was decided about last, or the run began */
	constructor(
		private readonly options: ListOptions,
		private decidedAt: number,
	) {
		this.maxWindow = options.maxConcurrentRequests;
		this.window = Math.min(INITIAL_WINDOW, this.maxWindow);
	}

	/** `Infinity`: after an open request has ended. */
	nextStartAt(): number {
		// One request shows whether a new token is accepted.
		const limit = this.isTokenUnproven ? 1 : Math.floor(this.window);
		return this.openRequests < limit ? Math.max(this.pausedUntil, this.pacedUntil) : Infinity;
	}

	started(now: number): void {
		this.openRequests++;
		const { maxRequestsPerSecond } = this.options;
		if (maxRequestsPerSecond === 0) return;
		const dueAt = Math.max(this.pacedUntil, now - TIMER_DELAY_MS);
		this.pacedUntil = dueAt + 1000 / (maxRequestsPerSecond * SHARE_OF_RATE);
	}

	/** The service decided about a payment, so it can take one request more. */
	decided(startedAt: number, now: number): void {
		this.hasDecided = true;
		this.endSetbacks(now);
		if (startedAt < this.reducedAt) return;
		const growth = this.window < this.slowStartThreshold ? 1 : 1 / this.window;
		this.window = Math.min(this.window + growth, this.maxWindow);
	}

	private endSetbacks(now: number): void {
		this.decidedAt = now;
		this.undecided = 0;
		this.setbacks = 0;
		this.isTokenUnproven = false;
	}

	/** Takes in what a failed attempt shows of the service. */
	failed(
		{ evidence, tokenRejected, result }: FailedAttempt,
		startedAt: number,
		now: number,
		retryAfter = 0,
	): void {
		if (tokenRejected) {
			if (tokenRejected.isCurrent) this.countRejectedToken(result, now);
			// It's not the row: nobody starts until there is another token.
			else if (this.isTokenUnproven)
				this.pausedUntil = Math.max(this.pausedUntil, now + tokenRejected.waitMs);
			return;
		}
		this.isTokenUnproven = false;
		if (evidence === 'decision') return this.decided(startedAt, now);
		if (evidence === 'answer') return this.answered(result, now);
		if (evidence === 'unusable' && !this.hasDecided)
			return this.endAtOnce({ ...result, fix: `${NOT_TRIED} ${result.fix}` });
		this.lastFailure = result;
		this.undecided++;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
		// At most once per round trip: the others started before the last reduction could help.
		if (startedAt < this.reducedAt) return;
		this.reducedAt = now;
		this.window = Math.max(1, this.window / 2);
		// Held for as long as an outage goes on (section 3.1).
		if (this.setbacks === 0) this.slowStartThreshold = this.window;
		this.backOff(now);
	}

	/** The first time, fewer requests may be enough. From then on, everything waits. */
	private backOff(now: number): void {
		if (this.setbacks > 0)
			this.pausedUntil = Math.max(this.pausedUntil, now + backoff(this.setbacks));
		this.setbacks++;
	}

	private countRejectedToken(result: SendFailure, now: number): void {
		this.lastFailure = result;
		this.undecided++;
		this.isTokenUnproven = true;
		this.backOff(now);
		if (!this.hasDecided && ++this.rejectedTokens === MAX_REJECTED_TOKENS)
			this.endAtOnce(everyTokenRejected(result));
	}

	/** After one decision, an answer that isn't one is about its row. */
	private answered(result: SendFailure, now: number): void {
		if (this.hasDecided) return this.endSetbacks(now);
		if (++this.answers === MAX_ANSWERS) this.endAtOnce(nothingButAnswers(result));
	}

	private endAtOnce(result: SendFailure): void {
		this.endResult = result;
		this.isUseless = true;
	}

	/** Returns the result of the items that haven't begun, if none is to begin anymore. */
	reasonToEnd(now: number): SendFailure | undefined {
		const patience = Math.max(this.options.maxRetryTime, MIN_PATIENCE_MS);
		const pause = this.pausedUntil - now;
		const undecidedFor = now - this.decidedAt;
		// The service asked for it: a backoff isn't longer than MIN_PATIENCE_MS.
		if (pause > patience) this.endResult ??= tooLongPause(pause);
		// A single request can take longer than Max Retry Time.
		else if (this.undecided > 1 && undecidedFor >= patience)
			this.endResult ??= nothingDecided(undecidedFor, this.lastFailure!);
		return this.endResult;
	}
}

const NOT_TRIED = "An earlier item could not be sent for this reason, so this one wasn't tried.";
const FIND_OUT = 'Find out what the service has, then run the workflow again.';
const RAISE_RETRY_TIME = "To wait longer, raise the option 'Max Retry Time'.";
const NOTHING_SENT = 'Nothing was sent for this item.';

function nothingDecided(ms: number, last: SendFailure): SendFailure {
	const seconds = Math.round(ms / 1000);
	const cause = last.status === undefined ? 'no response' : `status ${last.status}`;
	const message =
		last.outcome === 'notSent'
			? `${last.message}, for ${seconds} s by now`
			: `The transaction wasn't sent, because the service hasn't decided about any payment for ${seconds} s (the last request: ${cause})`;
	return notSent(message, `${FIND_OUT} ${RAISE_RETRY_TIME} ${NOTHING_SENT}`);
}

const nothingButAnswers = ({ status, fix }: SendFailure): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service answered ${MAX_ANSWERS} requests without a decision about a payment (the last one: status ${status})`,
		`${fix} ${NOTHING_SENT}`,
	);

const everyTokenRejected = ({ status, fix }: SendFailure): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service rejects every new access token (status ${status})`,
		`${fix} ${NOTHING_SENT}`,
	);

const tooLongPause = (ms: number): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		`Run the workflow again later. ${RAISE_RETRY_TIME} ${NOTHING_SENT}`,
	);
