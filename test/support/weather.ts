import { MAX_CONCURRENT_REQUESTS } from '../../nodes/Payments/editor/options';
import type {
	AttemptResult,
	FailedAttempt,
} from '../../nodes/Payments/sending/response/readResponse';
import { TransactionList } from '../../nodes/Payments/sending/TransactionList';
import type { SendResult } from '../../nodes/Payments/results';
import type { TransactionItem } from '../../nodes/Payments/Transaction';
import {
	TOKEN_REQUEST_INTERVAL_MS,
	type RejectedToken,
} from '../../nodes/shared/token/ClientToken';
import { transaction } from './builders/transactions';
import { FastClock } from './fastClock';

/* A service that has its days, on a clock that doesn't take its time. */

/** How a request can end that isn't accepted. */
export type Failure =
	| 429
	| 500
	| 503
	| 'lost'
	| 'hangs'
	| 'refused'
	/** Nothing can be sent to it, as with a host name that doesn't exist. */
	| 'unusable'
	/** A rejection for what the payment is. */
	| 422
	| 404
	| 301
	/** Any access token is rejected. */
	| 401;

export interface Weather {
	/** ms from request to response. */
	latency: number;
	outages?: Array<{ from: number; to: number; failure: Failure; retryAfter?: string }>;
	/** How many requests at once it takes, and how the others end. */
	capacity?: { atOnce: number; failure: Failure };
	/** What ends so by chance, from 0 to 1. */
	drops?: { share: number; failure: Failure; retryAfter?: string };
	/** Rows that always end so, by their index. */
	rows?: (index: number) => Failure | undefined;
	random?: () => number;
}

interface Options {
	maxRetryTime?: number;
	timeout?: number;
	maxConcurrentRequests?: number;
	maxRequestsPerSecond?: number;
	retryUnknownOutcome?: boolean;
	/** When the execution is canceled, in ms. */
	cancelAt?: number;
}

export interface Run {
	/** Without one for a row that didn't begin before the execution was canceled. */
	results: SendResult[];
	/** When each attempt of each row started. */
	starts: number[][];
	/** Of each row: whether the service recorded it. */
	recorded: Set<number>;
	requests: number;
	/** When the list ended. */
	endedAt: number;
	/** When the service answered other than with 429 or 5xx. */
	answeredAt: number[];
	/** When it decided about a payment. */
	decidedAt: number[];
}

