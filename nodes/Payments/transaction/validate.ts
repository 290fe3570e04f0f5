import { generateEventId } from './eventId';
import {
	isEmpty,
	parseAmount,
	parseCountry,
	parseCurrency,
	parseText,
	formatValue,
	type ParseResult,
} from './parse';
import { parseTimestamp } from './timestamp';

/** Service interface, section 2.2. */
export interface Party {
	externalEntityId: string;
	externalPaymentChannelId: string;
	countryCode: string;
}

/** The body of the create-transaction operation (service interface, section 2.1); amounts are decimal strings, times ms since the epoch. */
export interface Transaction {
	eventId: string;
	externalId: string;
	externalStatus: string | null;
	reference: string;
	amount: string;
	currency: string;
	baseAmount: string;
	paymentScheme: string;
	sender: Party;
	recipient: Party;
	externalCreatedAt: number;
	receivedAt: number;
}

/** What is wrong with one field, and what to do about it. `field` is the wire's name, dotted inside a party. */
export interface ValidationIssue {
	field: string;
	problem: string;
}

export interface ValidationRules {
	/** For timestamps that were left empty, in ms since the epoch. */
	now: number;
	/** IANA name, for dates that carry no offset. */
	timeZone: string;
	/** Accept more decimals than the currency has. */
	skipDecimalsCheck?: boolean;
}

export type ValidationResult =
	| { transaction: Transaction; eventIdDerived: boolean; problems?: undefined }
	| { transaction?: undefined; problems: ValidationIssue[] };

const PARTY_FIELDS = ['externalEntityId', 'externalPaymentChannelId', 'countryCode'] as const;

/** Every field by its name on the wire, in the order of the specification. */
export const FIELDS = [
	'eventId',
	'externalId',
	'externalStatus',
	'reference',
	'amount',
	'currency',
	'baseAmount',
	'paymentScheme',
	...PARTY_FIELDS.map((name) => `sender.${name}` as const),
	...PARTY_FIELDS.map((name) => `recipient.${name}` as const),
	'externalCreatedAt',
	'receivedAt',
] as const;

export type Field = (typeof FIELDS)[number];

const BY_LOWER_CASE = new Map<string, string>(
	['sender', 'recipient', ...FIELDS].map((name) => [name.toLowerCase(), name]),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads one transaction, and says everything that is wrong with it at once. Never throws.
 *
 * @param input members by their names on the wire, parties nested or dotted (`sender.countryCode`); what the interface does not know is left out
 */
export function validateTransaction(input: unknown, rules: ValidationRules): ValidationResult {
	if (!isObject(input))
		return {
			problems: [
				{
					field: 'transaction',
					problem: `${formatValue(input)} is not a transaction. Give one object with the fields of a transaction.`,
				},
			],
		};
	const problems = findMiscasedFields(input);
	const valueOf = (field: Field) => lookUp(input, field);
	function take<T>(field: Field, read: (value: unknown) => ParseResult<T>): T {
		const { value, problem } = read(valueOf(field));
		if (problem !== undefined && !problems.some((known) => known.field === field))
			problems.push({ field, problem });
		// A value that is missing here is in the list of problems, and the transaction is not handed out.
		return value as T;
	}
	const optional =
		<T>(read: (value: unknown) => ParseResult<T>, whenEmpty: T) =>
		(value: unknown): ParseResult<T> =>
			isEmpty(value) ? { value: whenEmpty } : read(value);
	const time = optional((value) => parseTimestamp(value, rules.timeZone), rules.now);
	const party = (name: 'sender' | 'recipient'): Party => ({
		externalEntityId: take(`${name}.externalEntityId`, parseText),
		externalPaymentChannelId: take(`${name}.externalPaymentChannelId`, parseText),
		countryCode: take(`${name}.countryCode`, parseCountry),
	});

	const given = take('eventId', optional<string | undefined>(parseText, undefined));
	const externalId = take('externalId', parseText);
	const externalStatus = take('externalStatus', optional<string | null>(parseText, null));
	const reference = take('reference', parseText);
	const currency = parseCurrency(valueOf('currency')).value;
	const amount = take('amount', (value) =>
		parseAmount(value, rules.skipDecimalsCheck ? undefined : currency),
	);
	take('currency', parseCurrency);
	const content = {
		externalId,
		externalStatus,
		reference,
		amount,
		currency: currency!,
		// In another currency than `amount`, which the interface does not name, so its decimals cannot be counted.
		baseAmount: take(
			'baseAmount',
			optional((value) => parseAmount(value), amount),
		),
		paymentScheme: take('paymentScheme', parseText),
		sender: party('sender'),
		recipient: party('recipient'),
	};
	const times = {
		externalCreatedAt: take('externalCreatedAt', time),
		receivedAt: take('receivedAt', time),
	};
	if (problems.length > 0) return { problems };
	return {
		transaction: { eventId: given ?? generateEventId(content), ...content, ...times },
		eventIdDerived: given === undefined,
	};
}

function lookUp(input: Record<string, unknown>, field: Field): unknown {
	const [outer, inner] = field.split('.');
	if (inner === undefined) return own(input, outer);
	const party = own(input, outer);
	return (isObject(party) ? own(party, inner) : undefined) ?? own(input, field);
}

const own = (object: Record<string, unknown>, key: string) =>
	Object.hasOwn(object, key) ? object[key] : undefined;

/** A field that differs only in case would be passed over in silence: "eventID" would be derived although it was given. */
function findMiscasedFields(input: Record<string, unknown>): ValidationIssue[] {
	const names = Object.entries(input).flatMap(([key, value]) =>
		isObject(value) ? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)] : [key],
	);
	return names.flatMap((name) => {
		const right = BY_LOWER_CASE.get(name.toLowerCase());
		return right === undefined || right === name || names.includes(right)
			? []
			: [{ field: right, problem: `The name is written "${name}". Write it "${right}".` }];
	});
}
