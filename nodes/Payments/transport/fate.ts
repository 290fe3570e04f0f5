import type { Transaction } from '../transaction/Transaction';
import type { Refusal } from './answer';
import type { Doubt } from './policy';

/** How it ended for one transaction. There is no other end than these. */
export type Fate =
	| { outcome: 'created' | 'duplicate'; status: number; body: unknown }
	| ({ outcome: Doubt; message: string; remedy: string; status?: number } & Partial<Refusal>);

export type Unsettled = Extract<Fate, { message: string }>;

export const isSettled = (fate: Fate): fate is Extract<Fate, { body: unknown }> =>
	fate.outcome === 'created' || fate.outcome === 'duplicate';

const ids = ({ eventId, externalId }: Transaction) =>
	`Event ID ${eventId}, External ID ${externalId}`;

const REMEDIES: Record<number, string> = {
	400: 'Correct the fields that are named, then run the workflow again.',
	401: 'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
	403: "The client is not permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard.",
	404: 'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.',
	409: 'If it is the same payment, it is recorded already and nothing is left to do. If it is another payment, leave Event ID empty, or give it an ID of its own.',
	429: 'The service takes fewer requests than were sent. Lower the option Parallel Requests, or raise Retry Time.',
	503: 'The service is not available at the moment. Try again later, or raise the option Retry Time.',
};

/** The service answered with a status that is not a success. */
export function refusedBy(
	status: number,
	refusal: Refusal,
	doubt: Doubt,
	transaction: Transaction,
): Unsettled {
	const said = [refusal.errorCode, refusal.message].filter(Boolean).join(': ');
	const warnings = refusal.warnings
		.map(({ position, issue }) => `${position}: ${issue}`)
		.join('; ');
	const words = [said, warnings].filter(Boolean).join(' – ');
	if (doubt === 'unclear')
		return unclear(
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
export const unclear = (
	why: string,
	transaction: Transaction,
	more: Partial<Unsettled> = {},
): Unsettled => ({
	...more,
	outcome: 'unclear',
	message: `It is not known whether the transaction was recorded: ${why}`,
	remedy: `The transaction may exist (${ids(transaction)}). Running it again sends the same event, so the service can recognise it.`,
});

/** The service never saw it. */
export const notSent = (
	message: string,
	remedy = 'Nothing was sent, so running the workflow again is safe.',
): Unsettled => ({ outcome: 'notSent', message, remedy });

/**
 * What is known after another try: a refusal says nothing about an earlier try that may have gone through. Only 409 does, because then the service has
 * the event.
 */
export const stillDoubtful = (earlier: Unsettled | undefined, fate: Unsettled): Unsettled =>
	!earlier || fate.outcome === 'unclear' || fate.status === 409
		? fate
		: {
				...fate,
				outcome: 'unclear',
				message: `${earlier.message}. Sent again: ${fate.message}`,
				remedy: earlier.remedy,
			};
