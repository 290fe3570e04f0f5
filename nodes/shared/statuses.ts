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

/** RFC 9110, section 15, RFC 6585 (428, 429, 431, 511), RFC 7725 (451), and RFC 8470 (425). */
const MEANINGS: Array<[StatusMeaning, number[]]> = [
	['unauthorized', [401]],
	['forbidden', [403]],
	['noSuchPath', [404, 410, 421]],
	['wrongMethod', [405, 501]],
	['declined', [400, 402, 406, 409, 411, 412, 413, 414, 415, 416, 417, 422, 426, 428, 431]],
	['declined', [451, 505]],
	['proxySignIn', [407, 511]],
	['notNow', [408, 425, 429]],
];

const MEANING_OF = new Map(
	MEANINGS.flatMap(([meaning, statuses]) => statuses.map((status) => [status, meaning] as const)),
);

/** Says what a status means. */
export function meaningOf(status: number): StatusMeaning {
	const known = MEANING_OF.get(status);
	if (known) return known;
	if (status >= 200 && status < 300) return 'success';
	if (status >= 300 && status < 400) return 'redirect';
	return status >= 500 ? 'notNow' : 'undefined';
}
