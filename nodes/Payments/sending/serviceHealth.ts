import type { SendFailure } from '../results';
import type { FailedAttempt } from './attempt';
import { notSent } from './outcome';

const NOT_TRIED =
	"An earlier item could not be sent for this reason, so this one wasn't tried. Correct it, then run the workflow again. Nothing was sent for this item.";
const RUN_AGAIN =
	"Run the workflow again when the service is available, or raise the option 'Max Retry Time'. Nothing was sent for this item.";

/**
 * Knows when it makes no sense to begin another transaction, so that a misspelled host costs the
 * time of one item, and a wrong secret is tried once. One transaction that the service
 * decides about ends that state.
 */
export class ServiceHealth {
	/** Since when the service has decided about no transaction, in ms since the epoch. */
	private undecidedSince = Infinity;

	private failure: SendFailure | undefined;

	/** @param maxRetryTime ms. If it's 0, no time without a decision counts as an outage. */
	constructor(private readonly maxRetryTime: number) {}

	/** The result of transactions that aren't begun. `undefined` if they should be sent. */
	get outage(): SendFailure | undefined {
		return this.failure;
	}

	/** @param now ms since the epoch */
	began(now: number): void {
		this.undecidedSince = Math.min(this.undecidedSince, now);
	}

	/** Records that the service accepted or rejected a transaction for what it is. */
	decided(now: number): void {
		this.undecidedSince = now;
		this.failure = undefined;
	}

	/**
	 * Records an attempt that failed.
	 *
	 * @param about.startedAt when the attempt began, in ms since the epoch
	 * @param about.isLast whether the transaction isn't tried again
	 */
	failed(attempt: FailedAttempt, about: { startedAt: number; now: number; isLast: boolean }): void {
		const { result } = attempt;
		const { outcome } = result;
		if (outcome === 'notSent') {
			if (about.isLast) this.failure = { ...result, fix: NOT_TRIED };
		} else if (attempt.rejectsToken) {
			this.failure = tokenRejected(result);
		} else if (outcome === 'rejected' && result.status !== 429) {
			this.decided(about.now);
		} else {
			this.checkLastDecision(result, about.startedAt);
		}
	}

	/** Only an attempt that began so long after the last decision shows that there are none. */
	private checkLastDecision(result: SendFailure, startedAt: number): void {
		const ms = startedAt - this.undecidedSince;
		if (this.maxRetryTime > 0 && ms >= this.maxRetryTime) this.failure = noneAccepted(result, ms);
	}
}

const tokenRejected = ({ fix, status }: SendFailure): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service rejects a new access token, too (status ${status})`,
		fix,
	);

function noneAccepted({ status }: SendFailure, ms: number): SendFailure {
	const seconds = Math.round(ms / 1000);
	const last = status === undefined ? 'no response' : `status ${status}`;
	return notSent(
		`The transaction wasn't sent, because the service has accepted no request for ${seconds} s (${last})`,
		RUN_AGAIN,
	);
}
