import type { Result } from '../../shared/result';
import { isBlank, isEmpty, ownMember } from '../../shared/values';
import { compareDecimals } from '../decimals';
import { canonical } from '../eventId';
import {
	FIELD_TABLE,
	FIELDS,
	valueOf,
	type Field,
	type FieldDefinition,
	type FieldValues,
	type ItemProblem,
	type RawTransaction,
	type Transaction,
} from '../Transaction';
import { AMOUNT_FORM, parseAmount } from './amount';
import { composeTransaction } from './compose';
import {
	COUNTRY_FORM,
	CURRENCY_FORM,
	parseCountry,
	parseCurrency,
	parseIdentifier,
	parseText,
} from './parse';
import { parseTimestamp, TIME_FORMS, type ValueSource } from './timestamp';

export interface ValidationRules {
	/** IANA name, for dates without an offset. */
	timeZone: string;
	/** Of amounts that are text. */
	decimalSeparator?: 'dot' | 'comma';
}

export type ValidationResult =
	| { transaction: Transaction; hasCustomEventId: boolean; problems?: undefined }
	| { transaction?: undefined; problems: ItemProblem[] };

type Parse = (value: unknown, field: Field) => Result<string | number>;

/** How to go on if a field is empty. */
const EMPTY_FIXES: Record<FieldDefinition['type'], string> = {
	amount: AMOUNT_FORM,
	baseAmount: AMOUNT_FORM,
	currency: CURRENCY_FORM,
	country: COUNTRY_FORM,
	identifier: 'Fill it in.',
	text: 'Fill it in.',
	time: TIME_FORMS,
};

/**
 * Validates one transaction, and lists everything to correct at once, in the order of the form.
 *
 * @param item not checked yet
 * @returns the transaction as it is sent, or its problems
 */
export function validateTransaction(
	item: Pick<RawTransaction, 'values' | 'unreadable' | 'columnByField' | 'expressionByField'>,
	{ decimalSeparator, timeZone }: ValidationRules,
): ValidationResult {
	const { values, unreadable } = item;
	const currency = parseCurrency(values.currency).value;
	const parsers: Record<FieldDefinition['type'], Parse> = {
		amount: (value) => parseAmount(value, { currency, decimalSeparator }),
		// In a currency that the interface doesn't name. Its decimals can't be counted, and a small
		// amount may round to zero in it.
		baseAmount: (value) => parseAmount(value, { allowZero: true, decimalSeparator }),
		currency: parseCurrency,
		country: parseCountry,
		identifier: parseIdentifier,
		text: parseText,
		time: (value, field) =>
			parseTimestamp(value, { timeZone, source: () => sourceOf(item, field, value) }),
	};
	const read: Partial<Record<Field, string | number>> = {};
	const problems: ItemProblem[] = [];
	for (const field of FIELDS) {
		const { type, isAdditional } = FIELD_TABLE[field];
		const known = unreadable.filter((one) => one.field === field);
		problems.push(...known);
		if (known.length > 0) continue;
		const given = ownMember(values, field);
		// Invisible characters alone are no empty ID, but a text that is invalid.
		if (type === 'identifier' ? isBlank(given) : isEmpty(given)) {
			const message = 'The field is empty';
			const fix = EMPTY_FIXES[type];
			if (!isAdditional) problems.push({ kind: 'emptyField', field, message, fix });
			continue;
		}
		const { value, problem } = parsers[type](given, field);
		if (problem) problems.push({ kind: 'wrongValue', field, ...problem });
		else read[field] = value;
	}
	if (problems.length > 0) return { problems };
	// Each field that must have a value has one, and each value the type of its parser.
	const transaction = composeTransaction(read as FieldValues);
	return { transaction, hasCustomEventId: read.eventId !== undefined };
}

/** Says how an expression gets the value of a field. */
function sourceOf(
	{ columnByField, expressionByField }: Partial<RawTransaction>,
	field: Field,
	value: unknown,
): ValueSource {
	const column = columnByField?.get(field);
	if (column !== undefined) return { code: `$json[${JSON.stringify(column)}]`, isColumn: true };
	return { code: expressionByField?.get(field) ?? JSON.stringify(value), isColumn: false };
}

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
	const results = items.map((item) => validateTransaction(item, rules));
	const byEventId = new Map<string, SameEventId>();
	const differencesFromFirst = results.map(({ transaction }, index): Field[] => {
		if (!transaction) return [];
		const eventId = canonical(transaction.eventId);
		const same = byEventId.get(eventId);
		if (!same) {
			byEventId.set(eventId, { first: index });
			return [];
		}
		const differences = differencesOf(transaction, results[same.first].transaction!);
		if (differences.length > 0) same.different ??= index;
		return differences;
	});

	return results.map((result, index): ValidationResult => {
		if (!result.transaction) return result;
		const { first, different } = byEventId.get(canonical(result.transaction.eventId))!;
		const differs = differencesFromFirst[index].length > 0;
		if (differs || different !== undefined) {
			const otherItem = differs ? first : different!;
			const fields = differencesFromFirst[differs ? index : different!];
			return { problems: [repeats(result.hasCustomEventId, fields, otherItem)] };
		}
		if (index !== first) return { problems: [repeats(result.hasCustomEventId, [], first)] };
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

/**
 * Reports an item whose Event ID another one has, too.
 *
 * @param fields that have other values
 * @param otherItem its index
 */
function repeats(hasCustomEventId: boolean, fields: Field[], otherItem: number): ItemProblem {
	const names = fields.map((field) => `'${FIELD_TABLE[field].displayName}'`).join(', ');
	const isDifferent = names && `, with another value of ${names},`;
	const oneOnly = 'If it is one transaction, keep only the right item.';
	return hasCustomEventId
		? {
				kind: 'repeated',
				field: 'eventId',
				message: `The same Event ID${isDifferent} is in`,
				otherItem,
				fix: `${OWN_EVENT_ID} ${oneOnly}`,
			}
		: {
				kind: 'repeated',
				field: 'externalId',
				message: `The same External ID between the same entities${isDifferent} is in`,
				otherItem,
				fix: `${OWN_EXTERNAL_ID} ${oneOnly}`,
			};
}
