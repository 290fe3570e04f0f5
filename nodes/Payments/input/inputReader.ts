import { isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';

import { failed, ok, type Result } from '../../shared/result';
import type { FieldProblem, Input, ProblemField } from '../Input';
import { FIELDS, parameterOf, type TransactionSource } from '../Transaction';
import { matchColumns } from './columns';
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
import { renderJsonTemplate, renderTemplate, type ExpressionText, type Template } from './template';

/** Reads what the item with this index has for a transaction. */
type ReadInput = (itemIndex: number) => Input;

/** Inserts the texts of its expressions into a template. */
type Render = (template: Template, expressionTexts: ExpressionText[]) => Result<string>;

/** Returns the function that reads the items, chosen once by the parameter Specify Transaction. */
export function inputReader(context: IExecuteFunctions, source: TransactionSource): ReadInput {
	if (source === 'item') {
		const items = context.getInputData();
		return (itemIndex) => ok(items[itemIndex].json);
	}
	if (source === 'json') return jsonReader(context);
	if (source === 'columns') return columnsReader(context);
	const rawByField = new Map(
		FIELDS.map((field) => [field, rawParameter(context, parameterOf(field))]),
	);
	return parametersReader(context, rawByField, renderTemplate);
}

/** Reads a parameter as it was typed. */
const rawParameter = (context: IExecuteFunctions, name: string): unknown =>
	context.getNodeParameter(name, 0, '', { rawExpressions: true });

/** Reads n8n's resource mapper: the value of each field, or that columns are matched by name. */
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
	const rawByField = new Map<ProblemField, unknown>([
		[field, rawParameter(context, 'transactionJson')],
	]);
	const readParameters = parametersReader(context, rawByField, renderJsonTemplate);
	return (itemIndex) => {
		const input = readParameters(itemIndex);
		const problem = input.problem ?? input.unread?.[0];
		if (problem) return { problem, columnByField: input.columnByField };
		const { [field]: json } = input.value as Record<typeof field, unknown>;
		if (typeof json !== 'string') return ok(json);
		try {
			return ok(JSON.parse(json) as unknown);
		} catch {
			const message = "The text isn't JSON";
			const fix = 'Give one object in braces, for example {{ $json }} or { "amount": "10.00", … }.';
			return { problem: { field, message, fix } };
		}
	};
}

/**
 * Reads parameters with as few evaluations as possible, because each costs time: none for typed
 * text and dragged fields, and one for all other expressions of an item together.
 *
 * @param rawByField what was typed for each field
 */
function parametersReader(
	context: IExecuteFunctions,
	rawByField: ReadonlyMap<ProblemField, unknown>,
	render: Render,
): ReadInput {
	const items = context.getInputData();
	const parameters = new Map<ProblemField, Parameter>();
	const columnByField = new Map<ProblemField, string>();
	for (const [field, raw] of rawByField) {
		const parameter = parseParameter(valueOfLocator(raw), isSafeObjectProperty);
		parameters.set(field, parameter);
		if (parameter.kind === 'dragged' && parameter.path.length > 0)
			columnByField.set(field, parameter.path.join('.'));
	}
	const evaluateTogether = composedEvaluation(parameters);
	const expressionFields = new Set(
		[...parameters].filter(([, { kind }]) => kind !== 'static').map(([field]) => field),
	);

	return (itemIndex) => {
		const evaluate: Evaluate = (expression) => evaluateOne(context, expression, itemIndex);
		const evaluatedByField = evaluateTogether(evaluate);
		const json: unknown = items[itemIndex].json;
		const values: Partial<Record<ProblemField, unknown>> = {};
		const unread: FieldProblem[] = [];
		for (const [field, parameter] of parameters) {
			const evaluated = evaluatedByField.get(field);
			const read = readValue(parameter, { json, evaluated, evaluate, render });
			if (read.problem) unread.push({ field, ...read.problem });
			else values[field] = read.value;
		}
		return { ...ok(values), unread, expressionFields, columnByField };
	};
}

/** The value of n8n's resource locator is an object that contains the value. */
const valueOfLocator = (raw: unknown) =>
	typeof raw === 'object' && raw !== null && 'mode' in raw && 'value' in raw ? raw.value : raw;

type Evaluate = (expression: string) => Result<unknown>;

/** Evaluates an expression in the engine, which may throw. */
function evaluateOne(
	context: IExecuteFunctions,
	expression: string,
	itemIndex: number,
): Result<unknown> {
	try {
		return ok(formatDates(context.evaluateExpression(expression, itemIndex)));
	} catch (error) {
		return failed(
			`The expression can't be evaluated: ${(error as Error).message}`,
			'Correct the expression. The editor shows its result below the field.',
		);
	}
}

/**
 * Composes the expressions of all fields into one.
 *
 * @returns a function that evaluates it and returns the values by field. The map is empty if the
 *   engine doesn't return all values, for example because one expression throws.
 */
function composedEvaluation(parameters: Map<string, Parameter>) {
	const codesByField = new Map<string, ComposedCode[]>();
	for (const [field, parameter] of parameters) {
		const codes = codesToEvaluate(parameter);
		if (codes.every(({ code }) => isComposable(code))) codesByField.set(field, codes);
	}
	const allCodes = [...codesByField.values()].flat();
	const expression = composeExpressions(allCodes);
	// One expression costs the same alone. One inside a text is composed to get its value without
	// the text around it.
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
	evaluated: unknown[] | undefined;
	evaluate: Evaluate;
	render: Render;
}

function readValue(parameter: Parameter, sources: Sources): Result<unknown> {
	const { json, evaluated, evaluate } = sources;
	switch (parameter.kind) {
		case 'static':
			return ok(parameter.value);
		case 'expressionInFixedField':
			return failed(
				'The text has an expression in braces, but the field is set to Fixed',
				'Switch the field to Expression.',
			);
		case 'dragged':
			return readPath(json, parameter.path) ?? evaluate(parameter.expression);
		case 'expression':
			return evaluated?.length === 1 ? ok(evaluated[0]) : evaluate(parameter.expression);
		case 'template':
			return readTemplate(parameter, sources);
	}
}

function readTemplate(parameter: TemplateParameter, sources: Sources): Result<unknown> {
	const { template, expression } = parameter;
	const { json, evaluated, evaluate, render } = sources;
	const texts = evaluated?.length
		? (evaluated as ExpressionText[])
		: textsFromItem(parameter, json);
	if (texts) return render(template, texts);

	// One by one, to name the expression without a value. The engine then builds the text.
	const evaluatedTexts: ExpressionText[] = [];
	for (const code of template.codes) {
		const { value, problem } = evaluate(`{{${code}}}`);
		if (problem) return { problem };
		evaluatedTexts.push(formatInText(value));
	}
	const rendered = render(template, evaluatedTexts);
	return rendered.problem ? rendered : evaluate(expression);
}

/**
 * Formats the dragged fields of a template. `undefined` if only the engine can format one of them.
 */
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
