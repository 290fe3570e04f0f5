import type { IExecuteFunctions } from 'n8n-workflow';

import { checkCollection } from '../../shared/collection';
import { failed, ok, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { parameterReader } from '../input/expressions';
import { COLLECTION, displayNameOf, parseOptions, type Options } from './parseOptions';

/** Reads the collection Options. */
export function readOptions(context: IExecuteFunctions): Result<Options> {
	const raw = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const asTyped = checkCollection(raw, COLLECTION);
	if (asTyped.problem) return asTyped;
	const evaluated = evaluateForAllItems(context, asTyped.value);
	if (evaluated.problem) {
		const { message, fix } = evaluated.problem;
		return failed(message, `${fix} Nothing was sent.`);
	}
	return parseOptions(evaluated.value);
}

/**
 * Options hold for all items. An expression that gives items different values is a problem: the
 * value of the first item would apply to the others.
 */
function evaluateForAllItems(
	context: IExecuteFunctions,
	rawByName: Record<string, unknown>,
): Result<Record<string, unknown>> {
	const { read, expressionNames } = parameterReader(context, new Map(Object.entries(rawByName)));
	const values: Record<string, unknown> = {};
	const count = expressionNames.size === 0 ? 1 : context.getInputData().length;
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		for (const [name, { value, problem }] of read(itemIndex)) {
			const option = `The option '${displayNameOf(name)}'`;
			if (problem) {
				const forItem = expressionNames.has(name) ? ` for item ${itemIndex + 1}` : '';
				return failed(`${option}${forItem}: ${problem.message}`, problem.fix);
			}
			if (itemIndex === 0) values[name] = value;
			else if (JSON.stringify(value) !== JSON.stringify(values[name])) {
				return failed(
					`${option} is ${quote(values[name])} for the first item, and ${quote(value)} for item ${itemIndex + 1}`,
					'It holds for all items, so give it the same value for each, or send the items apart.',
				);
			}
		}
	}
	return ok(values);
}
