import { isObject, ownMember } from '../../../shared/values';
import type { Warning } from '../../results';

/** What came back, whatever its status. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** What the service says about a request it didn't accept (public practice, Answers of the API). */
export interface ErrorBody {
	errorCode?: string;
	message?: string;
	warnings: Warning[];
}

/** Names of members: the service's own first, then those of other public APIs and RFC 9457. */
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
	names.map((name) => text(ownMember(object, name))).find((found) => found !== undefined);

/** Reads the body of an error response. A body that is text is the message, unless it is markup. */
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
		warnings: DETAILS.flatMap((name) => detailsIn(ownMember(error, name))),
	};
}

function unwrap(body: Record<string, unknown>): Record<string, unknown> {
	const inner = WRAPPERS.map((name) => ownMember(body, name)).find(isObject);
	return inner ?? body;
}

const detailsIn = (list: unknown): Warning[] =>
	Array.isArray(list)
		? list.flatMap((detail: unknown) => {
				if (!isObject(detail)) return text(detail) ? [{ position: '', issue: text(detail)! }] : [];
				const source = ownMember(detail, 'source');
				const named = isObject(source) ? { ...detail, ...source } : detail;
				return [{ position: firstText(named, FIELD) ?? '', issue: firstText(named, ISSUE) ?? '' }];
			})
		: [];

/** A shorter token is a placeholder, and can be a word of the response (RFC 6749, 10.10). */
const MIN_TOKEN_LENGTH = 16;
/** JSON can be nested so deep that functions that call themselves for each level would throw. */
const MAX_DEPTH = 50;
/** Words, so that a 409 with them doesn't count as one that says nothing. */
const TOO_DEEP = '(nested too deep)';

/**
 * Copies a body without the access token. Some services quote it when they reject it, such as
 * Spring Security ("Invalid access token: …"). Replaces what is nested too deep.
 */
export function cleanBody(body: unknown, token: string, depth = MAX_DEPTH): unknown {
	if (typeof body === 'string')
		return token.length < MIN_TOKEN_LENGTH ? body : body.replaceAll(token, '•••');
	if (typeof body !== 'object' || body === null) return body;
	if (depth === 0) return TOO_DEEP;
	if (Array.isArray(body)) return body.map((one) => cleanBody(one, token, depth - 1));
	const members = Object.entries(body);
	return Object.fromEntries(
		members.map(([name, value]) => [name, cleanBody(value, token, depth - 1)]),
	);
}

/** Says whether a response has no body, or one without content. */
export const isEmptyBody = (body: unknown): boolean =>
	body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
