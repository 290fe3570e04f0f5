import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { parseServiceUrl } from '../../shared/serviceUrl';
import type { Transaction } from '../Transaction';
import { attemptToSend, CHECK_CREDENTIAL, type Attempt, type FailedAttempt } from './attempt';
import { automaticLimit, fixedLimit, type Feedback } from './concurrencyLimit';
import { EventHistory, type Run } from './eventHistory';
import { mergeFailures, notSent, type SendFailure, type SendResult } from './outcome';
import type { SharedCredential } from './request';
import { RequestGate } from './requestGate';
import { isBusy, parseRetryAfter, retryDelay } from './retryPolicy';
import { SentEvents } from './sentEvents';

/** Service interface, section 4.2. */
const TRANSACTIONS = '/api/v1/transactions';
const NOT_TRIED =
	'An earlier item could not be sent for this reason, so this one was not tried. Nothing was sent, so running the workflow again is safe.';

export interface SendOptions {
	/** ms for one request. */
	timeout: number;
	/** ms that all attempts for one transaction may take together. */
	maxRetryTime: number;
	retryUnknownOutcome: boolean;
	/** How many requests may be in flight; 0 to find out what the service can take. */
	maxConcurrentRequests: number;
	/** Whether nothing new is to be begun after this result. */
	stopsAt: (result: SendResult) => boolean;
}

/** @returns the result, or `undefined` when the transaction wasn't begun because the execution stops */
type SendTransaction = (transaction: Transaction) => Promise<SendResult | undefined>;

const sentEvents = new SentEvents();

/**
 * Opens the one way to the service for a run of the node.
 *
 * @param credential read once for the run; all requests share its token
 * @returns a function that sends one transaction when the service can take it, retries where that is safe, and reports the result. What the
 *   service or the network does never makes it throw.
 */
export async function createTransactionClient(
	context: IExecuteFunctions,
	credential: SharedCredential,
	options: SendOptions,
): Promise<SendTransaction> {
	const base = parseServiceUrl(credential.baseUrl, 'Base URL', {
		endpoint: TRANSACTIONS,
		allowHttp: credential.allowHttp === true,
	});
	if (base.problem !== undefined) return async () => notSent(base.problem, CHECK_CREDENTIAL);

	const attemptOptions = { ...options, url: base.url + TRANSACTIONS };
	const cancelSignal = context.getExecutionCancelSignal();
	const isCanceled = () => cancelSignal?.aborted === true;
	const limit =
		options.maxConcurrentRequests > 0
			? fixedLimit(options.maxConcurrentRequests)
			: automaticLimit();
	const gate = new RequestGate(limit, {
		now: Date.now,
		sleep: async (ms) => await pause(ms, cancelSignal),
	});
	const run = identifyRun(context);
	/**
	 * Why nothing can be sent, once an item has used its retry budget: a misspelled host costs the time of one item and not of every item, and a
	 * wrong secret is tried once. Any response of the service ends it.
	 */
	let outage: SendFailure | undefined;
	let stopped = false;

	/** Decides after an attempt: the result, or ms until the next attempt. */
	function afterAttempt(
		attempt: Attempt,
		event: EventHistory,
		attempts: number,
		elapsed: number,
	): { result: SendResult } | { delay: number } {
		if (attempt.kind !== 'failed') {
			outage = undefined;
			if (attempt.kind === 'conflict') return { result: event.settleConflict(attempt) };
			event.setCreated(attempt.result);
			return { result: attempt.result };
		}
		if (attempt.outcome !== 'notSent') outage = undefined;

		const result = mergeFailures(event.earlier, attempt.result);
		event.addFailure(attempt);
		const delay = delayBeforeRetry(attempt, attempts, elapsed, options.maxRetryTime);
		if (delay !== undefined && !isCanceled()) return { delay };
		if (attempt.outcome === 'notSent' && !attempt.thisTransactionOnly) outage = attempt.result;
		return { result: attempt.retryable ? withAttempts(result, attempts, elapsed) : result };
	}

	return async (transaction) => {
		const event = new EventHistory(sentEvents, run, transaction);
		// n8n runs the node again (Retry On Fail). What its first try created needs no other request.
		if (event.createdInThisRun) return event.createdInThisRun;

		const startedAt = Date.now();
		for (let attempts = 1; ; attempts++) {
			const isRetry = attempts > 1;
			const entry = await gate.enter({
				maxPause: options.maxRetryTime - (Date.now() - startedAt),
				retry: isRetry,
				isCanceled: () => isCanceled() || (!isRetry && stopped),
			});
			if (entry.kind === 'canceled') return event.earlier;
			if (entry.kind === 'paused') return mergeFailures(event.earlier, tooLongPause(entry.pause));
			if (outage && !isRetry) {
				entry.leave({ kind: 'unused' });
				return mergeFailures(event.earlier, { ...outage, fix: NOT_TRIED });
			}
			const attempt = await attemptToSend(context, credential, transaction, attemptOptions);
			const next = afterAttempt(attempt, event, attempts, Date.now() - startedAt);
			// Before the gate lets the next request in.
			if ('result' in next) stopped ||= options.stopsAt(next.result);
			entry.leave(feedbackOf(attempt, Date.now()));
			if ('result' in next) return next.result;
			await pause(next.delay, cancelSignal);
		}
	};
}

/**
 * What a request tells about how much the service can take.
 *
 * @param now ms since the epoch, for a Retry-After header that is a date
 */
export function feedbackOf(attempt: Attempt, now: number): Feedback {
	if (attempt.kind !== 'failed') return { kind: 'answered' };
	if (attempt.thisTransactionOnly) return { kind: 'unused' };
	const { status } = attempt.result;
	if (status === undefined) return { kind: 'lost' };
	if (!isBusy(status)) return { kind: 'answered' };
	return { kind: 'busy', retryAfter: parseRetryAfter(attempt.retryAfter, now) };
}

const tooLongPause = (ms: number): SendFailure =>
	notSent(
		`The transaction was not sent, because the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		"Run the workflow again later, or raise the option 'Max Retry Time'. Nothing was sent.",
	);

/** Which run of the node in which execution this is. An execution that n8n doesn't store has no ID, and so no memory of what it sent. */
function identifyRun(context: IExecuteFunctions): Run | undefined {
	const executionId = context.getExecutionId() as string | undefined;
	if (!executionId) return undefined;
	return {
		execution: `${executionId} ${context.getNode().id}`,
		index: context.getWorkflowDataProxy(0).$runIndex as number,
	};
}

function delayBeforeRetry(
	{ retryable, retryAfter }: FailedAttempt,
	attempt: number,
	elapsed: number,
	budget: number,
): number | undefined {
	if (!retryable) return undefined;
	return retryDelay({ attempt, retryAfter, elapsed, budget }, Date.now(), Math.random());
}

function withAttempts(result: SendFailure, attempts: number, elapsed: number): SendFailure {
	const seconds = Math.round(elapsed / 1000);
	const message =
		attempts === 1
			? `${result.message} (tried once in ${seconds} s)`
			: `${result.message} (tried ${attempts} times in ${seconds} s)`;
	return { ...result, message };
}

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
