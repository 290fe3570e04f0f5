import type { Input } from './input';
import {
	validateTransaction,
	type ValidationIssue,
	type ValidationResult,
	type ValidationRules,
} from './validate';

export type CheckedItem = ValidationResult;

/**
 * Reads the transactions of a run. Two items that would be the same event are a problem of the later one: the service would take one of them for a
 * repetition of the other, and a payment would be missing.
 */
export function validateItems(inputs: Input[], rules: ValidationRules): CheckedItem[] {
	const firstWith = new Map<string, number>();
	return inputs.map((input, index) => {
		if (input.problem !== undefined)
			return { problems: [{ field: input.field, problem: input.problem }] };
		const read = validateTransaction(input.value, rules);
		if (!read.transaction) return read;
		const { eventId } = read.transaction;
		const twin = firstWith.get(eventId);
		if (twin === undefined) {
			firstWith.set(eventId, index);
			return read;
		}
		const problem: ValidationIssue = {
			field: 'eventId',
			problem: read.eventIdDerived
				? `The same transaction stands in item ${twin + 1}. If these are two payments, give each its own externalId; if it is one, remove the repetition.`
				: `Item ${twin + 1} has the same Event ID. Give each payment its own, or leave Event ID empty.`,
		};
		return { problems: [problem] };
	});
}
