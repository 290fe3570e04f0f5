import { missingColumn } from '../input/columns';
import type { Input } from '../input/input';
import { EMPTY } from './parse';
import { type Field } from '../Transaction';
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
			return { issues: [{ field: input.field, problem: input.problem, fix: input.fix }] };
		const result = validateTransaction(input.value, rules);
		if (!result.transaction) return { issues: explainEmptyFields(result.issues, input) };
		const { eventId } = result.transaction;
		const duplicateOf = indexByEventId.get(eventId);
		if (duplicateOf !== undefined)
			return { issues: [duplicateIssue(duplicateOf, result.isEventIdGenerated)] };
		indexByEventId.set(eventId, index);
		return result;
	});
}

/** Says why fields are empty, if it's known. The columns of the item are listed once. */
function explainEmptyFields(issues: ValidationIssue[], input: Input): ValidationIssue[] {
	const { columns, available } = input;
	if (!available) return issues.map((issue) => withExpression(issue, input));
	let listed: readonly string[] | undefined = available;
	return issues.map((issue) => {
		if (issue.problem !== EMPTY || columns?.has(issue.field)) return issue;
		const explained = { ...issue, ...missingColumn(issue.field as Field, listed) };
		listed = undefined;
		return explained;
	});
}

/** Says that it is the expression of an empty field that gave no value. */
function withExpression(issue: ValidationIssue, { expressionFields }: Input): ValidationIssue {
	const isFromExpression = issue.problem === EMPTY && expressionFields?.has(issue.field);
	if (!isFromExpression) return issue;
	const fix = `Check the name in the expression, and that the input item has a value there. ${issue.fix}`;
	return { ...issue, problem: 'The expression gave no value', fix };
}

/** Items are numbered from 0, as n8n numbers the item that it adds to a message. */
function duplicateIssue(duplicateOf: number, isGenerated: boolean): ValidationIssue {
	const [problem, fix] = isGenerated
		? [
				`The same transaction is in item ${duplicateOf}`,
				'If these are two payments, give each its own External ID. If it is one payment, remove one of the items.',
			]
		: [
				`The same Event ID is in item ${duplicateOf}`,
				"Give each payment its own Event ID, or leave 'Event ID' empty.",
			];
	return { field: 'eventId', problem, fix };
}
