import type { SendFailure } from '../results';
import { notSent } from './outcome';
import type { FailedAttempt } from './response/readResponse';
import { backoff } from './retryDelay';

export interface FlowLimits {
	/**
	 * ms from the first attempt for a transaction to its last one. If the first token is rejected,
	 * from then on.
	 */
	maxRetryTime: number;
	/** A whole number. The list learns how many the service can take, up to this. */
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
}

/** A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_WINDOW = 50;
/** If so many answers come first, and none decides about a payment, the service doesn't work. */
const MAX_ANSWERS = 20;
/** Also with a short Max Retry Time: a bad moment of a service isn't its end. */
export const MIN_PATIENCE_MS = 5000;
/** Two more than the first: a service that rejects three new tokens doesn't accept the client. */
export const MAX_REJECTED_TOKENS = 3;
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
 *
 * A service that restarts for 5 seconds at row 30 of 60 answers the rows that are open with 503, or
 * refuses the connection. Each of them waits for a retry, and fewer requests may be open. If the
 * requests that start from then on fail, too, everything waits for 0.5 s, then for twice as long
 * each time, up to 5 s. As soon as the service decides about a payment again, there are no new
 * waits, and within 60 s, the default of Max Retry Time, all 60 are created. A host that stays dead
 * decides about no payment for as long as Max Retry Time, or 5 s if that is longer: then no further
 * item begins, and those that have begun are retried until their own time is over.
 */
export class FlowControl {
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
		private readonly options: FlowLimits,
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

	countStart(now: number): void {
		this.openRequests++;
		const { maxRequestsPerSecond } = this.options;
		if (maxRequestsPerSecond === 0) return;
		const dueAt = Math.max(this.pacedUntil, now - TIMER_DELAY_MS);
		this.pacedUntil = dueAt + 1000 / (maxRequestsPerSecond * SHARE_OF_RATE);
	}

	/** The service decided about a payment, so it can take one request more. */
	countDecision(startedAt: number, now: number): void {
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
	countFailure(
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
		if (evidence === 'decision') return this.countDecision(startedAt, now);
		if (evidence === 'answer') return this.countAnswer(result, now);
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
	private countAnswer(result: SendFailure, now: number): void {
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
