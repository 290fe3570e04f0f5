import { compareDecimals } from '../decimals';
import {
	FIELD_TABLE,
	FIELDS,
	valueOf,
	type Field,
	type FieldProblem,
	type RawTransaction,
	type Transaction,
} from '../Transaction';
import { canonical } from './eventId';
import { validateTransaction, type ValidationResult, type ValidationRules } from './validate';

/** The items that have one Event ID, by their indexes. */
interface SameEventId {
	first: number;
	/** The next item that isn't the same as the first, if there is one. */
	different?: number;
}

/**
 * Validates the transactions of all input items. Of those with the same Event ID, the service would
 * record only one. If they are the same in all else, too, each but the first has a problem;
 * otherwise all of them do, because nobody knows which one is right.
 */
export function validateItems(items: RawTransaction[], rules: ValidationRules): ValidationResult[] {
	const results = items.map(({ values, unreadable }) =>
		validateTransaction(values, rules, unreadable),
	);
	const byEventId = new Map<string, SameEventId>();
	const differencesFromFirst = results.map(({ transaction }, index): Field[] => {
		if (!transaction) return [];
		const same = byEventId.get(transaction.eventId);
		if (!same) {
			byEventId.set(transaction.eventId, { first: index });
			return [];
		}
		const differences = differencesOf(transaction, results[same.first].transaction!);
		if (differences.length > 0) same.different ??= index;
		return differences;
	});

	return results.map((result, index): ValidationResult => {
		if (!result.transaction) return result;
		const { first, different } = byEventId.get(result.transaction.eventId)!;
		const differs = differencesFromFirst[index].length > 0;
		if (differs || different !== undefined) {
			const otherItem = differs ? first : different!;
			const fields = differencesFromFirst[differs ? index : different!];
			return { problems: [otherContent(result.hasCustomEventId, fields, otherItem)] };
		}
		if (index !== first) return { problems: [sameTransaction(result.hasCustomEventId, first)] };
		return result;
	});
}

/**
 * The fields in which two transactions aren't the same. 10.5 and 10.50 are the same amount, and
 * texts that differ only in Unicode's forms of their letters the same text. Base Amount isn't named
 * beside Amount, because it's the same where nobody has entered another one.
 */
function differencesOf(one: Transaction, other: Transaction): Field[] {
	const fields = FIELDS.filter((field) => {
		const [value, otherValue] = [valueOf(one, field), valueOf(other, field)];
		if (typeof value !== 'string' || typeof otherValue !== 'string') return value !== otherValue;
		return ['amount', 'baseAmount'].includes(FIELD_TABLE[field].type)
			? compareDecimals(value, otherValue) !== 0
			: canonical(value) !== canonical(otherValue);
	});
	return fields.includes('amount') ? fields.filter((field) => field !== 'baseAmount') : fields;
}

const OWN_EVENT_ID = "Give each transaction its own Event ID, or leave 'Event ID' empty.";
const OWN_EXTERNAL_ID =
	'If these are two transactions, give each its own External ID, such as with the month that it is for.';

/** @param otherItem its index */
const sameTransaction = (hasCustomEventId: boolean, otherItem: number): FieldProblem =>
	hasCustomEventId
		? { field: 'eventId', message: 'The same Event ID is in', otherItem, fix: OWN_EVENT_ID }
		: {
				field: 'externalId',
				message: 'The same transaction is in',
				otherItem,
				fix: `${OWN_EXTERNAL_ID} If it is one transaction, remove one of the items.`,
			};

/**
 * @param fields that have other values
 * @param otherItem its index
 */
function otherContent(hasCustomEventId: boolean, fields: Field[], otherItem: number): FieldProblem {
	const names = fields.map((field) => `'${FIELD_TABLE[field].displayName}'`).join(', ');
	const isOne = 'If it is one transaction, keep only the right item.';
	if (hasCustomEventId)
		return {
			field: 'eventId',
			message: `The same Event ID, with another value of ${names}, is in`,
			otherItem,
			fix: `${OWN_EVENT_ID} ${isOne}`,
		};
	return {
		field: 'externalId',
		message: `The same External ID between the same entities, with another value of ${names}, is in`,
		otherItem,
		fix: `${OWN_EXTERNAL_ID} ${isOne}`,
	};
}
