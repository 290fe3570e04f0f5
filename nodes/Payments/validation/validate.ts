import { ok, type Result } from '../../shared/result';
import { isBlank, isEmpty, ownMember } from '../../shared/values';
import type { CredentialLimits } from '../limits/credentialLimits';
import {
	FIELDS,
	type Field,
	type FieldProblem,
	type Party,
	type RawTransaction,
	type Transaction,
} from '../Transaction';
import { parseAmount } from './amount';
import { generateEventId } from './eventId';
import { checkCredentialLimits } from './limits';
import { parseIdentifier } from './identifier';
import { EMPTY, parseCountry, parseCurrency, parseText } from './parse';
import { parseTimestamp } from './timestamp';

/** Users correct the form from top to bottom. */
const byForm = (one: FieldProblem, other: FieldProblem) =>
	FIELDS.indexOf(one.field) - FIELDS.indexOf(other.field);

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

type Parse<T> = (value: unknown) => Result<T>;

/** Parses a field that may be empty. */
const optional =
	<T>(parse: Parse<T>, whenEmpty: T): Parse<T> =>
	(value) =>
		isEmpty(value) ? ok(whenEmpty) : parse(value);

/** Invisible characters alone are no empty ID, but a text that is invalid. */
const optionalIdentifier: Parse<string | null> = (value) =>
	isBlank(value) ? ok(null) : parseIdentifier(value);

/**
 * Validates one transaction, and lists everything to correct at once.
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
	const problems = [...unreadable];

	function parseField<T>(field: Field, parse: Parse<T>): T {
		const given = ownMember(values, field);
		const { value, problem } = parse(given);
		const isReported = problems.some((one) => one.field === field);
		if (problem && !isReported)
			problems.push({ field, ...problem, isEmpty: problem.message === EMPTY });
		// If the value is missing, there is a problem, and no transaction is returned.
		return value as T;
	}
	const parseParty = (name: 'sender' | 'recipient'): Party => ({
		externalEntityId: parseField(`${name}.externalEntityId`, parseIdentifier),
		externalPaymentChannelId: parseField(`${name}.externalPaymentChannelId`, parseIdentifier),
		countryCode: parseField(`${name}.countryCode`, parseCountry),
	});

	const { decimalSeparator } = rules;
	const currency = parseCurrency(values.currency).value;
	const parseMainAmount: Parse<string> = (value) =>
		parseAmount(value, { currency, decimalSeparator });
	// In a currency that the interface doesn't name. Its decimals can't be counted, and a small
	// amount may round to zero in it.
	const parseBaseAmount: Parse<string> = (value) =>
		parseAmount(value, { allowZero: true, decimalSeparator });
	const parseTime: Parse<number> = (value) => parseTimestamp(value, rules.timeZone);

	const customEventId = parseField('eventId', optionalIdentifier);
	const externalId = parseField('externalId', parseIdentifier);
	const externalStatus = parseField('externalStatus', optionalIdentifier);
	const reference = parseField('reference', parseText);
	const amount = parseField('amount', parseMainAmount);
	const externalCreatedAt = parseField('externalCreatedAt', parseTime);
	const payment = {
		externalId,
		externalStatus,
		reference,
		amount,
		currency: parseField('currency', parseCurrency),
		baseAmount: parseField('baseAmount', optional(parseBaseAmount, amount)),
		paymentScheme: parseField('paymentScheme', parseText),
		sender: parseParty('sender'),
		recipient: parseParty('recipient'),
		externalCreatedAt,
		receivedAt: parseField('receivedAt', optional(parseTime, externalCreatedAt)),
	};
	if (problems.length > 0) return { problems: problems.sort(byForm) };
	const exceeded = rules.limits && checkCredentialLimits(payment, rules.limits);
	if (exceeded) return { problems: [exceeded] };
	return {
		transaction: { eventId: customEventId ?? generateEventId(payment), ...payment },
		hasCustomEventId: customEventId !== null,
	};
}
