/** A refusal in the service's own words (public practice, Answers of the API). */
export interface ErrorBody {
	errorCode?: string;
	message?: string;
	warnings: Array<{ position: string; issue: string }>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : undefined;

/** Reads the body of a refusal. A body of another form is quoted when it is short text, and never when it is a web page. */
export function parseErrorBody(body: unknown): ErrorBody {
	if (!isObject(body)) {
		const said = text(body);
		return { message: said && !said.startsWith('<') ? said : undefined, warnings: [] };
	}
	const warnings = Array.isArray(body.warnings) ? body.warnings : [];
	return {
		errorCode: text(body.errorCode) ?? text(body.error),
		message: text(body.message) ?? text(body.error_description),
		warnings: warnings
			.filter(isObject)
			.map(({ position, issue }) => ({ position: text(position) ?? '', issue: text(issue) ?? '' })),
	};
}

/** Whether a good answer is a web page: then the address is not the service's, whatever the status says. */
export const isWebPage = (contentType: unknown, body: unknown) =>
	(typeof contentType === 'string' && /\bhtml\b/i.test(contentType)) ||
	(typeof body === 'string' && /^\s*<(!doctype|html)/i.test(body));

/** What the service answered, as members for the output item: an object as it is, anything else under `response`, nothing when empty. */
export function responseFields(body: unknown): Record<string, unknown> {
	if (isObject(body)) return body;
	return body === undefined || body === null || body === '' ? {} : { response: body };
}
