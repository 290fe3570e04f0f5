/**
 * Whether a response is a web page, so that the address isn't the service's, even with status 200.
 */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(?!\?xml)/i.test(body));

/** The fix for a refusal that may not come from the service. */
export const MAY_BE_BLOCKED =
	'A firewall, gateway, or allow list in front of the service may also block n8n: ask the provider.';

/** What a status says, whatever was requested. */
export type StatusMeaning =
	| 'success'
	| 'redirect'
	/** The access token, or the client, isn't accepted. */
	| 'unauthorized'
	| 'forbidden'
	| 'noSuchPath'
	/** The path exists, and this method isn't offered. */
	| 'wrongMethod'
	/** What was sent isn't accepted: its content, or its form, such as its headers or its size. */
	| 'declined'
	/** A proxy or a network asks for a sign-in. */
	| 'proxySignIn'
	/** The server can't answer at the moment. */
	| 'notNow'
	| 'undefined';

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

type Outcome = 'created' | 'rejected' | 'notSent' | 'unknown';

/** What a status means for a transaction, if no code in the body says more (response/codes.ts). */
export interface StatusRow {
	meaning: StatusMeaning;
	outcome: Outcome;
	evidence: Evidence;
	/** What the user does. */
	fix: string;
	/** Whether it's sent again, within Max Retry Time. */
	isRetried: boolean;
}

const FINAL_ADDRESS =
	"Enter the final address as Base URL in the credential: a payment isn't sent to an address that you didn't enter.";
const CHECK_BASE_URL =
	'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.';
const TEST_CREDENTIAL =
	'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.';
const CHECK_SCOPE = `The client isn't permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard. ${MAY_BE_BLOCKED}`;
const CORRECT =
	'Correct what the service names, then run the workflow again. If it says that it has the payment already, look it up before you correct the row.';
const CHECK_PROXY = 'Check the proxy settings of n8n.';
const ASK = 'Look up what the service says, correct it, then run the workflow again.';
const SLOWER =
	"Nothing was processed: run it again later, as it is. To wait longer, raise the option 'Max Retry Time'.";
const LATER =
	"The service isn't available at the moment. Try again later, or raise the option 'Max Retry Time'.";

/**
 * RFC 9110, section 15, RFC 6585 (428, 429, 431, 511), RFC 7725 (451), and RFC 8470 (425). Those by
 * which HTTP refuses a request are `rejected`. 408 isn't, because a proxy can send it after it has
 * passed the request on, nor is a redirect that can lead to what a POST has created. 207 says
 * nothing, its parts do (RFC 4918, section 13).
 */
const TABLE: Array<[number[], StatusMeaning, Outcome, Evidence, fix: string, isRetried?: true]> = [
	[[207], 'success', 'unknown', 'answer', ''],
	[[307, 308], 'redirect', 'rejected', 'elsewhere', FINAL_ADDRESS],
	[[400, 402, 422, 451], 'declined', 'rejected', 'decision', CORRECT],
	[[401], 'unauthorized', 'rejected', 'token', TEST_CREDENTIAL],
	[[403], 'forbidden', 'rejected', 'answer', CHECK_SCOPE],
	[[404, 410, 421], 'noSuchPath', 'rejected', 'answer', CHECK_BASE_URL],
	[[405, 501], 'wrongMethod', 'rejected', 'answer', CHECK_BASE_URL],
	[[406, 411, 412, 413, 414, 415, 416], 'declined', 'rejected', 'answer', ASK],
	[[417, 426, 428, 431, 505], 'declined', 'rejected', 'answer', ASK],
	[[407, 511], 'proxySignIn', 'rejected', 'answer', CHECK_PROXY],
	[[408], 'notNow', 'unknown', 'answer', ''],
	[[409], 'declined', 'unknown', 'decision', ''],
	[[425], 'notNow', 'rejected', 'answer', ASK],
	[[429], 'notNow', 'notSent', 'overload', SLOWER, true],
	[[503], 'notNow', 'unknown', 'overload', LATER, true],
];

function row(
	meaning: StatusMeaning,
	outcome: Outcome,
	evidence: Evidence,
	fix = '',
	isRetried = false,
): StatusRow {
	return { meaning, outcome, evidence, fix, isRetried };
}

const ROWS = new Map(
	TABLE.flatMap(([statuses, ...rest]) => statuses.map((status) => [status, row(...rest)] as const)),
);

/** Says what a status means. */
export function statusRow(status: number): StatusRow {
	const known = ROWS.get(status);
	if (known) return known;
	if (status >= 200 && status < 300) return row('success', 'created', 'decision');
	if (status >= 300 && status < 400) return row('redirect', 'unknown', 'elsewhere', CHECK_BASE_URL);
	return status >= 500
		? row('notNow', 'unknown', 'overload')
		: row('undefined', 'unknown', 'answer');
}
