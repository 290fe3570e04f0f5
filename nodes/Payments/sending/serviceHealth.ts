import type { FailedAttempt } from './attempt';
import { notSent, type SendFailure } from './outcome';

const NOT_TRIED =
	'An earlier item could not be sent for this reason, so this one was not tried. Nothing was sent, so running the workflow again is safe.';
const RUN_AGAIN =
	"Run the workflow again when the service is available, or raise the option 'Max Retry Time'. Nothing was sent for this item.";

/**
 * Knows when it makes no sense to begin another transaction. A misspelled host then costs the time of one item and not of
 * every item, and a wrong secret is tried once. One accepted request ends that state.
 */
export class ServiceHealth {
	/** Since when no request was accepted, in ms since the epoch. */
	private noneAcceptedSince = Infinity;

	private failure: SendFailure | undefined;

	/** @param maxRetryTime ms; 0 when nothing is retried, and then every transaction is tried once */
	constructor(private readonly maxRetryTime: number) {}

	/** Why a transaction that was not begun yet would fail, as its result; `undefined` when it should be sent. */
	get outage(): SendFailure | undefined {
		return this.failure;
	}

	/** @param now ms since the epoch */
	began(now: number): void {
		this.noneAcceptedSince = Math.min(this.noneAcceptedSince, now);
	}

	/** Records that the service accepted a request: it decided about the transaction, whatever it decided. */
	accepted(now: number): void {
		this.noneAcceptedSince = now;
		this.failure = undefined;
	}

	/**
	 * Records an attempt that failed.
	 *
	 * @param about.startedAt when the attempt began, in ms since the epoch
	 * @param about.isLast whether the transaction isn't tried again
	 */
	failed(attempt: FailedAttempt, about: { startedAt: number; now: number; isLast: boolean }): void {
		const { outcome, result } = attempt;
		if (outcome === 'notSent') {
			if (about.isLast) this.failure = { ...result, fix: NOT_TRIED };
		} else if (outcome === 'rejected' && result.status === 401) {
			this.failure = tokenRejected(result);
		} else if (outcome === 'rejected' && result.status !== 429) {
			this.accepted(about.now);
		} else {
			this.checkLastAccepted(result, about.startedAt);
		}
	}

	/** Only an attempt that began so long after the last accepted one shows that the service takes none. */
	private checkLastAccepted(result: SendFailure, startedAt: number): void {
		const ms = startedAt - this.noneAcceptedSince;
		if (this.maxRetryTime > 0 && ms >= this.maxRetryTime) this.failure = noneAccepted(result, ms);
	}
}

const tokenRejected = ({ fix }: SendFailure): SendFailure =>
	notSent(
		'The transaction was not sent, because the service rejects a new access token, too (status 401)',
		fix,
	);

function noneAccepted({ status }: SendFailure, ms: number): SendFailure {
	const seconds = Math.round(ms / 1000);
	const last = status === undefined ? 'no response' : `status ${status}`;
	return notSent(
		`The transaction was not sent, because the service has accepted no request for ${seconds} s (${last})`,
		RUN_AGAIN,
	);
}
