import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../../shared/maxConcurrentRequests';
import { transactionsUrl } from '../../shared/serviceUrl';
import type { SendFailure, SendResult } from '../results';
import type { TransactionItem } from '../Transaction';
import { attemptToSend, type Attempt } from './attempt';
import { CircuitBreaker } from './circuitBreaker';
import { CongestionWindow } from './congestionWindow';
import { duplicate, mergeFailures, notSent, unknownOutcome } from './outcome';
import { Pacer } from './pacer';
import type { SharedCredential } from './request';
import { parseRetryAfter, retryDelay } from './retryPolicy';

/*
 * sendTransactions         the list: which transaction starts a request next, and when
 *   attemptToSend          one attempt for a transaction: what the response says about it
 *     sendRequest          one request
 */

interface SendOptions {
	/** ms for one request. */
	timeout: number;
	/** ms from the first attempt for a transaction to its last one. */
	maxRetryTime: number;
	retryUnknownOutcome: boolean;
	/** 0 for as many as the service can take. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
	/** Whether nothing new is to be begun after this result. */
	stopsAt: (result: SendResult) => boolean;
}

const CORRECT_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

/**
 * Sends transactions as fast as the service takes them, and retries where that is safe. Whatever
 * the service or the network does, it doesn't throw.
 *
 * @param credential read once for the run of the node
 * @returns the results by the indexes of their items, without those that were not begun because the
 *   execution stops
 */
export async function sendTransactions(
	context: IExecuteFunctions,
	credential: SharedCredential,
	items: TransactionItem[],
	options: SendOptions,
): Promise<Map<number, SendResult>> {
	const { value: url, problem } = transactionsUrl(credential);
	if (problem) {
		const result = notSent(problem.message, `${problem.fix} ${CORRECT_CREDENTIAL}`);
		return new Map(items.map(({ itemIndex }) => [itemIndex, result]));
	}
	const end = new AbortController();
	const canceled = context.getExecutionCancelSignal();
	const signal = canceled ? AbortSignal.any([canceled, end.signal]) : end.signal;
	const send = async (item: TransactionItem) =>
		await attemptToSend(context, credential, item, { ...options, url, signal });
	const list = new TransactionList(items, send, options, canceled);
	try {
		return await list.send();
	} finally {
		// Whatever ended the run: nobody sends anymore.
		end.abort();
	}
}

/** The sending of one transaction that has begun. */
interface Sending extends TransactionItem {
	attemptCount: number;
	/** When the first attempt began whose token wasn't rejected, in ms since the epoch. */
	startedAt?: number;
	/** When the next attempt may begin, in ms since the epoch. */
	dueAt: number;
	/** What is known from the attempts so far. */
	failure?: SendFailure;
	/** How the first attempt ended that may have been recorded. */
	leftOpen?: SendFailure;
}

/** Starting all requests in one tick delays the first. Yield to the event loop after so many. */
const STARTS_PER_TICK = 12;
/** An execution that ends leaves no longer timer behind. */
const MAX_SLEEP_MS = 1000;

/** Sends a list: retries that are due first, otherwise first come, first served. */
class TransactionList {
	private readonly results = new Map<number, SendResult>();

	private nextIndex = 0;

	/** Transactions that wait for their next attempt, in the order in which they are due. */
	private retries: Sending[] = [];

	private openRequests = 0;

	/** Whether nothing new begins, because the execution stops at a result. */
	private isStopped = false;

	private readonly window: CongestionWindow;

	private readonly pacer: Pacer;

	private readonly breaker = new CircuitBreaker();

	/** Ends the wait of `send`. */
	private wake = () => {};

	constructor(
		private readonly items: TransactionItem[],
		private readonly attempt: (item: TransactionItem) => Promise<Attempt>,
		private readonly options: SendOptions,
		private readonly cancelSignal: AbortSignal | undefined,
	) {
		const { maxConcurrentRequests, maxRequestsPerSecond } = options;
		this.window = new CongestionWindow(
			maxConcurrentRequests > 0
				? Math.max(1, Math.floor(maxConcurrentRequests))
				: MAX_CONCURRENT_REQUESTS,
		);
		this.pacer = new Pacer(maxRequestsPerSecond);
	}

	async send(): Promise<Map<number, SendResult>> {
		const wakeOnCancel = () => this.wake();
		this.cancelSignal?.addEventListener('abort', wakeOnCancel);
		try {
			for (let startCount = 1; ;) {
				this.endWhatCannotStart(Date.now());
				if (this.isDone) return this.results;
				const waitMs = this.nextStartAt() - Date.now();
				if (waitMs > 0) {
					await this.waitForChange(waitMs);
				} else {
					void this.makeAttempt(this.takeNext());
					if (startCount++ % STARTS_PER_TICK === 0) await sleep(0);
				}
			}
		} finally {
			this.cancelSignal?.removeEventListener('abort', wakeOnCancel);
		}
	}

	private get hasNew(): boolean {
		return this.nextIndex < this.items.length;
	}

	private get isDone(): boolean {
		return !this.hasNew && this.retries.length === 0 && this.openRequests === 0;
	}

	private get isCanceled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/** When the next request may start, in ms since the epoch. `Infinity`: after one has ended. */
	private nextStartAt(): number {
		if (this.openRequests >= this.window.limit) return Infinity;
		const dueAt = this.hasNew ? 0 : (this.retries.at(0)?.dueAt ?? Infinity);
		return Math.max(dueAt, this.window.closedUntil, this.pacer.nextAt);
	}

