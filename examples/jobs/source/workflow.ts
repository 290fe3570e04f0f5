import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealedText, type SealedTable } from './model';

/*
 * How the workflows in this folder are written: a node is its name, type, and parameters, and the
 * code of a Code node is a file in code/. `npm run jobs` makes the JSON files that users import.
 */

type Parameters = Record<string, unknown>;

export interface Node {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Parameters;
	position?: [number, number];
	[more: string]: unknown;
}

/** From a node to others: each output has the names of the nodes that follow. */
type Connections = Record<string, Array<string | string[]>>;

export interface Job {
	/** Of the file, without .json. It's also the ID, by which jobs call each other. */
	file: string;
	name: string;
	/** In reading order; each list is a line of nodes on the canvas, from left to right. */
	lines: Node[][];
	connections: Connections;
	/** Of notes: the line that each is above, and what it says. */
	notes: Array<{ line: number; content: string; height: number; width: number }>;
}

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters,
	more: Parameters = {},
): Node => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters, ...more });

const textOf = (folder: string, file: string) =>
	readFileSync(join(__dirname, folder, `${file}.js`), 'utf8').trimEnd();
/** The file in code/ that a Code node runs. A line such as `//: money` is a file in parts/. */
export const codeOf = (file: string) =>
	textOf('code', file).replace(/^\/\/: (\w+)$/gm, (_, part: string) => textOf('parts', part));

/** `names` is the name of a node in the code, and the one that it has in this workflow. */
export const code = (
	name: string,
	file: string,
	more: Parameters = {},
	names: [inCode: string, here: string] = ['', ''],
) => node(name, 'code', 2, { jsCode: codeOf(file).replace(...names) }, more);

export const set = (name: string, assignments: Record<string, string>) =>
	node(name, 'set', 3.4, {
		assignments: {
			assignments: Object.entries(assignments).map(([key, value], index) => ({
				id: `a${index + 1}`,
				name: key,
				value,
				type: 'string',
			})),
		},
		includeOtherFields: true,
		options: {},
	});

const condition = (leftValue: string, operation: string, rightValue = '') => ({
	options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
	combinator: 'and',
	conditions: [
		{
			id: 'c1',
			leftValue,
			rightValue,
			operator: {
				type: 'string',
				operation,
				...(/[eE]mpty$/.test(operation) && { singleValue: true }),
			},
		},
	],
});

export const only = (
	type: 'if' | 'filter',
	name: string,
	leftValue: string,
	operation: string,
	rightValue?: string,
	more: Parameters = {},
) =>
	node(
		name,
		type,
		2.2,
		{
			conditions: condition(leftValue, operation, rightValue),
			looseTypeValidation: true,
			options: {},
		},
		more,
	);

const table = (name: string) => ({ __rl: true, mode: 'name', value: name });
export type Where = Array<[column: string, condition: string, value?: string]>;
const filters = (where: Where) => ({
	conditions: where.map(([keyName, condition, keyValue]) => ({
		keyName,
		condition,
		...(keyValue !== undefined && { keyValue }),
	})),
});

export const createTable = (name: string, tableName: string, columns: readonly string[]) =>
	node(name, 'dataTable', 1.1, {
		resource: 'table',
		operation: 'create',
		tableName,
		columns: { column: columns.map((column) => ({ name: column, type: 'string' })) },
		options: { createIfNotExists: true },
	});

/** Reads rows once, whatever number of items comes in. It has an empty item if there are none. */
export const rows = (
	name: string,
	tableName: string,
	where: Where = [],
	matchType: 'allConditions' | 'anyCondition' = 'allConditions',
	more: Parameters = {},
) =>
	node(
		name,
		'dataTable',
		1.1,
		{
			resource: 'row',
			operation: 'get',
			dataTableId: table(tableName),
			matchType,
			filters: filters(where),
			returnAll: true,
		},
		{ alwaysOutputData: true, executeOnce: true, ...more },
	);

export const exists = (name: string, operation: string, tableName: string, where: Where) =>
	node(name, 'dataTable', 1.1, {
		resource: 'row',
		operation,
		dataTableId: table(tableName),
		matchType: 'allConditions',
		filters: filters(where),
	});

