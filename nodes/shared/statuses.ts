/** How a web page begins. XML and SOAP have names of their own. */
const HTML =
	/^\s*<(!--|(!doctype html|html|head|body|title|meta|script|div|center|h\d|p|pre|table)\b)/i;

/**
 * Whether a response is a web page, so that the address isn't the service's, even with status 200.
 */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && HTML.test(body));

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
	/** Whether it's sent again, within Max Retry Time. */
	isRetried: boolean;
}

/**
 * RFC 9110, section 15, RFC 6585 (428, 429, 431, 511), RFC 7725 (451), and RFC 8470 (425). Those by
 * which HTTP refuses a request are `rejected`. 408 isn't, because a proxy can send it after it has
 * passed the request on, nor is a redirect that can lead to what a POST has created. 207 says
 * nothing, its parts do (RFC 4918, section 13).
 */
const TABLE: Array<[number[], StatusMeaning, Outcome, Evidence, isRetried?: true]> = [
	[[207], 'success', 'unknown', 'answer'],
	[[307, 308], 'redirect', 'rejected', 'elsewhere'],
	[[400, 402, 422, 451], 'declined', 'rejected', 'decision'],
	[[401], 'unauthorized', 'rejected', 'token'],
	[[403], 'forbidden', 'rejected', 'answer'],
	[[404, 410, 421], 'noSuchPath', 'rejected', 'answer'],
	[[405, 501], 'wrongMethod', 'rejected', 'answer'],
	[[406, 411, 412, 413, 414, 415, 416], 'declined', 'rejected', 'answer'],
	[[417, 426, 428, 431, 505], 'declined', 'rejected', 'answer'],
	[[407, 511], 'proxySignIn', 'rejected', 'answer'],
	[[408], 'notNow', 'unknown', 'answer'],
	[[409], 'declined', 'unknown', 'decision'],
	[[425], 'notNow', 'rejected', 'answer'],
	[[429], 'notNow', 'notSent', 'overload', true],
	[[503], 'notNow', 'unknown', 'overload', true],
];

const row = (
	meaning: StatusMeaning,
	outcome: Outcome,
	evidence: Evidence,
	isRetried = false,
): StatusRow => ({ meaning, outcome, evidence, isRetried });

const ROWS = new Map(
	TABLE.flatMap(([statuses, ...rest]) => statuses.map((status) => [status, row(...rest)] as const)),
);

/** Says what a status means. */
export function statusRow(status: number): StatusRow {
	const known = ROWS.get(status);
	if (known) return known;
	if (status >= 200 && status < 300) return row('success', 'created', 'decision');
	if (status >= 300 && status < 400) return row('redirect', 'unknown', 'elsewhere');
	return status >= 500
		? row('notNow', 'unknown', 'overload')
		: row('undefined', 'unknown', 'answer');
}
