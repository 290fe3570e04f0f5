import { isObject, ownMember } from '../../../shared/values';

/** What came back, whatever its status. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	/** `UNREADABLE` if it broke off, or is damaged. */
	body: unknown;
}

/** Stands for a body that can't be read. It says nothing. */
export const UNREADABLE = Symbol('unreadable');

/** Whether a text was meant to be JSON. n8n leaves JSON that it can't read as text. */
export const isBrokenJson = (body: unknown): boolean =>
	typeof body === 'string' && /^\s*[{[]/.test(body);

/** What the service says about one field. */
interface Warning {
	position: string;
	issue: string;
}

/** What the service says about a request it didn't accept (docs/interface.md, 10.4). */
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

/**
 * The `type` of RFC 9457 is a URI. Its last part names the problem, unless it's a status, and
 * `about:blank` says nothing (section 4.2.1).
 */
function nameIn(code: string | undefined): string | undefined {
	if (!/^(about|https?|tag|urn):/i.test(code ?? '')) return code;
	const name = code!
		.split(/[/#?:]/)
		.filter(Boolean)
		.at(-1)!;
	return /^(blank|(section-)?[\d.]+)$/.test(name) ? undefined : name;
}

const codeIn = (object: Record<string, unknown>): string | undefined =>
	CODE.map((name) => nameIn(firstText(object, [name]))).find((found) => found !== undefined);

/** Reads the body of an error response. A body that is text is the message, unless it is markup. */
export function parseErrorBody(body: unknown): ErrorBody {
	if (Array.isArray(body)) return { warnings: detailsIn(body) };
	if (!isObject(body)) {
		const message = text(body);
		return { message: message?.startsWith('<') ? undefined : message, warnings: [] };
	}
	const error = unwrap(body);
	return {
		errorCode: codeIn(error) ?? codeIn(body),
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
/** What is kept of a body. 1,000 items with it take 20 MB. */
const MAX_CHARACTERS = 20_000;
/** Words, so that a 409 with them doesn't count as one that says nothing. */
const LEFT_OUT = '(left out)';

/**
 * Copies a body without the access token, which some services quote when they reject it, such as
 * Spring Security ("Invalid access token: …"), in a value or a name. Leaves out what is nested too
 * deep, or beyond the size that is kept.
 */
export function cleanBody(body: unknown, token: string): unknown {
	const hide = (text: string) =>
		token.length < MIN_TOKEN_LENGTH ? text : text.replaceAll(token, '•••');
	let charactersLeft = MAX_CHARACTERS;
	const shorten = (text: string): string => {
		const kept = text.slice(0, Math.max(0, charactersLeft));
		charactersLeft -= text.length;
		return kept.length === text.length ? text : `${kept} ${LEFT_OUT}`;
	};
	/** Pays for a member: for its name, and for what isn't text. */
	const isAffordable = (nameLength: number) => {
		charactersLeft -= Math.min(nameLength, MAX_CHARACTERS) + 8;
		return charactersLeft > 0;
	};
	const copy = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return shorten(hide(value));
		if (typeof value !== 'object' || value === null) return value;
		if (depth === 0 || charactersLeft <= 0) return LEFT_OUT;
		return Array.isArray(value) ? copyList(value, depth) : copyObject(value, depth);
	};
	const copyList = (list: unknown[], depth: number): unknown[] => {
		const copied: unknown[] = [];
		for (const member of list) {
			if (!isAffordable(0)) return [...copied, LEFT_OUT];
			copied.push(copy(member, depth - 1));
		}
		return copied;
	};
	const copyObject = (object: object, depth: number): object => {
		const copied: Array<[string, unknown]> = [];
		for (const [name, member] of Object.entries(object)) {
			if (!isAffordable(name.length)) {
				copied.push([LEFT_OUT, LEFT_OUT]);
				break;
			}
			copied.push([hide(name), copy(member, depth - 1)]);
		}
		return Object.fromEntries(copied);
	};
	return copy(body, MAX_DEPTH);
}

/** Says whether a response has no body, or one without content. */
export const isEmptyBody = (body: unknown): boolean =>
	body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
