import { isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';

import {
	composeExpressions,
	formatDates,
	parseParameter,
	readPath,
	type Parameter,
} from './expressions';
import { parameterOf } from './description';
import { FIELDS, type Field } from './validate';

/** What an item holds for a transaction, or why that cannot be read. */
export type Input =
	| { value: unknown; problem?: undefined }
	| { value?: undefined; problem: string; field: string };

/** Reads the input of one item by its index. */
export type ReadInput = (itemIndex: number) => Input;

/** How the transaction of each item is found, decided once for all items of a run. */
export function inputReader(context: IExecuteFunctions): ReadInput {
	const mode = context.getNodeParameter('specifyTransaction', 0) as 'fields' | 'item' | 'json';
	if (mode === 'item') {
		const items = context.getInputData();
		return (index) => ({ value: items[index].json });
	}
	return mode === 'json' ? jsonReader(context) : fieldsReader(context);
}

const parameterNamed = (context: IExecuteFunctions, name: string) =>
	parseParameter(
		context.getNodeParameter(name, 0, '', { rawExpressions: true }),
		isSafeObjectProperty,
	);

/** Asks the engine, which may throw for what the user typed. */
function evaluate(
	context: IExecuteFunctions,
	expression: string,
	itemIndex: number,
	field: string,
): Input {
	try {
		return { value: formatDates(context.evaluateExpression(expression, itemIndex)) };
	} catch (error) {
		return { field, problem: `The expression cannot be worked out: ${(error as Error).message}` };
	}
}

function jsonReader(context: IExecuteFunctions): ReadInput {
	const parameter = parameterNamed(context, 'transactionJson');
	const items = context.getInputData();
	return (index) => {
		const input = valueOf(parameter, context, items[index].json, index, 'transaction');
		if (typeof input.value !== 'string') return input;
		try {
			return { value: JSON.parse(input.value) as unknown };
		} catch {
			return {
				field: 'transaction',
				problem:
					'It is not JSON. Give one object in braces, for example {{ $json }} or { "amount": "10.00", … }.',
			};
		}
	};
}

function valueOf(
	parameter: Parameter,
	context: IExecuteFunctions,
	json: unknown,
	index: number,
	field: string,
): Input {
	if (parameter.kind === 'static') return { value: parameter.value };
	const read = parameter.kind === 'dragged' ? readPath(json, parameter.path) : undefined;
	return read ?? evaluate(context, parameter.expression, index, field);
}

/**
 * Fields cost what they need: typed text nothing, a dragged field a look into the item, and all other expressions of an item
 * one evaluation together, because each has a cost of its own.
 */
function fieldsReader(context: IExecuteFunctions): ReadInput {
	const items = context.getInputData();
	const parameters = FIELDS.map(
		(field) => [field, parameterNamed(context, parameterOf(field))] as const,
	);
	const together = parameters.flatMap(([field, parameter]) =>
		parameter.kind === 'expression' ? [{ field, code: parameter.code }] : [],
	);
	const all = composeExpressions(together.map(({ code }) => code));

	return (index) => {
		const values = together.length > 1 ? evaluate(context, all, index, '').value : undefined;
		// When one of them has no value, the engine gives none for all; each is then asked for by itself.
		const known = new Map<Field, unknown>(
			Array.isArray(values) && values.length === together.length
				? together.map(({ field }, place) => [field, values[place] as unknown])
				: [],
		);
		const transaction: Record<string, unknown> = {};
		for (const [field, parameter] of parameters) {
			const input = known.has(field)
				? { value: known.get(field) }
				: valueOf(parameter, context, items[index].json, index, field);
			if (input.problem !== undefined) return input;
			transaction[field] = input.value;
		}
		return { value: transaction };
	};
}
