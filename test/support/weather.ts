import { MAX_CONCURRENT_REQUESTS } from '../../nodes/Payments/options';
import { readAnswer } from '../../nodes/Payments/sending/answer/readAnswer';
import type { Answer } from '../../nodes/Payments/sending/answer/Says';
import type { Sent } from '../../nodes/Payments/sending/request';
import { TransactionList, type ListOptions } from '../../nodes/Payments/sending/TransactionList';
import type { Conclusion } from '../../nodes/Payments/results';
import type { TransactionItem } from '../../nodes/Payments/Transaction';
import { receive } from '../../nodes/shared/serviceResponse';
import { statedWait } from '../../nodes/shared/statedWait';
import { ClientToken } from '../../nodes/shared/token/ClientToken';
import { transaction } from './builders/transactions';
import { FastClock } from './fastClock';
import { randomFrom } from './properties';

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
	/** A rejection for what the transaction is. */
	| 422
	| 404
	/** A conflict with a code that nobody stated. */
	| 409
	| 301
	/** A web page with status 200. */
	| 'page'
	/** Any access token is rejected. */
	| 401;

/** A time in which all requests end so: from the beginning to the end, unless it says another. */
export interface Outage {
	from?: number;
	to?: number;
	failure: Failure;
	retryAfter?: string;
}

export interface Weather {
	/** ms from request to response. */
	latency: number;
	/** Up to how many times that some take longer. */
	jitter?: number;
	outages?: Outage[];
	/** How many requests at once it takes, and how the others end. */
	capacity?: { atOnce: number; failure: Failure };
	/** What ends so by chance, from 0 to 1. */
	drops?: { share: number; failure: Failure; retryAfter?: string };
	/** Rows that end so, by their index, and by the number of the request, from 1 on. */
	rows?: (index: number, nth: number) => Failure | undefined;
	/** Counts a request. Returns the headers of the 429 if it's one too many. */
	limit?: (now: number) => Record<string, string> | undefined;
	/** Of this process. Without it, one that n8n has stored, and that is accepted. */
	token?: {
		/** ms until a new token is accepted. */
		lateBy?: number;
		/** After how many requests another system takes it. */
		takenAfter?: number;
		/** When all tokens are revoked that were issued until then. */
		revokedAt?: number;
		/** Whether n8n has stored one; true unless it's said otherwise. */
		isStored?: boolean;
	};
	random?: () => number;
	/** Spreads the retries of the list, apart from what happens to them. */
	spread?: () => number;
}

interface Options extends Partial<Omit<ListOptions, 'cancelSignal'>> {
	/** ms for one request. */
	timeout?: number;
	retryUnknownOutcome?: boolean;
	/** When the execution is canceled, in ms. */
	cancelAt?: number;
}

export interface Run {
	/** Missing for a row that didn't begin before the execution was canceled, or stopped. */
	results: Array<Conclusion | undefined>;
	/** When each attempt of each row started. */
	starts: number[][];
	/** Of each row: whether the service recorded it. */
	recorded: Set<number>;
	requests: number;
	/** When the list ended. */
	endedAt: number;
	/** When the service answered other than with 429 or 5xx. */
	answeredAt: number[];
	/** When it decided about a transaction. */
	decidedAt: number[];
	/** Of each row: for how long, after an attempt that may be processed, the next one waited. */
	retryTimes: number[];
	tokenRequests: number;
}

