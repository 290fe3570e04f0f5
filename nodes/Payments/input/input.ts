import { isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';

import { matchColumns } from './columns';
import { parameterOf } from '../editor/fields';
import {
	composeExpressions,
	formatDates,
	formatInText,
	isComposable,
	parseParameter,
	readPath,
	type ComposedCode,
	type Parameter,
	type TemplateParameter,
} from './expressions';
import type { Invalid, ParseResult } from '../validation/parse';
import { renderJsonTemplate, renderTemplate, type ExpressionText, type Template } from './template';
import { FIELDS } from '../Transaction';

/** The value of the parameter Specify Transaction. */
export type TransactionSource = 'fields' | 'columns' | 'item' | 'json';

/** What an item holds for a transaction, or why it can't be read. */
export type Input = {
	/** The fields whose value comes from an expression. */
	expressionFields?: ReadonlySet<string>;
	/** The column of the input that each field has its value from, where one is known. */
	columns?: ReadonlyMap<string, string>;
	/** All columns of the input item, if they are matched by their names. */
	available?: readonly string[];
} & ({ value: unknown; problem?: undefined } | ({ value?: undefined; field: string } & Invalid));

/** Reads the input of one item by its index. */
export type ReadInput = (itemIndex: number) => Input;

/** Puts together a text with expressions in it from the texts that these give. */
type Render = (template: Template, expressionTexts: ExpressionText[]) => ParseResult<string>;

/** Decides once for all items how the transaction of each is read: from the item, its columns, JSON, or fields. */
export function inputReader(context: IExecuteFunctions): ReadInput {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	if (source === 'item') {
		const items = context.getInputData();
		return (itemIndex) => ({ value: items[itemIndex].json });
	}
	if (source === 'json') return jsonReader(context);
	if (source === 'columns') return columnsReader(context);
	const rawByField = new Map<string, unknown>(
		FIELDS.map((field) => [field, rawParameter(context, parameterOf(field))]),
	);
	return parametersReader(context, rawByField, renderTemplate);
}

/** Reads a parameter as it was typed. */
const rawParameter = (context: IExecuteFunctions, name: string): unknown =>
	context.getNodeParameter(name, 0, '', { rawExpressions: true });

/** Reads what n8n's resource mapper says: which column each field has its value from, or that columns are matched by their names. */
function columnsReader(context: IExecuteFunctions): ReadInput {
	if (rawParameter(context, 'columns.mappingMode') === 'autoMapInputData') {
		const items = context.getInputData();
		return (itemIndex) => matchColumns(items[itemIndex].json);
	}
	const values = rawParameter(context, 'columns.value');
	const rawValues = new Map(Object.entries(values ?? {}));
	const rawByField = new Map(FIELDS.map((field) => [field, rawValues.get(field)]));
	return parametersReader(context, rawByField, renderTemplate);
}

function jsonReader(context: IExecuteFunctions): ReadInput {
	const field = 'transaction';
	const rawByField = new Map([[field, rawParameter(context, 'transactionJson')]]);
	const readParameters = parametersReader(context, rawByField, renderJsonTemplate);
	return (itemIndex) => {
		const input = readParameters(itemIndex);
		if (input.problem !== undefined) return input;
		const { [field]: json } = input.value as Record<string, unknown>;
		if (typeof json !== 'string') return { value: json };
		try {
			return { value: JSON.parse(json) as unknown };
		} catch {
			return {
				field,
				problem: 'The text is not JSON',
				fix: 'Give one object in braces, for example {{ $json }} or { "amount": "10.00", … }.',
			};
		}
	};
}

/**
 * Reads parameters with as few evaluations as possible, because each costs time: typed text none, a dragged field none, and all other
 * expressions of an item one together.
 *
 * @param rawByField what was typed for each field
 */
function parametersReader(
	context: IExecuteFunctions,
	rawByField: ReadonlyMap<string, unknown>,
	render: Render,
): ReadInput {
	const items = context.getInputData();
	const parameters = new Map<string, Parameter>();
	const columns = new Map<string, string>();
	for (const [field, raw] of rawByField) {
		const parameter = parseParameter(valueOfLocator(raw), isSafeObjectProperty);
		parameters.set(field, parameter);
		if (parameter.kind === 'dragged' && parameter.path.length > 0)
			columns.set(field, parameter.path.join('.'));
	}
	const evaluateTogether = composedEvaluation(parameters);
	const expressionFields = new Set(
		[...parameters].filter(([, { kind }]) => kind !== 'static').map(([field]) => field),
	);

	return (itemIndex) => {
		const evaluate: Evaluate = (expression) => evaluateOne(context, expression, itemIndex);
		const valuesByField = evaluateTogether(evaluate);
		const json: unknown = items[itemIndex].json;
		const transaction: Record<string, unknown> = {};
		for (const [field, parameter] of parameters) {
			const values = valuesByField.get(field);
			const { value, problem, fix } = readValue(parameter, { json, values, evaluate, render });
			if (problem !== undefined) return { field, problem, fix, columns };
			transaction[field] = value;
		}
		return { value: transaction, expressionFields, columns };
	};
}

/** A parameter with a list and other modes (n8n: resource locator) holds an object with the value in it. */
const valueOfLocator = (raw: unknown) =>
	typeof raw === 'object' && raw !== null && 'mode' in raw && 'value' in raw ? raw.value : raw;

type Evaluate = (expression: string) => ParseResult<unknown>;

/** Evaluates an expression in the engine, which may throw for what the user typed. */
function evaluateOne(
	context: IExecuteFunctions,
	expression: string,
	itemIndex: number,
): ParseResult<unknown> {
	try {
		return { value: formatDates(context.evaluateExpression(expression, itemIndex)) };
	} catch (error) {
		return {
			problem: `The expression can't be evaluated: ${(error as Error).message}`,
			fix: 'Correct the expression. The editor shows its result below the field.',
		};
	}
}

/**
 * Composes the expressions of all fields into one.
 *
 * @returns a function that evaluates it, and gives the values of each field's expressions: of none when the engine doesn't give all of
 * them, for example because one throws
 */
function composedEvaluation(parameters: Map<string, Parameter>) {
	const codesByField = new Map<string, ComposedCode[]>();
	for (const [field, parameter] of parameters) {
		const codes = codesToEvaluate(parameter);
		if (codes.every(({ code }) => isComposable(code))) codesByField.set(field, codes);
	}
	const allCodes = [...codesByField.values()].flat();
	const expression = composeExpressions(allCodes);
	// One expression costs the same alone. Inside a text it's composed all the same, so that its value is known apart from the text.
	const isNeeded = allCodes.length > 1 || allCodes.some(({ isInText }) => isInText);

	return (evaluate: Evaluate): Map<string, unknown[]> => {
		const valuesByField = new Map<string, unknown[]>();
		const values = isNeeded ? evaluate(expression).value : undefined;
		if (!Array.isArray(values) || values.length !== allCodes.length) return valuesByField;
		let start = 0;
		for (const [field, { length }] of codesByField) {
			valuesByField.set(field, values.slice(start, start + length));
			start += length;
		}
		return valuesByField;
	};
}

function codesToEvaluate(parameter: Parameter): ComposedCode[] {
	if (parameter.kind === 'expression') return [{ code: parameter.code, isInText: false }];
	if (parameter.kind !== 'template' || isDragged(parameter)) return [];
	return parameter.template.codes.map((code) => ({ code, isInText: true }));
}

const isDragged = ({ paths }: TemplateParameter) => paths.every((path) => path !== undefined);

interface Sources {
	json: unknown;
	/** Values of the parameter's expressions, if they were evaluated together with others. */
	values: unknown[] | undefined;
	evaluate: Evaluate;
	render: Render;
}

function readValue(parameter: Parameter, sources: Sources): ParseResult<unknown> {
	const { json, values, evaluate } = sources;
	switch (parameter.kind) {
		case 'static':
			return { value: parameter.value };
		case 'expressionInFixedField':
			return {
				problem: 'The text has an expression in braces, but the field is set to Fixed',
				fix: 'Switch the field to Expression.',
			};
		case 'dragged':
			return readPath(json, parameter.path) ?? evaluate(parameter.expression);
		case 'expression':
			return values?.length === 1 ? { value: values[0] } : evaluate(parameter.expression);
		case 'template':
			return readTemplate(parameter, sources);
	}
}

function readTemplate(parameter: TemplateParameter, sources: Sources): ParseResult<unknown> {
	const { template, expression } = parameter;
	const { json, values, evaluate, render } = sources;
	const texts = values?.length ? (values as ExpressionText[]) : textsFromItem(parameter, json);
	if (texts) return render(template, texts);

	// Each by itself, to name the one without a value. The text itself is the engine's.
	const evaluatedTexts: ExpressionText[] = [];
	for (const code of template.codes) {
		const { value, problem, fix } = evaluate(`{{${code}}}`);
		if (problem !== undefined) return { problem, fix };
		evaluatedTexts.push(formatInText(value));
	}
	const rendered = render(template, evaluatedTexts);
	return rendered.problem === undefined ? evaluate(expression) : rendered;
}

/** The texts of a template that has only dragged fields, or `undefined` where only the engine can format one of the values. */
function textsFromItem({ paths }: TemplateParameter, json: unknown): ExpressionText[] | undefined {
	const texts: ExpressionText[] = [];
	for (const path of paths) {
		const read = path && readPath(json, path);
		const isFormattedByEngine = typeof read?.value === 'object' && read.value !== null;
		if (!read || isFormattedByEngine) return undefined;
		texts.push(formatInText(read.value));
	}
	return texts;
}
