import type { FieldProblem, Input } from '../Input';
import { validateTransaction, type ValidationResult, type ValidationRules } from './validate';

/**
 * Validates the transactions of all input items. If two have the same Event ID, the later one has a
 * problem: the service would deduplicate them, and one of two payments would be missing.
 */
export function validateItems(inputs: Input[], rules: ValidationRules): ValidationResult[] {
	const indexByEventId = new Map<string, number>();
	return inputs.map(({ values, unread }, index) => {
		const result = validateTransaction(values, rules, unread);
		if (!result.transaction) return result;
		const { eventId } = result.transaction;
		const duplicateOf = indexByEventId.get(eventId);
		if (duplicateOf !== undefined)
			return { problems: [duplicateEventId(duplicateOf, result.isEventIdGenerated)] };
		indexByEventId.set(eventId, index);
		return result;
	});
}

/** Items are numbered from 0, as n8n numbers the item that it adds to a message. */
const duplicateEventId = (duplicateOf: number, isGenerated: boolean): FieldProblem =>
	isGenerated
		? {
				field: 'externalId',
				message: `The same transaction is in item ${duplicateOf}`,
				fix: 'If these are two payments, give each its own External ID. If it is one payment, remove one of the items.',
			}
		: {
				field: 'eventId',
				message: `The same Event ID is in item ${duplicateOf}`,
				fix: "Give each payment its own Event ID, or leave 'Event ID' empty.",
			};
