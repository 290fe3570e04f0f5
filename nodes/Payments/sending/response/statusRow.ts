type Outcome = 'created' | 'rejected' | 'notSent' | 'unknown';

/** What an attempt shows of the service, for what is sent next. */
export type Evidence =
	/** It decided about the transaction: it recorded it, or rejected it for what it is. */
	| 'decision'
	/** It answered, but not about the transaction: a refusal of the client or the address. */
	| 'answer'
	/** Something else answered: a redirect, or a web page. No transaction causes that. */
	| 'elsewhere'
	/** It rejected the access token. */
	| 'token'
	/** It may not take more now: 429, 5xx, no response, or no connection. */
	| 'overload'
	/** Nothing can be sent to it, now or later. */
	| 'unusable';

/** What a status means for a transaction, if no code in the body says more (codes.ts). */
export interface StatusRow {
	outcome: Outcome;
	evidence: Evidence;
	/** Whether it's sent again, within Max Retry Time. */
	isRetried: boolean;
}

/**
 * Those by which HTTP refuses a request are `rejected`. 408 isn't, because a proxy can send it
 * after it has passed the request on, nor is a redirect that can lead to what a POST has created.
 * 207 says nothing, its parts do (RFC 4918, section 13).
 */
const TABLE: Array<[number[], Outcome, Evidence, isRetried?: true]> = [
	[[207], 'unknown', 'answer'],
	[[307, 308], 'rejected', 'elsewhere'],
	[[400, 402, 422, 451], 'rejected', 'decision'],
	[[401], 'rejected', 'token'],
	[[403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417], 'rejected', 'answer'],
	[[421, 425, 426, 428, 431, 501, 505, 511], 'rejected', 'answer'],
	[[408], 'unknown', 'answer'],
	[[409], 'unknown', 'decision'],
	[[429], 'notSent', 'overload', true],
	[[503], 'unknown', 'overload', true],
];

const row = (outcome: Outcome, evidence: Evidence, isRetried = false): StatusRow => ({
	outcome,
	evidence,
	isRetried,
});

const ROWS = new Map(
	TABLE.flatMap(([statuses, ...rest]) => statuses.map((status) => [status, row(...rest)] as const)),
);

/** Says what a status means for a transaction. */
export function statusRow(status: number): StatusRow {
	const known = ROWS.get(status);
	if (known) return known;
	if (status >= 200 && status < 300) return row('created', 'decision');
	if (status >= 300 && status < 400) return row('unknown', 'elsewhere');
	return row('unknown', status >= 500 ? 'overload' : 'answer');
}