	private takeNext(): Sending {
		const now = Date.now();
		if (this.retries.length > 0 && this.retries[0].dueAt <= now) return this.retries.shift()!;
		const item = this.items[this.nextIndex++];
		return { ...item, attemptCount: 0, dueAt: now };
	}

	/** Ends what waits in vain: the execution ends, the service doesn't decide, or time is up. */
	private endWhatCannotStart(now: number): void {
		const pauseMs = this.window.retryAfterUntil - now;
		if (this.isStopped || this.isCanceled) this.nextIndex = this.items.length;
		else if (this.breaker.open) this.endNew(this.breaker.open);
		else if (this.hasNew && pauseMs > this.options.maxRetryTime) this.endNew(tooLongPause(pauseMs));
		this.retries = this.retries.filter((sending) => {
			const startsAt = Math.max(now, sending.dueAt, this.window.closedUntil);
			const isInTime = startsAt <= this.deadlineOf(sending);
			if (isInTime && !this.isCanceled && !this.breaker.open) return true;
			if (!isInTime) this.breaker.retriesUsedUp(sending.failure!);
			this.settle(sending, this.withAttempts(sending.failure!, sending));
			return false;
		});
	}

	private endNew(result: SendFailure): void {
		for (; this.hasNew; this.nextIndex++)
			this.results.set(this.items[this.nextIndex].itemIndex, result);
		this.isStopped ||= this.options.stopsAt(result);
	}

	private deadlineOf({ startedAt = Date.now() }: Sending): number {
		return startedAt + this.options.maxRetryTime;
	}

	private async waitForChange(ms: number): Promise<void> {
		const changed = new Promise<void>((resolve) => {
			this.wake = resolve;
		});
		const waitsForRequest = ms === Infinity && this.retries.length === 0;
		await (waitsForRequest
			? changed
			: Promise.race([changed, sleep(Math.ceil(Math.min(ms, MAX_SLEEP_MS)))]));
	}

	private async makeAttempt(sending: Sending): Promise<void> {
		const startedAt = Date.now();
		this.openRequests++;
		this.pacer.started(startedAt);
		sending.attemptCount++;
		sending.startedAt ??= startedAt;
		try {
			this.decide(await this.attempt(sending), sending, startedAt);
		} catch (error) {
			// A defect of ours costs this item its certainty, and the others nothing.
			const reason = `the response could not be processed (${(error as Error).message})`;
			this.settle(sending, unknownOutcome(reason));
		} finally {
			this.openRequests--;
			this.wake();
		}
	}

	private decide(attempt: Attempt, sending: Sending, startedAt: number): void {
		const now = Date.now();
		const retryAfter =
			'retryAfter' in attempt ? parseRetryAfter(attempt.retryAfter, now) : undefined;
		this.takeIn(attempt, startedAt, now, retryAfter);
		if (attempt.kind === 'created') return this.settle(sending, attempt.result);
		if (attempt.kind === 'recorded')
			return this.settle(sending, duplicate(attempt.response, sending.leftOpen !== undefined));
		const failure = mergeFailures(sending.leftOpen, attempt.result);
		if (attempt.result.outcome === 'unknown') sending.leftOpen ??= attempt.result;
		if (!attempt.retryable) return this.settle(sending, failure);
		const { attemptCount } = sending;
		const delay = attempt.tokenRejected
			? 0
			: retryDelay({ attemptCount, retryAfter }, Math.random());
		sending.failure = failure;
		sending.dueAt = now + delay;
		// A token can end at any time: if the first is rejected, the retry time begins with the next.
		if (attempt.tokenRejected && attemptCount === 1) sending.startedAt = undefined;
		if (sending.dueAt > this.deadlineOf(sending)) {
			this.breaker.retriesUsedUp(attempt.result);
			return this.settle(sending, this.withAttempts(failure, sending));
		}
		this.retries.push(sending);
		this.retries.sort((one, other) => one.dueAt - other.dueAt);
	}

	/** Takes in what an attempt says about the service. */
	private takeIn(
		attempt: Attempt,
		startedAt: number,
		now: number,
		retryAfter: number | undefined,
	): void {
		if (attempt.kind !== 'failed' || attempt.evidence === 'decision') {
			this.breaker.decided();
			this.window.finished({ kind: 'decided' }, startedAt, now);
			return;
		}
		const { result, evidence, tokenRejected, retryable } = attempt;
		const size = this.window.finished({ kind: 'undecided', retryAfter }, startedAt, now);
		if (evidence === 'unusable') this.breaker.cannotSend(result);
		else if (tokenRejected?.isCurrent) this.breaker.tokenRejected(result);
		else if (!tokenRejected && result.status !== 429) {
			const { reductionsInARow } = this.window;
			// Before the first reduction in a row, the rest of the window was decided about.
			const lost = reductionsInARow > 1 ? Math.min(size, this.items.length - this.results.size) : 0;
			this.breaker.undecided(result, retryable ? 0 : reductionsInARow, lost);
		}
	}

	private settle({ itemIndex }: Sending, result: SendResult): void {
		this.results.set(itemIndex, result);
		this.isStopped ||= this.options.stopsAt(result);
	}

	private withAttempts(result: SendFailure, sending: Sending): SendFailure {
		const { attemptCount, startedAt = Date.now() } = sending;
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		const times = attemptCount === 1 ? 'once' : `${attemptCount} times`;
		return { ...result, message: `${result.message} (tried ${times} in ${seconds} s)` };
	}
}

const tooLongPause = (ms: number): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		"Run the workflow again later, or raise the option 'Max Retry Time'. Nothing was sent.",
	);
