import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../../shared/maxConcurrentRequests';
import { transactionsUrl } from '../../shared/serviceUrl';
import type { SendFailure, SendResult } from '../results';
import type { Transaction, TransactionItem } from '../Transaction';
import { attemptToSend, type AttemptResult } from './attempt';
import { mergeFailures, notSent } from './outcome';
import type { SharedCredential } from './request';
import { isBusy, parseRetryAfter, retryDelay } from './retryPolicy';
import { ServiceHealth } from './serviceHealth';
import { forEachConcurrent } from './throttle/forEachConcurrent';
import { learnedAbout, rememberCapacity } from './throttle/learnedCapacity';
import { RequestGate } from './throttle/requestGate';
import {
	AutomaticThrottle,
	createThrottle,
	type Feedback,
	type Throttle,
	type ThrottleSettings,
} from './throttle/throttle';
import { TransactionHistory, type Run } from './transactionHistory';

/*
 * sendTransactions         all transactions, at the same time
 *   TransactionSender      one transaction, until nothing is left to try
 *     RequestGate          the turn of one attempt
 *       attemptToSend      one attempt: sends the transaction, and reads what came of it
 *         sendRequest      one request, and a second one if its token was outdated
 */

interface SendOptions extends ThrottleSettings {
	/** ms for one request. */
	timeout: number;
	/** ms from the first attempt for a transaction to its last one. */
	maxRetryTime: number;
	retryUnknownOutcome: boolean;
	/** Which run of the node this is. */
	run: Run;
	/** Whether nothing new is to be begun after this result. */
	stopsAt: (result: SendResult) => boolean;
}

const CORRECT_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';

/**
 * Sends transactions as fast as the service takes them, and retries where that is safe. Whatever
 * the service or the network does, it doesn't throw.
 *
 * @param credential read once. All requests share its token.
 * @returns the results by the indexes of their items, without those that were not begun because the
 *   execution stops
 */
export async function sendTransactions(
	context: IExecuteFunctions,
	credential: SharedCredential,
	items: TransactionItem[],
	options: SendOptions,
): Promise<Map<number, SendResult>> {
	const results = new Map<number, SendResult>();
	const { value: url, problem } = transactionsUrl(credential);
	if (problem) {
		const result = notSent(problem.message, `${problem.fix} ${CORRECT_CREDENTIAL}`);
		for (const { itemIndex } of items) results.set(itemIndex, result);
		return results;
	}
	const throttle = createThrottle(options, learnedAbout(url));
	const sender = new TransactionSender(context, credential, url, throttle, options);
	// The throttle decides how many are in flight. More waiters would only cost memory.
	await forEachConcurrent(items, MAX_CONCURRENT_REQUESTS, async ({ itemIndex, transaction }) => {
		const result = await sender.send(transaction);
		if (result) results.set(itemIndex, result);
	});
	if (throttle instanceof AutomaticThrottle) rememberCapacity(url, throttle.learned);
	return results;
}

/** The sending of one transaction. */
interface Sending {
	transaction: Transaction;
	history: TransactionHistory;
	attemptCount: number;
	/** When the first attempt began, in ms since the epoch. */
	startedAt?: number;
}

/** What follows an attempt: the end, or another attempt. */
type Next = { result: SendResult } | { retryInMs: number };

/** Sends the transactions of one run of the node. */
class TransactionSender {
	private readonly gate: RequestGate;

	private readonly health: ServiceHealth;

	private readonly cancelSignal: AbortSignal | undefined;

