import type { IExecuteFunctions } from 'n8n-workflow';

import { failed, ok, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { parameterReader } from './expressions';

/**
 * Reads options, which hold for all items. An expression that gives items different values is a
 * problem: the value of the first item would apply to the others.
 */
export function readForAllItems(
	context: IExecuteFunctions,
	rawByName: Record<string, unknown>,
	displayNameOf: (name: string) => string,
): Result<Record<string, unknown>> {
	const { read, expressionNames } = parameterReader(context, new Map(Object.entries(rawByName)));
	const first = read(0);
	const values: Record<string, unknown> = {};
	for (const [name, { value, problem }] of first) {
		if (problem)
			return failed(`The option '${displayNameOf(name)}': ${problem.message}`, sent(problem.fix));
		values[name] = value;
	}
	if (expressionNames.size === 0) return ok(values);
	for (let itemIndex = 1; itemIndex < context.getInputData().length; itemIndex++) {
		const ofItem = read(itemIndex);
		for (const name of expressionNames) {
			const { value } = ofItem.get(name)!;
			if (JSON.stringify(value) === JSON.stringify(values[name])) continue;
			return failed(
				`The option '${displayNameOf(name)}' is ${quote(values[name])} for item 0, and ${quote(value)} for item ${itemIndex}`,
				sent(
					'It holds for all items, so give it the same value for each, or send the items apart.',
				),
			);
		}
	}
	return ok(values);
}

const sent = (fix: string) => `${fix} Nothing was sent.`;
