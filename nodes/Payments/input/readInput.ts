import type { IExecuteFunctions } from 'n8n-workflow';

import type { FieldProblem, Input } from '../Input';
import { FIELDS, parameterOf, type Field, type TransactionSource } from '../Transaction';
import { matchColumns } from './columns';
import { parameterReader } from './expressions';

/** Reads what each item has for a transaction, as the parameter Specify Transaction says. */
export function readInputs(context: IExecuteFunctions): Input[] {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	const items = context.getInputData();
	if (source === 'item') return items.map(({ json }) => matchColumns(json));
	const readFields = fieldsReader(context);
	return items.map(({ json }, itemIndex) => readFields(json, itemIndex));
}

function fieldsReader(context: IExecuteFunctions): (json: object, itemIndex: number) => Input {
	const rawByField = new Map(
		FIELDS.map((field): [Field, unknown] => [
			field,
			context.getNodeParameter(parameterOf(field), 0, '', { rawExpressions: true }),
		]),
	);
	const { read, expressionNames } = parameterReader(context, rawByField);
	return (json, itemIndex) => {
		const values: Partial<Record<Field, unknown>> = {};
		const unread: FieldProblem[] = [];
		for (const [field, { value, problem }] of read(itemIndex)) {
			if (problem) unread.push({ field, ...problem });
			else values[field] = value;
		}
		return { values, unread, columns: Object.keys(json), expressionFields: expressionNames };
	};
}
