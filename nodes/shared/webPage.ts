/** Says whether a response is a web page. Then the address isn't the service's, even if the status is a success. */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));