	/** Whether nothing new is begun, because the execution stops at a result. */
	private isStopped = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly credential: SharedCredential,
		private readonly url: string,
		throttle: Throttle,
		private readonly options: SendOptions,
	) {
		this.cancelSignal = context.getExecutionCancelSignal();
		this.health = new ServiceHealth(options.maxRetryTime);
		this.gate = new RequestGate(throttle, {
			now: Date.now,
			sleep: async (ms) => await pause(ms, this.cancelSignal),
		});
	}

	/** @returns `undefined` when the transaction wasn't begun because the execution stops */
	async send(transaction: Transaction): Promise<SendResult | undefined> {
		const result = await this.sendWithRetries(transaction);
		if (result) this.stopAfter(result);
		return result;
	}

	private async sendWithRetries(transaction: Transaction): Promise<SendResult | undefined> {
		const history = new TransactionHistory(this.options.run, transaction);
		// With Retry On Fail, what an earlier try created isn't sent again.
		if (history.createdByEarlierTry) return history.createdByEarlierTry;

		const sending: Sending = { transaction, history, attemptCount: 0 };
		for (;;) {
			const turn = await this.gate.run(
				{
					isRetry: sending.attemptCount > 0,
					maxPauseMs: this.timeLeft(sending),
					isWanted: () => this.isWanted(sending),
				},
				async () => await this.makeAttempt(sending),
			);
			if (turn.kind === 'unwanted') return this.resultOfUnwanted(sending);
			if (turn.kind === 'paused')
				return mergeFailures(history.worstFailure, tooLongPause(turn.pauseMs));
			const { next } = turn;
			if ('result' in next) return next.result;
			await pause(next.retryInMs, this.cancelSignal);
		}
	}

	private get isCanceled(): boolean {
		return this.cancelSignal?.aborted === true;
	}

	/** A transaction that was begun goes on to its retries, unless the execution is canceled. */
	private isWanted({ attemptCount }: Sending): boolean {
		if (this.isCanceled) return false;
		return attemptCount > 0 || (!this.isStopped && this.health.outage === undefined);
	}

	private stopAfter(result: SendResult): void {
		this.isStopped ||= this.options.stopsAt(result);
	}

	private resultOfUnwanted({ attemptCount, history }: Sending): SendResult | undefined {
		const { outage } = this.health;
		const isNotTried = attemptCount === 0 && outage && !this.isCanceled && !this.isStopped;
		return isNotTried ? mergeFailures(history.worstFailure, outage) : history.worstFailure;
	}

	/** The retry budget begins with the first attempt, and not in the queue. */
	private timeLeft({ startedAt }: Sending): number {
		const elapsed = startedAt === undefined ? 0 : Date.now() - startedAt;
		return this.options.maxRetryTime - elapsed;
	}

	private async makeAttempt(sending: Sending): Promise<{ feedback: Feedback; next: Next }> {
		const startedAt = Date.now();
		sending.startedAt ??= startedAt;
		sending.attemptCount++;
		this.health.began(startedAt);
		const { context, credential, url, options } = this;
		const { transaction } = sending;
		const attempt = await attemptToSend(context, credential, transaction, { ...options, url });
		const next = this.decide(attempt, sending, startedAt);
		// Before the gate lets the next request in.
		if ('result' in next) this.stopAfter(next.result);
		return { feedback: feedbackOf(attempt, Date.now()), next };
	}

	private decide(attempt: AttemptResult, sending: Sending, startedAt: number): Next {
		const { history } = sending;
		if (attempt.kind !== 'failed') {
			this.health.decided(Date.now());
			if (attempt.kind === 'conflict') return { result: history.settleConflict(attempt) };
			history.setCreated(attempt.result);
			return { result: attempt.result };
		}
		const result = mergeFailures(history.worstFailure, attempt.result);
		history.addFailure(attempt.result);
		const delay = attempt.retryable
			? this.delayBeforeRetry(sending, attempt.retryAfter)
			: undefined;
		const isLast = delay === undefined || this.isCanceled;
		this.health.failed(attempt, { startedAt, now: Date.now(), isLast });
		if (!isLast) return { retryInMs: delay };
		return { result: attempt.retryable ? this.withAttempts(result, sending) : result };
	}

	private delayBeforeRetry(sending: Sending, retryAfter: string | undefined): number | undefined {
		const budget = this.options.maxRetryTime;
		const elapsed = budget - this.timeLeft(sending);
		const { attemptCount } = sending;
		return retryDelay({ attemptCount, retryAfter, elapsed, budget }, Date.now(), Math.random());
	}

	private withAttempts(result: SendFailure, sending: Sending): SendFailure {
		const seconds = Math.round((this.options.maxRetryTime - this.timeLeft(sending)) / 1000);
		const { message } = result;
		const tried =
			sending.attemptCount === 1
				? `${message} (tried once in ${seconds} s)`
				: `${message} (tried ${sending.attemptCount} times in ${seconds} s)`;
		return { ...result, message: tried };
	}
}

/**
 * What a finished request says about the service's capacity.
 *
 * @param now ms since the epoch, for a Retry-After header that is a date
 */
function feedbackOf(attempt: AttemptResult, now: number): Feedback {
	if (attempt.kind !== 'failed') return { kind: 'answered' };
	if (attempt.result.outcome === 'notSent' && !attempt.retryable) return { kind: 'unused' };
	const { status } = attempt.result;
	if (status === undefined) return { kind: 'lost' };
	if (!isBusy(status)) return { kind: 'answered' };
	return { kind: 'busy', retryAfter: parseRetryAfter(attempt.retryAfter, now) };
}

const tooLongPause = (ms: number): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		"Run the workflow again later, or raise the option 'Max Retry Time'. Nothing was sent.",
	);

/** Waits, but no longer than the execution goes on. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (!signal) {
		await sleep(ms);
		return;
	}
	let stopWaiting = () => {};
	const aborted = new Promise<void>((resolve) => {
		stopWaiting = resolve;
	});
	signal.addEventListener('abort', stopWaiting);
	await Promise.race([sleep(ms), aborted]);
	signal.removeEventListener('abort', stopWaiting);
}