const mapping = (columns: string[], value: (column: string) => string) => ({
	mappingMode: 'defineBelow',
	value: Object.fromEntries(columns.map((column) => [column, value(column)])),
	matchingColumns: [],
	schema: columns.map((column) => ({
		id: column,
		displayName: column,
		required: false,
		defaultMatch: false,
		display: true,
		type: 'string',
		readOnly: false,
		removed: false,
	})),
	attemptToConvertTypes: false,
	convertFieldsToString: false,
});

/** The columns are those of the item. n8n leaves out its own, such as the ID. */
const ALL_OF_ITEM = {
	mappingMode: 'autoMapInputData',
	value: null,
	matchingColumns: [],
	schema: [],
};

const fromItem = (column: string) => `={{ String($json.${column} ?? '') }}`;

export const insert = (
	name: string,
	tableName: string,
	columns?: readonly string[],
	values: Record<string, string> = {},
) =>
	node(name, 'dataTable', 1.1, {
		resource: 'row',
		operation: 'insert',
		dataTableId: table(tableName),
		columns: columns
			? mapping([...columns], (column) => values[column] ?? fromItem(column))
			: ALL_OF_ITEM,
		options: {},
	});

/** Changes rows that still have the seal that was read. What was changed comes out. */
export const updateSealed = (name: string, tableName: SealedTable, more: Parameters = {}) =>
	node(
		name,
		'dataTable',
		1.1,
		{
			resource: 'row',
			operation: 'update',
			dataTableId: table(tableName),
			matchType: 'allConditions',
			filters: filters([
				['id', 'eq', '={{ $json.id }}'],
				['seal', 'eq', '={{ $json.previous }}'],
			]),
			columns: ALL_OF_ITEM,
			options: {},
		},
		{ alwaysOutputData: true, ...more },
	);

export const update = (
	name: string,
	tableName: string,
	where: Where,
	values: Record<string, string>,
	more: Parameters = {},
) =>
	node(
		name,
		'dataTable',
		1.1,
		{
			resource: 'row',
			operation: 'update',
			dataTableId: table(tableName),
			matchType: 'allConditions',
			filters: filters(where),
			columns: mapping(Object.keys(values), (column) => values[column]),
			options: {},
		},
		more,
	);

/** Calculates the seal of each item: into `seal`, or into `check` to compare. */
export const seal = (
	name: string,
	tableName: SealedTable,
	property: 'seal' | 'check' = 'seal',
	more: Parameters = {},
) =>
	node(
		name,
		'crypto',
		2,
		{
			action: 'hmac',
			type: 'SHA256',
			value: sealedText(tableName),
			dataPropertyName: property,
			encoding: 'hex',
		},
		{ credentials: { crypto: { id: null, name: 'Payment seals' } }, ...more },
	);

/**
 * The look of all pages. An amount, a date, and an account stay on one line: of the attributes of a
 * cell, n8n lets `headers` through, and not `class`.
 */
const CSS =
	'.card { max-width: 1600px; overflow-x: auto; } .container { width: 1600px !important; max-width: 96vw; } table { border-collapse: collapse; width: 100%; font-size: 13px; } th, td { border-bottom: 1px solid #dbdfe7; padding: 6px 8px; text-align: left; vertical-align: top; } td { overflow-wrap: anywhere; } td { min-width: 9em; } td[headers] { white-space: nowrap; min-width: 0; } h3 { margin: 16px 0 4px; text-align: left; }';

export const formTrigger = (
	name: string,
	path: string,
	formTitle: string,
	formDescription: string,
	fields: Parameters[],
	buttonLabel: string,
) =>
	node(
		name,
		'formTrigger',
		2.6,
		{
			authentication: 'n8nUserAuth',
			requireExecuteAccess: false,
			formTitle,
			formDescription,
			formFields: { values: fields },
			options: { path, appendAttribution: false, buttonLabel },
		},
		{ webhookId: true },
	);

/** A page whose fields are in `form` of the item. */
export const page = (
	name: string,
	formTitle: string,
	formDescription: string,
	buttonLabel: string,
) =>
	node(
		name,
		'form',
		2.5,
		{
			operation: 'page',
			defineForm: 'json',
			jsonOutput: '={{ JSON.stringify($json.form) }}',
			options: { formTitle, formDescription, buttonLabel, customCss: CSS },
		},
		{ webhookId: true },
	);

