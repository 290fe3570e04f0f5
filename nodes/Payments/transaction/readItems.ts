import type { Input } from './input';
import { readTransaction, type Problem, type ReadTransaction, type Rules } from './Transaction';

export type CheckedItem = ReadTransaction;

/**
 * Reads the transactions of a run. Two items that would be the same event are a problem of the later one: the service would take one of them for a
 * repetition of the other, and a payment would be missing.
 */
export function readItems(inputs: Input[], rules: Rules): CheckedItem[] {
	const firstWith = new Map<string, number>();
	return inputs.map((input, index) => {
		if (input.problem !== undefined)
			return { problems: [{ field: input.field, problem: input.problem }] };
		const read = readTransaction(input.value, rules);
		if (!read.transaction) return read;
		const { eventId } = read.transaction;
		const twin = firstWith.get(eventId);
		if (twin === undefined) {
			firstWith.set(eventId, index);
			return read;
		}
		const problem: Problem = {
			field: 'eventId',
			problem: read.eventIdDerived
				? `The same transaction stands in item ${twin + 1}. If these are two payments, give each its own externalId; if it is one, remove the repetition.`
				: `Item ${twin + 1} has the same Event ID. Give each payment its own, or leave Event ID empty.`,
		};
		return { problems: [problem] };
	});
}
