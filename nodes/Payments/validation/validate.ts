import { FIELDS, type Field, type Party, type Transaction } from '../Transaction';
import { isObject, quote } from '../../shared/values';
import type { TransactionLimits } from '../../shared/limits/transactionLimits';
import { findLimitIssue } from './credentialLimits';
import { generateEventId } from './eventId';
import {
	isEmpty,
	parseAmount,
	parseCountry,
	parseCurrency,
	parseText,
	type DecimalSeparator,
	type Invalid,
	type ParseResult,
} from './parse';
import { parseTimestamp } from './timestamp';

/** What has to be corrected in one field, and how. `field` is the name in the service interface, dotted inside a party. */
export interface ValidationIssue extends Invalid {
	field: string;
}

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
	decimalSeparator?: DecimalSeparator;
	/** The limits of the credential. */
	limits?: TransactionLimits;
}

export type ValidationResult =
	| { transaction: Transaction; isEventIdGenerated: boolean; issues?: undefined }
	| { transaction?: undefined; issues: ValidationIssue[] };

const FIELD_BY_LOWER_CASE = new Map<string, string>();
for (const name of ['sender', 'recipient', ...FIELDS])
	FIELD_BY_LOWER_CASE.set(name.toLowerCase(), name);

type Parse<T> = (value: unknown) => ParseResult<T>;

/** Parses a field that may be empty. */
const optional =
	<T>(parse: Parse<T>, whenEmpty: T): Parse<T> =>
	(value) =>
		isEmpty(value) ? { value: whenEmpty } : parse(value);

/**
 * Validates one transaction, and lists everything that has to be corrected at once. Never throws.
 *
 * @param input members by their names in the service interface, parties nested or dotted (`sender.countryCode`); other members are left out
 * @returns the transaction in the form that is sent, or the list of issues
 */
export function validateTransaction(input: unknown, rules: ValidationRules): ValidationResult {
	if (!isObject(input)) {
		const problem = `${quote(input)} is not a transaction`;
		const fix = 'Give one object with the fields of a transaction.';
		return { issues: [{ field: 'transaction', problem, fix }] };
	}
	const issues = findMiscasedFields(input);

	function parseField<T>(field: Field, parse: Parse<T>): T {
		const { value, problem, fix } = parse(lookUp(input as Record<string, unknown>, field));
		const isReported = issues.some((known) => known.field === field);
		if (problem !== undefined && !isReported) issues.push({ field, problem, fix });
		// A value that is missing here is in the list of issues, and then the transaction isn't returned.
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
	// It's in a currency that the interface doesn't name, so its decimals can't be counted; a small amount may round to zero in it.
	const parseBaseAmount: Parse<string> = (value) =>
		parseAmount(value, { allowZero: true, decimalSeparator: rules.decimalSeparator });
	const parseTime = optional((value) => parseTimestamp(value, rules.timeZone), rules.now);

	// In the order of the fields, which is the order of the issues.
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
	if (issues.length > 0) return { issues };
	const limitIssue = rules.limits && findLimitIssue(payment, rules.limits);
	if (limitIssue) return { issues: [limitIssue] };
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

const ownMember = (object: Record<string, unknown>, key: string) =>
	Object.hasOwn(object, key) ? object[key] : undefined;

/** Finds names that differ only in case. They would be left out without a word: with "eventID", the Event ID would be generated although one was given. */
function findMiscasedFields(input: Record<string, unknown>): ValidationIssue[] {
	const names = Object.entries(input).flatMap(([key, value]) =>
		isObject(value) ? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)] : [key],
	);
	return names.flatMap((name) => {
		const field = FIELD_BY_LOWER_CASE.get(name.toLowerCase());
		if (field === undefined || names.includes(field)) return [];
		return [{ field, problem: `The name is written "${name}"`, fix: `Write it "${field}".` }];
	});
}
