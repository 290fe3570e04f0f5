import { isObject } from '../../shared/values';

/** What the service says about a request that it did not accept (public practice, Answers of the API). */
export interface ErrorBody {
	errorCode?: string;
	message?: string;
	warnings: Array<{ position: string; issue: string }>;
}

const text = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : undefined;

/** Reads the body of an error response. A body of another form is quoted if it is text, but not if it is a web page. */
export function parseErrorBody(body: unknown): ErrorBody {
	if (!isObject(body)) {
		const message = text(body);
		return { message: message?.startsWith('<') ? undefined : message, warnings: [] };
	}
	// Stryker disable next-line ArrayDeclaration: what is no object is left out below
	const warnings = Array.isArray(body.warnings) ? body.warnings : [];
	return {
		errorCode: text(body.errorCode) ?? text(body.error),
		message: text(body.message) ?? text(body.error_description),
		warnings: warnings
			.filter(isObject)
			.map(({ position, issue }) => ({ position: text(position) ?? '', issue: text(issue) ?? '' })),
	};
}

/** Whether the response is a web page. Then the address isn't the service's, even if the status is a success. */
export const isWebPage = (contentType: unknown, body: unknown): boolean =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));

/** The body of a success response as fields of the output item: an object as it is, anything else as `response`, nothing if it is empty. */
export function responseFields(body: unknown): Record<string, unknown> {
	if (isObject(body)) return body;
	return body === undefined || body === null || body === '' ? {} : { response: body };
}
