import type { Result } from '../../shared/result';
import { isBlank, isEmpty, ownMember } from '../../shared/values';
import { checkCredentialLimits } from '../limits/checkLimits';
import type { CredentialLimits } from '../limits/parseLimits';
import {
	FIELD_TABLE,
	FIELDS,
	type Field,
	type FieldDefinition,
	type FieldProblem,
	type FieldValues,
	type Party,
	type RawTransaction,
	type Transaction,
} from '../Transaction';
import { parseAmount } from './amount';
import { generateEventId } from './eventId';
import { parseIdentifier } from './identifier';
import { EMPTY, parseCountry, parseCurrency, parseText } from './parse';
import { parseTimestamp } from './timestamp';

export interface ValidationRules {
	/** IANA name, for dates without an offset. */
	timeZone: string;
	/** Of amounts that are text. */
	decimalSeparator?: 'dot' | 'comma';
	/** The limits of the credential. */
	limits?: CredentialLimits;
}

export type ValidationResult =
	| { transaction: Transaction; hasCustomEventId: boolean; problems?: undefined }
	| { transaction?: undefined; problems: FieldProblem[] };

type Parse = (value: unknown) => Result<string | number>;

/**
 * Validates one transaction, and lists everything to correct at once, in the order of the form.
 *
 * @param values not checked yet
 * @param unreadable problems of fields that couldn't be read
 * @returns the transaction as it is sent, or its problems
 */
export function validateTransaction(
	values: RawTransaction['values'],
	rules: ValidationRules,
	unreadable: readonly FieldProblem[] = [],
): ValidationResult {
	const { decimalSeparator, timeZone, limits } = rules;
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
		time: (value) => parseTimestamp(value, timeZone),
	};
	const read: Partial<Record<Field, string | number>> = {};
	const problems: FieldProblem[] = [];
	for (const field of FIELDS) {
		const { type, isAdditional } = FIELD_TABLE[field];
		const known = unreadable.filter((one) => one.field === field);
		problems.push(...known);
		const given = ownMember(values, field);
		// Invisible characters alone are no empty ID, but a text that is invalid.
		const isNone = type === 'identifier' ? isBlank(given) : isEmpty(given);
		if (known.length > 0 || (isAdditional && isNone)) continue;
		const { value, problem } = parsers[type](given);
		if (problem) problems.push({ field, ...problem, isEmpty: problem.message === EMPTY });
		else read[field] = value;
	}
	if (problems.length > 0) return { problems };
	const complete = read as FieldValues;
	const content = composeContent(complete);
	const exceeded = limits && checkCredentialLimits(content, limits);
	if (exceeded) return { problems: [exceeded] };
	const { eventId } = complete;
	return {
		transaction: { eventId: eventId ?? generateEventId(content), ...content },
		hasCustomEventId: eventId !== undefined,
	};
}

function composeContent(read: FieldValues): Omit<Transaction, 'eventId'> {
	const { externalId, externalStatus, reference, amount, currency, paymentScheme } = read;
	const partyOf = (name: 'sender' | 'recipient'): Party => ({
		externalEntityId: read[`${name}.externalEntityId`],
		externalPaymentChannelId: read[`${name}.externalPaymentChannelId`],
		countryCode: read[`${name}.countryCode`],
	});
	return {
		externalId,
		externalStatus: externalStatus ?? null,
		reference,
		amount,
		currency,
		baseAmount: read.baseAmount ?? amount,
		paymentScheme,
		sender: partyOf('sender'),
		recipient: partyOf('recipient'),
		externalCreatedAt: read.externalCreatedAt,
		receivedAt: read.receivedAt ?? read.externalCreatedAt,
	};
}
