import type { Transaction } from '../transaction/validate';
import type { ErrorBody } from './responseBody';
import type { FailureKind } from './retryPolicy';

/** How it ended for one transaction. There is no other end than these. */
export type SendResult =
	| { outcome: 'created' | 'duplicate'; status: number; body: unknown }
	| ({
			outcome: FailureKind;
			message: string;
			remedy: string;
			status?: number;
	  } & Partial<ErrorBody>);

export type SendFailure = Extract<SendResult, { message: string }>;

export const isSuccess = (fate: SendResult): fate is Extract<SendResult, { body: unknown }> =>
	fate.outcome === 'created' || fate.outcome === 'duplicate';

const ids = ({ eventId, externalId }: Transaction) =>
	`Event ID ${eventId}, External ID ${externalId}`;

const REMEDIES: Record<number, string> = {
	400: 'Correct the fields that are named, then run the workflow again.',
	401: 'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
	403: "The client is not permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard.",
	404: 'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.',
	409: 'If it is the same payment, it is recorded already and nothing is left to do. If it is another payment, leave Event ID empty, or give it an ID of its own.',
	429: 'The service takes fewer requests than were sent. Lower the option Max Concurrent Requests, or raise Max Retry Time.',
	503: 'The service is not available at the moment. Try again later, or raise the option Max Retry Time.',
};

/** The service answered with a status that is not a success. */
export function failureFromResponse(
	status: number,
	refusal: ErrorBody,
	doubt: FailureKind,
	transaction: Transaction,
): SendFailure {
	const said = [refusal.errorCode, refusal.message].filter(Boolean).join(': ');
	const warnings = refusal.warnings
		.map(({ position, issue }) => `${position}: ${issue}`)
		.join('; ');
	const words = [said, warnings].filter(Boolean).join(' – ');
	if (doubt === 'unknown')
		return unknownOutcome(
			`the service answered with status ${status}${words ? ` (${words})` : ''}`,
			transaction,
			{ status, ...refusal },
		);
	const redirect = status >= 300 && status < 400;
	return {
		outcome: doubt,
		status,
		...refusal,
		message: redirect
			? `The service sends the request on to another address (status ${status})`
			: `The service refused the transaction (status ${status})${words ? `: ${words}` : ''}`,
		remedy: redirect
			? 'Enter the final address as Base URL in the credential: a payment is not sent to a place that you did not enter.'
			: (REMEDIES[status] ??
				'Look up what the service says, correct it, then run the workflow again.'),
	};
}

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (
	why: string,
	transaction: Transaction,
	more: Partial<SendFailure> = {},
): SendFailure => ({
	...more,
	outcome: 'unknown',
	message: `It is not known whether the transaction was recorded: ${why}`,
	remedy: `The transaction may exist (${ids(transaction)}). Running it again sends the same event, so the service can recognize it.`,
});

/** The service never saw it. */
export const notSent = (
	message: string,
	remedy = 'Nothing was sent, so running the workflow again is safe.',
): SendFailure => ({ outcome: 'notSent', message, remedy });

/**
 * What is known after another try: a refusal says nothing about an earlier try that may have gone through. Only 409 does, because then the service has
 * the event.
 */
export const keepUnknownOutcome = (
	earlier: SendFailure | undefined,
	fate: SendFailure,
): SendFailure =>
	!earlier || fate.outcome === 'unknown' || fate.status === 409
		? fate
		: {
				...fate,
				outcome: 'unknown',
				message: `${earlier.message}. Sent again: ${fate.message}`,
				remedy: earlier.remedy,
			};
