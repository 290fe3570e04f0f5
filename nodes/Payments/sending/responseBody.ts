import { isObject } from '../../shared/values';

/** What the service says about a request that it did not accept (public practice, Answers of the API). */
export interface ErrorBody {
	errorCode?: string;
	message?: string;
	warnings: Array<{ position: string; issue: string }>;
}

/** Names of members by their meaning, the service's own first, then those of other public APIs and RFC 9457. */
const CODE = ['errorCode', 'error_code', 'errorId', 'code', 'error', 'type', 'reason', 'name'];
const MESSAGE = ['message', 'error_description', 'detail', 'error_message', 'description', 'title'];
const FIELD = ['position', 'field', 'param', 'parameter', 'pointer', 'path', 'source'];
const ISSUE = ['issue', ...MESSAGE, ...CODE];
const DETAILS = ['warnings', 'errors', 'details', 'invalid-params', 'invalid_params', 'violations'];
/** Members that hold the whole error, as in `{ "error": { "code": …, "message": … } }`. */
const WRAPPERS = ['error', 'errors'];

const MAX_LENGTH = 500;

const text = (value: unknown): string | undefined =>
	typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_LENGTH) : undefined;

const firstText = (object: Record<string, unknown>, names: readonly string[]): string | undefined =>
	names.map((name) => text(own(object, name))).find((found) => found !== undefined);

const own = (object: Record<string, unknown>, name: string): unknown =>
	Object.hasOwn(object, name) ? object[name] : undefined;

/** Reads the body of an error response. A body of another form is quoted if it is text, but not if it is a web page. */
export function parseErrorBody(body: unknown): ErrorBody {
	if (Array.isArray(body)) return { warnings: detailsIn(body) };
	if (!isObject(body)) {
		const message = text(body);
		return { message: message?.startsWith('<') ? undefined : message, warnings: [] };
	}
	const error = unwrap(body);
	return {
		errorCode: firstText(error, CODE) ?? firstText(body, CODE),
		message: firstText(error, MESSAGE) ?? firstText(body, MESSAGE),
		warnings: DETAILS.flatMap((name) => detailsIn(own(error, name))),
	};
}

function unwrap(body: Record<string, unknown>): Record<string, unknown> {
	const inner = WRAPPERS.map((name) => own(body, name)).find(isObject);
	return inner ?? body;
}

const detailsIn = (list: unknown): ErrorBody['warnings'] =>
	Array.isArray(list)
		? list.flatMap((detail: unknown) => {
				if (!isObject(detail)) return text(detail) ? [{ position: '', issue: text(detail)! }] : [];
				const source = own(detail, 'source');
				const named = isObject(source) ? { ...detail, ...source } : detail;
				return [{ position: firstText(named, FIELD) ?? '', issue: firstText(named, ISSUE) ?? '' }];
			})
		: [];

/** The body of a success response as fields of the output item: an object as it is, anything else as `response`, nothing if it is empty. */
export function responseFields(body: unknown): Record<string, unknown> {
	if (isObject(body)) return body;
	return isEmptyBody(body) ? {} : { response: body };
}

/** Says whether a response has no body, or one without content. */
export const isEmptyBody = (body: unknown): boolean =>
	body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