/** Sends so many rows through the weather. */
export async function sendThrough(
	weather: Weather,
	rowCount: number,
	options: Options = {},
): Promise<Run> {
	const { timeout = 30_000, maxRetryTime = 60_000, retryUnknownOutcome = false } = options;
	const { latency, outages = [], capacity, drops, random = Math.random } = weather;
	const clock = new FastClock();
	const starts: number[][] = Array.from({ length: rowCount }, () => []);
	const recorded = new Set<number>();
	const answeredAt: number[] = [];
	const decidedAt: number[] = [];
	let open = 0;
	const token = { count: 1, requestedAt: -Infinity, dropsAt: Infinity };

	/** Returns the number of the token that a request carries. */
	function tokenInUse(): number {
		if (clock.now() >= token.dropsAt)
			Object.assign(token, {
				count: token.count + 1,
				requestedAt: clock.now(),
				dropsAt: Infinity,
			});
		return token.count;
	}

	/** As `ClientToken` does it. */
	function rejectToken(rejected: number): RejectedToken {
		if (rejected !== token.count) return { isCurrent: false, waitMs: 0 };
		const isCurrent = token.dropsAt === Infinity;
		token.dropsAt = Math.max(clock.now(), token.requestedAt + TOKEN_REQUEST_INTERVAL_MS);
		return { isCurrent, waitMs: token.dropsAt - clock.now() };
	}

	/** Says how a request ends that starts now, and whether the payment is recorded all the same. */
	function endOf(index: number): { failure?: Failure; retryAfter?: string } {
		const now = clock.now();
		const outage = outages.find(({ from, to }) => now >= from && now < to);
		if (outage) return outage;
		if (capacity && open > capacity.atOnce) return { failure: capacity.failure };
		if (drops && random() < drops.share) return drops;
		return { failure: weather.rows?.(index) };
	}

	async function attempt({ itemIndex }: TransactionItem): Promise<AttemptResult> {
		starts[itemIndex].push(clock.now());
		open++;
		const { failure, retryAfter } = endOf(itemIndex);
		const carried = tokenInUse();
		if (failure !== 'refused' && failure !== 'unusable')
			await clock.sleep(failure === 'hangs' ? timeout : latency);
		open--;
		if (failure === undefined || [301, 401, 404, 422].includes(failure as number))
			answeredAt.push(clock.now());
		if (failure === undefined || failure === 422) decidedAt.push(clock.now());
		if (failure !== undefined) {
			const isLeftOpen = failure === 'lost' || failure === 'hangs' || failure === 500;
			if (isLeftOpen && random() < 0.5) recorded.add(itemIndex);
			const tokenRejected = failure === 401 ? rejectToken(carried) : undefined;
			return failed(failure, { retryAfter, retryUnknownOutcome, tokenRejected });
		}
		const isNew = !recorded.has(itemIndex);
		recorded.add(itemIndex);
		if (isNew)
			return { kind: 'created', result: { outcome: 'created', message: 'Created', status: 202 } };
		return { kind: 'recorded', response: { status: 409, headers: {}, body: {} } };
	}

	const items = starts.map((_, itemIndex) => ({
		itemIndex,
		transaction: transaction(itemIndex),
		hasCustomEventId: false,
	}));
	const canceled = new AbortController();
	if (options.cancelAt !== undefined)
		void clock.sleep(options.cancelAt).then(() => canceled.abort());
	const list = new TransactionList(
		items,
		attempt,
		{
			maxRetryTime,
			maxConcurrentRequests: options.maxConcurrentRequests ?? MAX_CONCURRENT_REQUESTS,
			maxRequestsPerSecond: options.maxRequestsPerSecond ?? 0,
			stopsAt: () => false,
			cancelSignal: canceled.signal,
		},
		clock,
	);
	const results = await clock.until(list.send());
	return {
		results: items.map(({ itemIndex }) => results.get(itemIndex)!),
		starts,
		recorded,
		requests: starts.flat().length,
		endedAt: clock.now(),
		answeredAt,
		decidedAt,
	};
}

/** What an attempt says of such an end. */
function failed(
	failure: Failure,
	{
		retryAfter,
		retryUnknownOutcome,
		tokenRejected,
	}: { retryAfter?: string; retryUnknownOutcome: boolean; tokenRejected?: RejectedToken },
): FailedAttempt {
	const status = typeof failure === 'number' ? failure : undefined;
	const of = (
		outcome: 'rejected' | 'unknown' | 'notSent',
		evidence: FailedAttempt['evidence'],
		retryable = outcome === 'unknown' && retryUnknownOutcome,
	): FailedAttempt => ({
		kind: 'failure',
		result: { outcome, message: `It ended with ${failure}`, fix: 'The fix.', status },
		evidence,
		retryable,
		retryAfter,
	});
	switch (failure) {
		case 429:
			return of('rejected', 'overload', true);
		case 503:
			return of('unknown', 'overload', true);
		case 500:
		case 'lost':
		case 'hangs':
			return of('unknown', 'overload');
		case 'refused':
			return of('notSent', 'overload', true);
		case 'unusable':
			return of('notSent', 'unusable', true);
		case 422:
			return of('rejected', 'decision');
		case 404:
			return of('rejected', 'answer');
		case 301:
			return of('unknown', 'answer');
		case 401:
			return { ...of('rejected', 'answer', true), tokenRejected };
	}
}

export const countOf = ({ results }: Run, outcome: SendResult['outcome']): number =>
	results.filter((result) => result.outcome === outcome).length;
