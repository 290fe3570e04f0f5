import { isObject } from '../../../shared/values';
import { nameOf } from './responseBody';

/** What the body of an error response says (docs/interface.md, 10.4, RFC 9457, and other forms). */
export interface ErrorBody {
	/** Texts that may be a code, those of the whole body before those of its parts. */
	codes: string[];
	/** Sentences. They decide nothing, unless the credential states a part of one. */
	messages: string[];
	/** Names of the fields that something is wrong with, without their path. */
	fields: string[];
	/** Code, message, and what it says of single fields, in one line. */
	quote: string;
}

/*
 * Names of members, as `nameOf` returns them: the service's own first, then those of other public
 * APIs and RFC 9457.
 */
const CODE = ['errorcode', 'errorid', 'errorname', 'code', 'error', 'type', 'reason', 'name'];
const MESSAGE = ['message', 'errordescription', 'detail', 'errormessage', 'description', 'msg'];
/** A code at some services, a sentence at others. */
const CODE_OR_MESSAGE = ['title', 'issue'];
const FIELD = ['position', 'field', 'param', 'parameter', 'pointer', 'target', 'path', 'source'];
const ISSUE = ['issue', ...MESSAGE, 'title', ...CODE];
/** Members that hold what is wrong, and name no field. */
const CONTAINERS = [
	...['error', 'errors', 'warnings', 'details', 'detail'],
	...['message', 'messages', 'status', 'fault'],
];

const MAX_LENGTH = 500;
const MAX_CODE_LENGTH = 100;
const MAX_QUOTED_DETAILS = 20;

/**
 * Reads the body of an error response.
 *
 * @param status a code that only repeats it is none
 */
export function readErrorBody(body: unknown, status: number): ErrorBody {
	if (typeof body === 'string') {
		const text = textOf(body);
		const messages = text === undefined || text.startsWith('<') ? [] : [text];
		return { codes: [], messages, fields: [], quote: messages.join() };
	}
	const contained = isObject(body) ? membersOf(body, CONTAINERS) : [];
	const whole = [...contained, body].filter(isObject);
	const lists = [body, ...whole.flatMap((object) => membersOf(object, CONTAINERS))];
	const parts = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
	const isCode = (code: string) => code.length <= MAX_CODE_LENGTH && code !== String(status);
	const codesIn = (objects: Array<Record<string, unknown>>, names: string[]) =>
		objects.flatMap((object) => textsOf(object, names).flatMap(nameInUri)).filter(isCode);
	const messagesIn = (objects: Array<Record<string, unknown>>) =>
		objects.flatMap((object) => textsOf(object, [...MESSAGE, ...CODE_OR_MESSAGE]));

	const details = detailsIn(body, '', false);
	const statement = [codesIn(whole, CODE).at(0), messagesIn(whole).at(0)]
		.filter(Boolean)
		.join(': ');
	const isSaid = ({ field, text }: Detail) => statement.includes(field) && statement.includes(text);
	return {
		codes: codesIn([...whole, ...parts], [...CODE, ...CODE_OR_MESSAGE]),
		messages: [...messagesIn([...whole, ...parts]), ...details.map(({ text }) => text)],
		fields: details.map(({ field }) => field.split(/[^\p{L}\p{N}_-]/u).at(-1)!),
		quote: [statement, quoteDetails(details.filter((one) => !isSaid(one)))]
			.filter(Boolean)
			.join(' – '),
	};
}

/** What is wrong with a field. Its name is empty if none is named. */
interface Detail {
	field: string;
	text: string;
}

/**
 * Finds what a body says of single fields, whatever its form: `warnings` with a position, `details`
 * with a target, `{ "amount": ["Is too large"] }`.
 *
 * @param field where in the body it is
 * @param isContained whether texts in it say what is wrong
 */
function detailsIn(value: unknown, field: string, isContained: boolean): Detail[] {
	if (Array.isArray(value)) return value.flatMap((one: unknown) => detailsIn(one, field, true));
	if (!isObject(value)) {
		const text = isContained ? textOf(value) : undefined;
		return text === undefined ? [] : [{ field, text }];
	}
	const text = isContained ? textsOf(value, ISSUE).at(0) : undefined;
	if (text !== undefined) return [{ field: fieldIn(value) ?? field, text }];
	return Object.entries(value).flatMap(([name, member]) => {
		if (CONTAINERS.includes(nameOf(name)))
			return typeof member === 'object' ? detailsIn(member, field, nameOf(name) !== 'error') : [];
		return detailsIn(member, field === '' ? name : `${field}.${name}`, isContained);
	});
}

/** The name of the field in an object about it. JSON:API has it in `source`, FastAPI in `loc`. */
function fieldIn(detail: Record<string, unknown>): string | undefined {
	if (Array.isArray(detail.loc)) return detail.loc.join('.').slice(0, MAX_LENGTH);
	const sources = membersOf(detail, ['source']).filter(isObject);
	return [detail, ...sources].flatMap((object) => textsOf(object, FIELD)).at(0);
}

function quoteDetails(details: Detail[]): string {
	const quoted = details
		.slice(0, MAX_QUOTED_DETAILS)
		.map(({ field, text }) => [field, text].filter(Boolean).join(': '));
	const rest = details.length - quoted.length;
	return [...quoted, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('; ');
}

function textOf(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value.trim().slice(0, MAX_LENGTH) : '';
	return text === '' ? undefined : text;
}

const textsOf = (object: Record<string, unknown>, names: string[]): string[] =>
	membersOf(object, names)
		.map(textOf)
		.filter((text) => text !== undefined);

/** Lists the members with these names, in the order of the names. */
function membersOf(object: Record<string, unknown>, names: string[]): unknown[] {
	const members = Object.entries(object).map(([name, value]) => ({ name: nameOf(name), value }));
	return names.flatMap((known) =>
		members.filter(({ name }) => name === known).map(({ value }) => value),
	);
}

/**
 * The `type` of RFC 9457 is a URI. Its last part names the problem, unless it's a status, and
 * `about:blank` says nothing (section 4.2.1).
 */
function nameInUri(code: string): string[] {
	if (!/^(about|https?|tag|urn):/i.test(code)) return [code];
	const name = code
		.split(/[/#?:]/)
		.filter(Boolean)
		.at(-1)!;
	return /^(blank|(section-)?[\d.]+)$/.test(name) ? [] : [name];
}
