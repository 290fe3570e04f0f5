import { plainName, onOneLine, type ServiceResponse } from './serviceResponse';
import { isWebPage } from './statuses';
import { isObject } from './values';

/* What a service says in a response, for a person to read. It decides nothing. */

/*
 * Names of members, as `plainName` returns them: the service's own (docs/interface.md, 10.4), those
 * of RFC 9457, and those that other public APIs have in common.
 */
const CODES = ['errorcode', 'errorid', 'errorname', 'code', 'type', 'reason'];
const SENTENCES = [
	...['error', 'title', 'message', 'msg', 'errormessage', 'errordescription', 'description'],
	...['detail', 'details', 'issue'],
];
/** Members that say which field is meant. */
const POSITIONS = ['position', 'field', 'param', 'parameter', 'target', 'pointer', 'path'];
/** Members that hold what is wrong. */
const CONTAINERS = [
	...['error', 'errors', 'warnings', 'violations', 'detail', 'details'],
	...['message', 'messages', 'status', 'fault'],
];

const MAX_KNOWN = 500;
const MAX_UNKNOWN = 200;

/**
 * Quotes a response on one line: members that are known by their names, or else the beginning of
 * the body. Empty if the body is.
 */
export function quoteWords(response: ServiceResponse): string {
	const { status, body } = response;
	const isKnown = isObject(body) && membersOf(body, [...SENTENCES, ...CONTAINERS]).length > 0;
	const statements = withoutParts([...new Set(statementsIn(body, String(status)))]);
	const words = shorten(statements.join('; '), isKnown ? MAX_KNOWN : MAX_UNKNOWN);
	const quoted = words && `"${words}"`;
	return isWebPage(response) ? ['a web page', quoted].filter(Boolean).join(': ') : quoted;
}

/** Leaves out what another statement says, too, such as a message that has all of its warnings. */
const withoutParts = (statements: string[]): string[] =>
	statements.filter((one) => !statements.some((other) => other !== one && other.includes(one)));

/** Whether a response says more than its status does. */
export const hasOwnWords = (response: ServiceResponse): boolean =>
	!isWebPage(response) && textsIn(response.body).some((text) => !NO_WORDS.test(text));

/** The name of a status with advice about the setup (RFC 9110, section 15.5), a path, or a time. */
const NO_WORDS =
	/^([\W\d]*((forbidden|(page )?not found|method not allowed|gone)[\W\d]*)?|\/\S*|\d{4}-\d\d-\d\dT\S*)$/i;

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Lists what a value says, the whole before its parts, whatever their form: `{ field, message }`,
 * `{ "amount": ["Is too large"] }`.
 *
 * @param status a value that only repeats it says nothing
 * @param name of the member that it is in; missing for the whole body
 */
function statementsIn(value: unknown, status: string, name?: string): string[] {
	if (Array.isArray(value)) return value.flatMap((one) => statementsIn(one, status, name ?? ''));
	if (!isObject(value)) return textsOf([value], status).map((text) => withName(name, text));
	const parts = membersOf(value, CONTAINERS).filter((part) => typeof part === 'object');
	const sentences = textsOf(membersOf(value, SENTENCES), status);
	if (sentences.length === 0 && parts.length === 0)
		return Object.entries(value).flatMap(([member, content]) =>
			statementsIn(content, status, withName(name, member, '.')),
		);
	const said = [...textsOf(membersOf(value, CODES), status), ...sentences];
	const field = name === undefined ? '' : (fieldIn(value) ?? name);
	return [
		...(said.length > 0 ? [withName(field, [...new Set(said)].join(': '))] : []),
		...parts.flatMap((part) => statementsIn(part, status, '')),
	];
}

const withName = (name = '', text: string, separator = ': '): string =>
	name === '' ? text : name + separator + text;

/** The field that an object is about. JSON:API has it in `source`, FastAPI in `loc`. */
function fieldIn({ loc, source, ...object }: Record<string, unknown>): string | undefined {
	if (Array.isArray(loc)) return loc.join('.');
	return textsOf(membersOf({ ...object, ...(isObject(source) && source) }, POSITIONS), '').at(0);
}

const textsOf = (values: unknown[], status: string): string[] =>
	values
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map((value) => withoutTags(String(value)).trim())
		.filter((text) => text !== '' && text !== status && !/^(about|https?|urn|tag):/i.test(text));

/** Lists the members with these names, in the order of the names. */
const membersOf = (object: Record<string, unknown>, names: string[]): unknown[] =>
	names.flatMap((known) =>
		Object.entries(object)
			.filter(([name]) => plainName(name) === known)
			.map(([, value]) => value),
	);

/** Takes the texts out of XML, or out of a web page. */
const withoutTags = (text: string): string =>
	/^\s*</.test(text)
		? text
				.replace(/<(script|style)\b[^]*?<\/\1\s*>/gi, ' ')
				.replace(/<!\[CDATA\[|\]\]>/g, '')
				.replace(/<[^<>]*>/g, ' ')
		: text;

/** Writes a text on one line, and cuts it off. */
function shorten(text: string, maxLength: number): string {
	const characters = [...onOneLine(text)];
	const kept = characters.slice(0, maxLength).join('');
	return characters.length > maxLength ? `${kept}…` : kept;
}
