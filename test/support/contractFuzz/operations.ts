import { document as contract, newValidator } from '../../../sandbox/contract';

/** A JSON Schema of the contract, as far as the generator reads it. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	const?: unknown;
	enum?: unknown[];
	allOf?: Schema[];
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	unevaluatedProperties?: boolean;
	items?: Schema;
	minItems?: number;
	maxItems?: number;
	uniqueItems?: boolean;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	minimum?: number;
	maximum?: number;
}

export interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: Schema;
}

interface Response {
	headers?: Record<string, { schema: Schema }>;
	content?: Record<string, unknown>;
}

/** An operation of the contract. */
export interface Operation {
	operationId: string;
	method: string;
	path: string;
	parameters: Parameter[];
	body?: { mediaType: string; schema: Schema };
	/** Responses by status. */
	responses: Record<string, Response>;
	/** Where the contract has it, as a JSON pointer. */
	pointer: string;
	needsToken: boolean;
}

type Node = Record<string, unknown>;

const validator = newValidator({ strictSchema: false, validateSchema: false }).addSchema(
	contract,
	'contract',
);

const escape = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Follows a JSON pointer such as `#/components/schemas/Client`. */
function lookUp(pointer: string): Node {
	const parts = pointer.slice(2).split('/');
	return parts.reduce(
		(node, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')] as Node,
		contract,
	);
}

/** Replaces a reference by what it refers to; what stands beside it stays. */
export function resolve<T extends object>(node: T): T {
	const { $ref, ...others } = node as T & { $ref?: string };
	return $ref === undefined ? node : { ...resolve(lookUp($ref) as T), ...(others as T) };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function readOperation(path: string, method: string, node: Node, shared: Node[]): Operation {
	const content = (node.requestBody as { content?: Record<string, { schema: Schema }> })?.content;
	const [mediaType] = Object.keys(content ?? {});
	const security = node.security as object[] | undefined;
	return {
		operationId: node.operationId as string,
		method: method.toUpperCase(),
		path,
		parameters: [...shared, ...((node.parameters as Node[]) ?? [])].map(
			(parameter) => resolve(parameter) as unknown as Parameter,
		),
		body: content && { mediaType, schema: content[mediaType].schema },
		responses: Object.fromEntries(
			Object.entries(node.responses as Record<string, Response>).map(([status, response]) => [
				status,
				resolve(response),
			]),
		),
		pointer: `#/paths/${escape(path)}/${method}`,
		needsToken: (security ?? []).length > 0,
	};
}

/** All operations of the contract. */
export const operations: Operation[] = Object.entries(
	contract.paths as Record<string, Node>,
).flatMap(([path, item]) =>
	METHODS.filter((method) => method in item).map((method) =>
		readOperation(path, method, item[method] as Node, (item.parameters as Node[]) ?? []),
	),
);

/** Says what a schema of the contract has against a value; empty when nothing. */
function issuesOf(pointer: string, value: unknown): string[] {
	const validate = validator.getSchema(`contract${pointer}`);
	if (!validate) throw new Error(`The contract has no schema at ${pointer}.`);
	if (validate(value)) return [];
	return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Whether the contract allows a value as the body of a request. */
export function allowsBody({ pointer, body }: Operation, value: unknown): boolean {
	const schema = `${pointer}/requestBody/content/${escape(body!.mediaType)}/schema`;
	return issuesOf(schema, value).length === 0;
}

/**
 * Whether the contract allows a text as the value of a parameter. `undefined` for another notation
 * of a number, such as 1e2: OpenAPI doesn't say whether it is one.
 */
export function allowsText({ schema }: Parameter, text: string): boolean | undefined {
	const { type, ...rules } = resolve(schema);
	if (type !== 'integer')
		return fits({ type, ...rules }, type === 'boolean' ? asBoolean(text) : text);
	if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return fits({ type, ...rules }, Number(text));
	return text.trim() !== '' && !Number.isNaN(Number(text)) ? undefined : false;
}

const asBoolean = (text: string) => (text === 'true' || text === 'false' ? text === 'true' : text);

const parameterValidator = newValidator({ strictSchema: false });
const fits = (schema: Schema, value: unknown): boolean =>
	parameterValidator.validate(schema, value);

/** What came back for a request. */
export interface ReceivedResponse {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: string;
}

function parseJson(text: string): { value?: unknown; isJson: boolean } {
	try {
		return { value: JSON.parse(text), isJson: true };
	} catch {
		return { isJson: false };
	}
}

/** Which response of an operation a status has. */
const keyOf = ({ responses }: Operation, status: number) =>
	status in responses || status < 400 ? String(status) : 'default';

/**
 * Says what the contract has against a response: its status, content type, headers, and body. Empty
 * when nothing.
 */
export function responseIssues(operation: Operation, received: ReceivedResponse): string[] {
	const { status, headers, body } = received;
	if (status >= 500) return [`status ${status}: ${body.slice(0, 200)}`];
	const response = operation.responses[keyOf(operation, status)];
	if (!response) return [`the contract has no status ${status}: ${body.slice(0, 200)}`];
	const headerIssues = Object.entries(response.headers ?? {})
		.filter(([name, { schema }]) => {
			const value = headers[name.toLowerCase()];
			return value === undefined || !parameterValidator.validate(schema, value);
		})
		.map(([name]) => `header ${name} is ${String(headers[name.toLowerCase()])}`);
	return [...headerIssues, ...contentIssues(operation, received, response)];
}

function contentIssues(
	operation: Operation,
	{ status, headers, body }: ReceivedResponse,
	{ content }: Response,
): string[] {
	if (!content) return body === '' ? [] : [`the contract has no body for status ${status}`];
	const [mediaType] = String(headers['content-type'] ?? '').split(';');
	if (!(mediaType in content)) return [`the contract has no content type "${mediaType}"`];
	if (mediaType !== 'application/json') return [];
	const { value, isJson } = parseJson(body);
	if (!isJson) return [`the body isn't JSON: ${body.slice(0, 200)}`];
	const pointer = `${operation.pointer}/responses/${keyOf(operation, status)}`;
	const owner = (lookUp(pointer) as { $ref?: string }).$ref ?? pointer;
	return issuesOf(`${owner}/content/${escape(mediaType)}/schema`, value);
}
