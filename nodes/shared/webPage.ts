/**
 * Whether a response is a web page, so that the address isn't the service's, even with status 200.
 */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(?!\?xml)/i.test(body));
