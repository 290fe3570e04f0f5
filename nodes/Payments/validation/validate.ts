import type { Result } from '../../shared/result';
import { isBlank, isEmpty, ownMember } from '../../shared/values';
import { compareDecimals } from '../decimals';
import { canonical } from '../eventId';
import { groupBy } from '../lists';
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
import { describeEmptyField, findEmptyItem } from './emptyField';
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

type ValidationResult =
	| { transaction: Transaction; hasCustomEventId: boolean; problems?: undefined }
	| { transaction?: undefined; problems: ItemProblem[] };

type Parse = (value: unknown, field: Field) => Result<string | number>;

/** How to fill in a field. */
const FORMS: Record<FieldDefinition['type'], string> = {
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
	item: RawTransaction,
	{ decimalSeparator, timeZone }: ValidationRules,
): ValidationResult {
	const { values, unreadable } = item;
	const currency = parseCurrency(values.currency).value;
	const parsers: Record<FieldDefinition['type'], Parse> = {
		amount: (value) => parseAmount(value, { currency, decimalSeparator }),
		// In a currency that the interface doesn't name, unless it's the amount again. Its decimals
		// can't be counted, and a small amount may round to zero in it.
		baseAmount: (value) =>
			parseAmount(
				value,
				value === values.amount
					? { currency, decimalSeparator }
					: { allowZero: true, decimalSeparator },
			),
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
			if (isAdditional) continue;
			const problem = describeEmptyField(field, item, FORMS[type]);
			problems.push({ field, ...problem });
			continue;
		}
		const { value, problem } = parsers[type](given, field);
		if (problem) problems.push({ field, ...problem });
		else read[field] = value;
	}
	if (problems.length > 0) {
		const emptyItem = findEmptyItem(problems, item);
		return { problems: emptyItem ? [emptyItem] : problems };
	}
	// Each field that must have a value has one, and each value the type of its parser.
	const transaction = composeTransaction(read as FieldValues);
	return { transaction, hasCustomEventId: read.eventId !== undefined };
}

/** Says how an expression gets the value of a field. */
function sourceOf(
	{ columnByField, expressionByField }: RawTransaction,
	field: Field,
	value: unknown,
): ValueSource {
	const column = columnByField?.get(field);
	if (column !== undefined) return { code: `$json[${JSON.stringify(column)}]`, isColumn: true };
	return { code: expressionByField?.get(field) ?? JSON.stringify(value), isColumn: false };
}

/**
 * Validates the transactions of all input items. Of those with the same Event ID, the service would
 * record only one. If they are the same in all else, too, each but the first has a problem;
 * otherwise all of them do, because nobody knows which one is right.
 */
export function validateItems(items: RawTransaction[], rules: ValidationRules): ValidationResult[] {
	const results = items.map((item) => validateTransaction(item, rules));
	const valid = results.flatMap((result, index) =>
		result.transaction ? [{ ...result, index }] : [],
	);
	const byEventId = groupBy(valid, ({ transaction }) => canonical(transaction.eventId));
	for (const same of byEventId.filter(({ length }) => length > 1)) {
		const [first] = same;
		const compared = same.map((one) => ({
			...one,
			differences: differencesOf(one.transaction, first.transaction),
		}));
		const different = compared.find(({ differences }) => differences.length > 0);
		for (const { index, hasCustomEventId, differences } of compared) {
			const isLikeFirst = differences.length === 0;
			const other = isLikeFirst && different ? different : { index: first.index, differences };
			if (other.index === index) continue;
			const problem = repeats(hasCustomEventId, other.differences, other.index);
			results[index] = { problems: [problem] };
		}
	}
	return results;
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
	if (hasCustomEventId)
		return {
			field: 'eventId',
			message: `The same Event ID${isDifferent} is in`,
			otherItem,
			fix: `Give each transaction its own Event ID, or leave 'Event ID' empty. ${oneOnly}`,
		};
	return {
		field: 'externalId',
		message: `The same External ID between the same entities${isDifferent} is in`,
		otherItem,
		fix: `If these are two transactions, give each its own External ID, such as with the month that it is for. ${oneOnly}`,
	};
}