/** Sends so many rows through the weather. */
export async function sendThrough(
	weather: Weather,
	rowCount: number,
	{ timeout = 30_000, retryUnknownOutcome = false, cancelAt, ...options }: Options = {},
): Promise<Run> {
	const { latency, jitter = 0, outages = [], capacity, drops, random = Math.random } = weather;
	const clock = new FastClock();
	const starts: number[][] = Array.from({ length: rowCount }, () => []);
	const retryTimes = starts.map(() => 0);
	const ranSince: Array<number | undefined> = [];
	const recorded = new Set<number>();
	const answeredAt: number[] = [];
	const decidedAt: number[] = [];
	let requests = 0;
	let open = 0;

	const client = new ClientToken(clock);
	const issuedAt = new Map<string, number>();
	const {
		lateBy = 0,
		revokedAt = Infinity,
		takenAfter = Infinity,
		isStored = true,
	} = weather.token ?? {};
	const uses = new Map<string, number>();
	if (isStored) {
		client.adopt({ bearerToken: 'stored', renewAt: Infinity });
		issuedAt.set('stored', -Infinity);
	}

	async function issueToken() {
		const bearerToken = `token ${issuedAt.size}`;
		issuedAt.set(bearerToken, clock.now());
		return await Promise.resolve({ bearerToken, renewAt: Infinity });
	}

	/** Whether the service accepts a token that comes now. */
	function isAccepted(bearerToken: string): boolean {
		const issued = issuedAt.get(bearerToken)!;
		const used = (uses.get(bearerToken) ?? 0) + 1;
		uses.set(bearerToken, used);
		const isRevoked = (issued <= revokedAt && clock.now() >= revokedAt) || used > takenAfter;
		return !isRevoked && clock.now() >= issued + lateBy;
	}

	/** Says how a request ends that starts now. */
	function endOf(
		index: number,
		bearerToken: string,
	): { failure?: Failure; retryAfter?: string; headers?: Record<string, string> } {
		const now = clock.now();
		const outage = outages.find(({ from = 0, to = Infinity }) => now >= from && now < to);
		if (outage) return outage;
		if (capacity && open > capacity.atOnce) return { failure: capacity.failure };
		if (drops && random() < drops.share) return drops;
		if (!isAccepted(bearerToken)) return { failure: 401 };
		const refusal = weather.limit?.(now);
		if (refusal) return { failure: 429, headers: refusal };
		return { failure: weather.rows?.(index, requests) };
	}

	async function attempt(item: TransactionItem): Promise<Answer> {
		const index = item.itemIndex;
		while (!client.usable) await client.renew(issueToken);
		const { bearerToken } = client.usable;
		const now = clock.now();
		starts[index].push(now);
		retryTimes[index] += now - (ranSince[index] ?? now);
		requests++;
		open++;
		const { failure, retryAfter, headers } = endOf(index, bearerToken);
		if (failure === 'refused') await clock.sleep(Math.min(latency, REFUSAL_MS));
		else if (failure === 'hangs') await clock.sleep(timeout);
		else if (failure !== 'unusable')
			await clock.sleep(latency * (jitter > 0 ? 1 + random() * jitter : 1));
		open--;
		const isAnswer = failure === undefined || ANSWERS.includes(failure);
		if (isAnswer) answeredAt.push(clock.now());
		if (failure === undefined || failure === 422 || failure === 409) decidedAt.push(clock.now());
		const isLeftOpen = failure === 'lost' || failure === 'hangs' || failure === 500;
		if (isLeftOpen && random() < 0.5) recorded.add(index);
		ranSince[index] = failure === 503 || isLeftOpen ? now : undefined;
		const said = { ...headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
		const sent = requestResult(failure, said, { isRecorded: recorded.has(index), bearerToken });
		if (failure === undefined) recorded.add(index);
		const { transaction } = item;
		return readAnswer(sent, transaction, { retryUnknownOutcome, recordedCodes: [] }, client);
	}

	const items = starts.map((_, itemIndex) => ({
		itemIndex,
		transaction: transaction(itemIndex),
	}));
	const canceled = new AbortController();
	if (cancelAt !== undefined) void clock.sleep(cancelAt).then(() => canceled.abort());
	const list = new TransactionList(
		items,
		attempt,
		{ ...DEFAULTS, ...options, cancelSignal: canceled.signal },
		clock,
		weather.spread ?? randomFrom(1),
	);
	const results = await clock.until(list.send());
	return {
		results: items.map(({ itemIndex }) => {
			const result = results.get(itemIndex)!;
			return result.outcome === 'notBegun' ? undefined : result;
		}),
		starts,
		recorded,
		requests,
		endedAt: clock.now(),
		answeredAt,
		decidedAt,
		retryTimes,
		tokenRequests: issuedAt.size - (isStored ? 1 : 0),
	};
}

const DEFAULTS = {
	maxRetryTime: 90_000,
	maxConcurrentRequests: MAX_CONCURRENT_REQUESTS,
	maxRequestsPerSecond: 0,
};
/** A connection isn't refused before it's tried. */
const REFUSAL_MS = 1;

const ANSWERS: Failure[] = [301, 'page', 401, 404, 409, 422];

/** What comes back of a request that ends so. */
function requestResult(
	failure: Failure | undefined,
	headers: Record<string, string>,
	{ isRecorded, bearerToken }: { isRecorded: boolean; bearerToken: string },
): Sent {
	const problem = { message: `It ended with ${failure}`, fix: 'The fix.' };
	if (failure === 'refused' || failure === 'unusable') {
		// Who issues tokens can ask to wait, too.
		const waitMs = statedWait({ status: 503, headers }, 0);
		return { says: failure === 'refused' ? 'notSent' : 'cannotBeSent', problem, waitMs };
	}
	if (failure === 'lost' || failure === 'hangs')
		return { says: 'noAnswer', because: problem.message };
	const respond = (status: number, body: unknown = { message: problem.message }) => ({
		says: 'response' as const,
		token: bearerToken,
		response: receive({ status, headers, body }, bearerToken),
	});
	if (failure === 'page') return respond(200, '<html>Sign in</html>');
	if (failure === 409) return respond(409, { code: 'NOBODY_STATED' });
	if (failure !== undefined) return respond(failure);
	return isRecorded ? respond(409, { errorCode: 'EVENT_ALREADY_EXISTS' }) : respond(202, {});
}

export const countOf = ({ results }: Run, outcome: Conclusion['outcome']): number =>
	results.filter((result) => result?.outcome === outcome).length;
