import type { CredentialLimits } from '../../shared/limits/credentialLimits';
import { ok, type Result } from '../../shared/result';
import { isEmpty, isObject, ownMember, quote } from '../../shared/values';
import type { FieldProblem, ProblemField } from '../Input';
import { FIELDS, type Field, type Party, type Transaction } from '../Transaction';
import { checkCredentialLimits } from './checkCredentialLimits';
import { generateEventId } from './eventId';
import { parseAmount, parseCountry, parseCurrency, parseText } from './parse';
import { parseTimestamp } from './timestamp';

export interface ValidationRules {
	/** For timestamps that are empty, in ms since the epoch. */
	now: number;
	/** IANA name, for dates without an offset. */
	timeZone: string;
	/** Accept more decimals than the currency has. */
	skipDecimalsCheck?: boolean;
	/** Accept an amount of zero. */
	allowZeroAmounts?: boolean;
	/** Of amounts that are text. */
	decimalSeparator?: 'dot' | 'comma';
	/** The limits of the credential. */
	limits?: CredentialLimits;
}

export type ValidationResult =
	| { transaction: Transaction; isEventIdGenerated: boolean; problems?: undefined }
	| { transaction?: undefined; problems: FieldProblem[] };

const FIELD_BY_LOWER_CASE = new Map<string, ProblemField>();
for (const name of ['sender', 'recipient', ...FIELDS] as const)
	FIELD_BY_LOWER_CASE.set(name.toLowerCase(), name);

type Parse<T> = (value: unknown) => Result<T>;

/** Parses a field that may be empty. */
const optional =
	<T>(parse: Parse<T>, whenEmpty: T): Parse<T> =>
	(value) =>
		isEmpty(value) ? ok(whenEmpty) : parse(value);

/**
 * Validates one transaction, and lists everything to correct at once.
 *
 * @param input values by their names in the service interface, those of parties nested or dotted
 *   (`sender.countryCode`). Other members are left out.
 * @param known problems of fields that couldn't be read
 * @returns the transaction as it is sent, or its problems
 */
export function validateTransaction(
	input: unknown,
	rules: ValidationRules,
	known: readonly FieldProblem[] = [],
): ValidationResult {
	if (!isObject(input)) {
		const message = `${quote(input)} isn't a transaction`;
		const fix = 'Give one object with the fields of a transaction.';
		return { problems: [{ field: 'transaction', message, fix }] };
	}
	const problems = [...known, ...findMiscasedFields(input)];

	function parseField<T>(field: Field, parse: Parse<T>): T {
		const given = lookUp(input as Record<string, unknown>, field);
		const { value, problem } = parse(given);
		const isReported = problems.some((one) => one.field === field);
		if (problem && !isReported) problems.push({ field, ...problem, isEmpty: isEmpty(given) });
		// If the value is missing, there is a problem, and no transaction is returned.
		return value as T;
	}
	const parseParty = (name: 'sender' | 'recipient'): Party => ({
		externalEntityId: parseField(`${name}.externalEntityId`, parseText),
		externalPaymentChannelId: parseField(`${name}.externalPaymentChannelId`, parseText),
		countryCode: parseField(`${name}.countryCode`, parseCountry),
	});

	const currency = parseCurrency(lookUp(input, 'currency')).value;
	const parseMainAmount: Parse<string> = (value) =>
		parseAmount(value, {
			currency: rules.skipDecimalsCheck ? undefined : currency,
			allowZero: rules.allowZeroAmounts,
			decimalSeparator: rules.decimalSeparator,
		});
	// In a currency that the interface doesn't name. Its decimals can't be counted, and a small
	// amount may round to zero in it.
	const parseBaseAmount: Parse<string> = (value) =>
		parseAmount(value, { allowZero: true, decimalSeparator: rules.decimalSeparator });
	const parseTime = optional((value) => parseTimestamp(value, rules.timeZone), rules.now);

	// In this order, their problems are listed.
	const customEventId = parseField('eventId', optional<string | undefined>(parseText, undefined));
	const externalId = parseField('externalId', parseText);
	const externalStatus = parseField('externalStatus', optional<string | null>(parseText, null));
	const reference = parseField('reference', parseText);
	const amount = parseField('amount', parseMainAmount);
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
		externalCreatedAt: parseField('externalCreatedAt', parseTime),
		receivedAt: parseField('receivedAt', parseTime),
	};
	if (problems.length > 0) return { problems };
	const exceeded = rules.limits && checkCredentialLimits(payment, rules.limits);
	if (exceeded) return { problems: [exceeded] };
	return {
		transaction: { eventId: customEventId ?? generateEventId(payment), ...payment },
		isEventIdGenerated: customEventId === undefined,
	};
}

function lookUp(input: Record<string, unknown>, field: Field): unknown {
	const [outer, inner] = field.split('.');
	if (inner === undefined) return ownMember(input, outer);
	const party = ownMember(input, outer);
	const nested = isObject(party) ? ownMember(party, inner) : undefined;
	return nested ?? ownMember(input, field);
}

/**
 * Finds names that differ from a field only in case. They would be left out: with "eventID", the
 * Event ID would be generated although the input has one.
 */
function findMiscasedFields(input: Record<string, unknown>): FieldProblem[] {
	const names = Object.entries(input).flatMap(([key, value]) =>
		isObject(value) ? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)] : [key],
	);
	return names.flatMap((name) => {
		const field = FIELD_BY_LOWER_CASE.get(name.toLowerCase());
		if (field === undefined || names.includes(field)) return [];
		return [{ field, message: `The name is written "${name}"`, fix: `Write it "${field}".` }];
	});
}
