/**
 * Whether a response is a web page, so that the address isn't the service's, even with status 200.
 */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(?!\?xml)/i.test(body));

/** The fix for a refusal that may not come from the service. */
export const MAY_BE_BLOCKED =
	'A firewall, gateway, or allow list in front of the service may also block n8n: ask the provider.';
