import type { Input } from './input';
import {
	validateTransaction,
	type ValidationIssue,
	type ValidationResult,
	type ValidationRules,
} from './validate';

export type CheckedItem = ValidationResult;

/**
 * Validates the transactions of all input items. Two items with the same Event ID are an issue of the later one: the service would
 * deduplicate them, and one of two payments would be missing.
 */
export function validateItems(inputs: Input[], rules: ValidationRules): CheckedItem[] {
	const indexByEventId = new Map<string, number>();
	return inputs.map((input, index) => {
		if (input.problem !== undefined)
			return { issues: [{ field: input.field, problem: input.problem }] };
		const result = validateTransaction(input.value, rules);
		if (!result.transaction) return result;
		const { eventId } = result.transaction;
		const duplicateOf = indexByEventId.get(eventId);
		if (duplicateOf !== undefined)
			return { issues: [duplicateIssue(duplicateOf, result.isEventIdGenerated)] };
		indexByEventId.set(eventId, index);
		return result;
	});
}

function duplicateIssue(duplicateOf: number, isGenerated: boolean): ValidationIssue {
	const item = `item ${duplicateOf + 1}`;
	const problem = isGenerated
		? `The same transaction is in ${item}. If these are two payments, give each its own externalId; if it is one, remove one of the items.`
		: `The same Event ID is in ${item}. Give each payment its own, or leave Event ID empty.`;
	return { field: 'eventId', problem };
}