export const ending = (
	name: string,
	completionTitle: string,
	completionMessage: string,
	more: Parameters = {},
) =>
	node(
		name,
		'form',
		2.5,
		{
			operation: 'completion',
			respondWith: 'text',
			completionTitle,
			completionMessage,
			options: { customCss: CSS },
			...more,
		},
		{ webhookId: true },
	);

/** The Payments node. What it can't create leaves through its second output. */
export const payments = (name: string, parameters: Parameters, options: Parameters) => ({
	...node(
		name,
		'',
		1,
		{ resource: 'transaction', operation: 'create', ...parameters, options },
		{
			onError: 'continueErrorOutput',
			credentials: { paymentsApi: { id: null, name: 'Payments account' } },
		},
	),
	type: 'n8n-nodes-payments.payments',
});

export const paymentsTrigger = (name: string, events: string[]) => ({
	...node(
		name,
		'',
		1.1,
		{
			authentication: 'webhookSignature',
			events,
			responseMode: 'lastNode',
			options: {},
		},
		{
			webhookId: true,
			credentials: { paymentsWebhookApi: { id: null, name: 'Payments Webhook account' } },
		},
	),
	type: 'n8n-nodes-payments.paymentsTrigger',
});

const settingOf = (name: string) =>
	`={{ $('Settings').all().find(({ json }) => json.setting === '${name}').json.value }}`;

/** An email to whom the settings name for alerts, or to somebody else. */
export const email = (
	name: string,
	subject: string,
	text: string,
	toEmail: string = settingOf('alert to'),
) =>
	node(
		name,
		'emailSend',
		2.1,
		{
			fromEmail: settingOf('alert from'),
			toEmail,
			subject,
			emailFormat: 'text',
			text,
			options: { appendAttribution: false },
		},
		{
			credentials: { smtp: { id: null, name: 'SMTP account' } },
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1000,
		},
	);

export { node };

const STEP = { x: 220, y: 220 };
/** So many nodes of a line stand beside each other, so that a workflow fits on a screen. */
const PER_ROW = 8;
/** An ID that stays the same when the workflow is made again. */
const idOf = (...parts: string[]) => {
	const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
	return [8, 4, 4, 4, 12]
		.map((length, index, all) => {
			const start = all.slice(0, index).reduce((sum, one) => sum + one, 0);
			return hex.slice(start, start + length);
		})
		.join('-');
};

/** `Node`, `Node#1` (its second input), or `ai_tool>Node`. */
function connectionsOf(outputs: Array<string | string[]>) {
	const type = /^(\w+)>/.exec(outputs.flat()[0] ?? '')?.[1] ?? 'main';
	const toTarget = (target: string) => {
		const [to, index = '0'] = target.replace(/^\w+>/, '').split('#');
		return { node: to, type, index: Number(index) };
	};
	return { [type]: outputs.map((next) => [next].flat().map(toTarget)) };
}

/** The workflow as n8n imports it. */
export function toWorkflow({ file, name, lines, connections, notes }: Job) {
	const tops: number[] = [];
	let top = 0;
	lines.forEach((_, index) => {
		const note = notes.find(({ line }) => line === index);
		top += note ? note.height + 40 : 0;
		tops.push(top);
		top += STEP.y * Math.ceil(lines[index].length / PER_ROW);
	});
	const placed = lines.flatMap((line, row) =>
		line.map(({ position, ...one }, column) => ({
			id: idOf(file, one.name),
			...one,
			...(one.webhookId !== undefined && { webhookId: idOf(file, one.name, 'webhook') }),
			position: position ?? [
				(column % PER_ROW) * STEP.x,
				tops[row] + Math.floor(column / PER_ROW) * STEP.y,
			],
		})),
	);
	const stickyNotes = notes.map(({ line, content, height, width }, index) => ({
		parameters: { content, height, width },
		id: idOf(file, 'note', String(index)),
		name: index === 0 ? 'Note' : `Note ${index + 1}`,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-60, tops[line] - height - 40],
	}));
	return {
		id: file,
		name,
		nodes: [...placed, ...stickyNotes],
		connections: Object.fromEntries(
			Object.entries(connections).map(([from, outputs]) => [from, connectionsOf(outputs)]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** Connections of nodes that follow each other. */
export const chain = (...names: string[]): Connections =>
	Object.fromEntries(names.slice(0, -1).map((name, index) => [name, [names[index + 1]]]));
