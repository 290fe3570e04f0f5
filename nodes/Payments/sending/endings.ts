import type { SendFailure } from '../results';
import { notSent } from './response/outcome';

/* Why a transaction isn't sent, or not sent again: what the user reads. */

const FIND_OUT = 'Find out what the service has, then run the workflow again.';
const RAISE_RETRY_TIME = "To wait longer, raise the option 'Max Retry Time'.";
const NOTHING_SENT = 'Nothing was sent for this item.';

/** @param ms how long the service hasn't decided about any transaction */
export function nothingDecided(ms: number, last: SendFailure): SendFailure {
	const seconds = Math.round(ms / 1000);
	const cause = last.status === undefined ? 'no response' : `status ${last.status}`;
	const message =
		last.outcome === 'notSent' && last.status === undefined
			? `${last.message}, for ${seconds} s by now`
			: `The transaction wasn't sent, because the service hasn't decided about any transaction for ${seconds} s (the last request: ${cause})`;
	return notSent(message, `${FIND_OUT} ${RAISE_RETRY_TIME} ${NOTHING_SENT}`);
}

export const nothingButAnswers = ({ status, fix }: SendFailure, count: number): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service answered ${count} requests in a row without a decision about a transaction (the last one: status ${status})`,
		`${fix} ${NOTHING_SENT}`,
	);

export const everyTokenRejected = ({ status, fix }: SendFailure): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service rejects every new access token (status ${status})`,
		`${fix} ${NOTHING_SENT}`,
	);

export const cannotBeSent = ({ message, fix }: SendFailure): SendFailure =>
	notSent(
		message,
		`An earlier item could not be sent for this reason, so this one wasn't tried. ${fix}`,
	);

/** @param ms how long the service asks to wait */
export const tooLongPause = (ms: number): SendFailure =>
	notSent(
		`The transaction wasn't sent, because the service asked to wait ${Math.ceil(ms / 1000)} s, longer than the option 'Max Retry Time' allows`,
		`Run the workflow again later. ${RAISE_RETRY_TIME} ${NOTHING_SENT}`,
	);

/** Adds to a failure how often, and for how long, the transaction was tried. */
export function triedInVain(failure: SendFailure, attempts: number, ms: number): SendFailure {
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	return {
		...failure,
		message: `${failure.message} (tried ${times} in ${Math.round(ms / 1000)} s)`,
	};
}
