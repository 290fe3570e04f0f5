import type { SendFailure } from '../results';
import { notSent } from './answer/words';
import type { Attempt } from './Throttle';

/** So many responses in a row without a decision are no coincidence. */
const MAX_UNDECIDED = 20;
/** A service that rejects three tokens doesn't accept the client, or the transaction. */
export const MAX_REJECTED_TOKENS = 3;
/** Also with a short Max Retry Time: a bad moment of a service isn't its end. */
const MIN_PATIENCE_MS = 5000;

/**
 * Says that nothing starts anymore, and why:
 *
 *   - nothing was decided for Max Retry Time, waits included, or the service asks for longer;
 *   - three new tokens were rejected before the first decision;
 *   - 20 responses in a row decided nothing: before the first decision any of them, such as 404;
 *     after it, only redirects and web pages, which no transaction causes. 429, 5xx, a rejected
 *     token, and no response aren't counted here;
 *   - before the first decision, something can't be sent for a reason that may last.
 */
export class Ending {
	private hasDecided = false;

	/** Responses in a row without a decision, each to the first attempt of a transaction. */
	private undecided = 0;

	private rejectedTokens = 0;

	/** Since `aliveAt`. */
	private failures = 0;

	private lastFailure: SendFailure | undefined;

	private reason: SendFailure | undefined;

	/**
	 * @param maxRetryTime ms
	 * @param aliveAt when the service was last seen to work, or the list began
	 */
	constructor(
		private readonly maxRetryTime: number,
		private aliveAt: number,
	) {}

	learn({ answer, endedAt, number }: Attempt): void {
		const { shows, rejectedToken, failure } = answer;
		if (!failure || shows === 'decision') {
			this.hasDecided = true;
			return this.countLife(endedAt);
		}
		if (shows === 'undecided' && this.hasDecided) return this.countLife(endedAt);
		if (shows === 'undecided' || shows === 'elsewhere')
			return this.countUndecided(failure, endedAt, number === 1);
		if (rejectedToken && !rejectedToken.counts) return;
		this.lastFailure = failure;
		this.failures++;
		if (this.hasDecided) return;
		if (shows === 'unusable') this.reason = cannotBeSent(failure);
		if (rejectedToken && ++this.rejectedTokens === MAX_REJECTED_TOKENS)
			this.reason = everyTokenRejected(failure);
	}

	private countLife(now: number): void {
		this.aliveAt = now;
		this.failures = 0;
		this.undecided = 0;
	}

	private countUndecided(failure: SendFailure, now: number, isFirstAttempt: boolean): void {
		// One transaction can be tried again and again.
		if (isFirstAttempt && ++this.undecided === MAX_UNDECIDED)
			this.reason = nothingButUndecided(failure);
		if (!this.hasDecided) return;
		this.aliveAt = now;
		this.failures = 0;
	}

	/**
	 * Returns the result of the transactions that haven't started, if nothing is to start anymore.
	 *
	 * @param pausedUntil when the next one could
	 */
	reasonAt(now: number, pausedUntil: number): SendFailure | undefined {
		const patience = Math.max(this.maxRetryTime, MIN_PATIENCE_MS);
		const pause = pausedUntil - now;
		const undecidedFor = now - this.aliveAt;
		// Only the service asks for such a pause: the longest backoff is MIN_PATIENCE_MS.
		if (pause > patience) this.reason ??= tooLongPause(pause);
		// A single request can take longer than Max Retry Time.
		else if (this.failures > 1 && undecidedFor >= patience)
			this.reason ??= nothingDecided(undecidedFor, this.lastFailure!);
		return this.reason;
	}
}

const RAISE_RETRY_TIME = "To wait longer, raise the option 'Max Retry Time'.";

const notSentBecause = (reason: string, fix: string): SendFailure =>
	notSent(`Not sent: ${reason}`, fix);

/** @param ms how long the service hasn't decided about any transaction */
function nothingDecided(ms: number, last: SendFailure): SendFailure {
	const seconds = Math.round(ms / 1000);
	const fix = `Find out what the service has, then run the workflow again. ${RAISE_RETRY_TIME}`;
	if (last.outcome === 'notSent' && last.status === undefined)
		return notSent(`${last.message}, for ${seconds} s by now`, fix);
	const cause = last.status === undefined ? 'no response' : `status ${last.status}`;
	return notSentBecause(
		`the service hasn't decided about any transaction for ${seconds} s (the last request: ${cause})`,
		fix,
	);
}

const nothingButUndecided = ({ status, fix }: SendFailure): SendFailure =>
	notSentBecause(
		`the service answered ${MAX_UNDECIDED} requests in a row without a decision about a transaction (the last one: status ${status})`,
		fix,
	);

const everyTokenRejected = ({ status, fix }: SendFailure): SendFailure =>
	notSentBecause(`the service rejects every new access token (status ${status})`, fix);

const cannotBeSent = ({ message, fix }: SendFailure): SendFailure =>
	notSent(
		message,
		`An earlier item could not be sent for this reason, so this one wasn't tried. ${fix}`,
	);

/** @param ms how long the service asks to wait */
const tooLongPause = (ms: number): SendFailure =>
	notSentBecause(
		`the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		`Run the workflow again later. ${RAISE_RETRY_TIME}`,
	);
