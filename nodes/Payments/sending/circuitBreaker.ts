import type { SendFailure } from '../results';
import { notSent } from './outcome';

/**
 * So many requests in a row show that it isn't about one payment. All that the initial window
 * starts (50), and the two halves that follow (25, 12), have ended before: so many are on their way
 * before the first can tell.
 */
const MAX_UNDECIDED = 88;

/**
 * Windows in a row whose failures aren't retried: 50 requests, 25, 12, and 6, or four one by one. A
 * service that responds at once ends a window before all of it has started.
 */
const MAX_WINDOWS = 4;

/** Tokens, or attempts of a transaction whose retries are used up, with no decision between. */
const MAX_USELESS_ATTEMPTS = 3;

const NOT_TRIED =
	"An earlier item could not be sent for this reason, so this one wasn't tried. Correct it, then run the workflow again. Nothing was sent for this item.";
const RUN_AGAIN =
	'Find out what the service has, then run the workflow again. Nothing was sent for this item.';

/**
 * Ends a list that makes no sense to go on with: a misspelled path, a service that is down, a
 * client that may not pay. After it opens, nothing begins.
 */
export class CircuitBreaker {
	private undecidedInARow = 0;

	/** As many, if each window that was lost had been full before its first request failed. */
	private lostInARow = 0;

	/** Since the last decision about a payment. */
	private rejectedTokens = 0;

	/** The result of transactions that don't begin. `undefined` while they should. */
	open: SendFailure | undefined;

	/** Takes in that the service accepted or rejected a payment for what it is. */
	decided(): void {
		this.undecidedInARow = 0;
		this.lostInARow = 0;
		this.rejectedTokens = 0;
	}

	/**
	 * Takes in a request after which it isn't known whether the service decides at all.
	 *
	 * @param lostWindows how often the window was reduced in a row. 0 if the request is retried
	 * @param lost how many requests the window would have started that this one ended. 0 if none
	 */
	undecided(failure: SendFailure, lostWindows: number, lost: number): void {
		this.undecidedInARow++;
		this.lostInARow += lost;
		const undecided = Math.max(this.undecidedInARow, this.lostInARow);
		if (undecided >= MAX_UNDECIDED || lostWindows >= MAX_WINDOWS) this.openAfterUndecided(failure);
	}

	private openAfterUndecided(failure: SendFailure): void {
		if (failure.outcome === 'notSent') return this.cannotSend(failure);
		const { status } = failure;
		const last = status === undefined ? 'no response' : `status ${status}`;
		this.open ??= notSent(
			`The transaction wasn't sent, because ${this.undecidedInARow} requests in a row ended without a decision about a payment (the last one: ${last})`,
			RUN_AGAIN,
		);
	}

	/**
	 * Takes in that a transaction used up its retries. If nothing was decided about another payment
	 * meanwhile, the next one would wait as long for nothing.
	 */
	retriesUsedUp(failure: SendFailure): void {
		if (this.undecidedInARow >= MAX_USELESS_ATTEMPTS) this.openAfterUndecided(failure);
	}

	/** Takes in that the service rejected the access token in use, which is dropped then. */
	tokenRejected({ status, fix }: SendFailure): void {
		this.rejectedTokens++;
		if (this.rejectedTokens < MAX_USELESS_ATTEMPTS) return;
		this.open ??= notSent(
			`The transaction wasn't sent, because the service rejects every new access token (status ${status})`,
			fix,
		);
	}

	/** Takes in that a request can't be sent, and that trying again doesn't help. */
	cannotSend(failure: SendFailure): void {
		this.open ??= { ...failure, fix: NOT_TRIED };
	}
}
