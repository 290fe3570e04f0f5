/** How a web page begins. XML and SOAP have names of their own. */
const HTML =
	/^\s*<(!--|(!doctype html|html|head|body|title|meta|script|div|center|h\d|p|pre|table)\b)/i;

/**
 * Whether a response is a web page, so that the address isn't the service's, even with status 200.
 */
export function isWebPage({ headers, body }: { headers: object; body?: unknown }): boolean {
	const type = (headers as Record<string, unknown>)['content-type'];
	const isHtml = typeof type === 'string' && /\bhtml\b/i.test(type);
	return isHtml || (typeof body === 'string' && HTML.test(body));
}

/** The fix for a refusal that may not come from the service. */
export const MAY_BE_BLOCKED =
	'A firewall, gateway, or allow list in front of the service may also block n8n: ask the provider.';

/** What a status says, whatever was requested. */
export type StatusSays =
	| 'success'
	/** Its parts say whether it's one (RFC 4918, section 13). */
	| 'multiStatus'
	/** The same request has to go to another address. It wasn't processed. */
	| 'redirect'
	/** Another address has the answer, or more. It can be what a POST has created. */
	| 'seeOther'
	/** What was sent isn't accepted for its content. */
	| 'refused'
	/** What was sent isn't accepted for its form, such as its headers or its size. */
	| 'badForm'
	| 'conflict'
	/** The access token, or the client, isn't accepted. */
	| 'unauthorized'
	| 'forbidden'
	| 'noSuchPath'
	/** The path exists, and this method isn't offered. */
	| 'wrongMethod'
	/** A proxy or a network asks for a sign-in. */
	| 'proxySignIn'
	/** The request took too long to arrive. A proxy can say so after it has passed it on. */
	| 'timeout'
	| 'tooEarly'
	/** Too many requests. This one wasn't processed. */
	| 'limit'
	/** The service can't answer at the moment, by its own word. */
	| 'unavailable'
	| 'serverError'
	/** A status that no standard has. */
	| 'undefined';

/**
 * The only list of statuses: RFC 9110, section 15, RFC 6585 (428, 429, 431, 511), RFC 7725 (451),
 * and RFC 8470 (425).
 */
const STATUSES: Array<[StatusSays, number[]]> = [
	['multiStatus', [207]],
	['redirect', [307, 308]],
	['refused', [400, 402, 422, 451]],
	['badForm', [406, 411, 412, 413, 414, 415, 416, 417, 426, 428, 431, 505]],
	['conflict', [409]],
	['unauthorized', [401]],
	['forbidden', [403]],
	['noSuchPath', [404, 410, 421]],
	['wrongMethod', [405, 501]],
	['proxySignIn', [407, 511]],
	['timeout', [408]],
	['tooEarly', [425]],
	['limit', [429]],
	['unavailable', [503]],
];

const SAYS = new Map(
	STATUSES.flatMap(([says, statuses]) => statuses.map((status) => [status, says] as const)),
);

export function statusSays(status: number): StatusSays {
	const known = SAYS.get(status);
	if (known) return known;
	if (status >= 200 && status < 300) return 'success';
	if (status >= 300 && status < 400) return 'seeOther';
	return status >= 500 ? 'serverError' : 'undefined';
}

const REDIRECTS: StatusSays[] = ['redirect', 'seeOther'];
const NOT_NOW: StatusSays[] = ['timeout', 'tooEarly', 'limit', 'unavailable', 'serverError'];

/** Whether the status leads to another address. */
export const isRedirect = (status: number): boolean => REDIRECTS.includes(statusSays(status));

/** Whether the server can't answer at the moment. The same request may succeed later. */
export const isNotNow = (status: number): boolean => NOT_NOW.includes(statusSays(status));
