import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { matchColumns } from '../../../nodes/Payments/input/columns';
import {
	FIELDS,
	isAdditionalField,
	parameterOf,
	type Transaction,
} from '../../../nodes/Payments/Transaction';
import {
	validateTransaction,
	type ValidationRules,
} from '../../../nodes/Payments/validation/validate';
import { parseIdentifier } from '../../../nodes/Payments/validation/parse';
import { isObject } from '../../../nodes/shared/values';

/** The sample transaction (docs/interface.md, 2.1). */
export const SAMPLE: Transaction = {
	eventId: '5609c570-3b45-4bec-a326-9d50ee465156',
	externalId: 'pmt_eaxp4n74enj0l58vmy',
	externalStatus: null,
	reference: 'Invoice 2025-0042',
	amount: '2501.00',
	currency: 'EUR',
	baseAmount: '2501.00',
	paymentScheme: 'SCT',
	sender: {
		externalEntityId: 'pyr_xz3l6d7b4k631myjr5',
		externalPaymentChannelId: 'pyr_xz3l6d7b4k631myjr5',
		countryCode: 'BE',
	},
	recipient: {
		externalEntityId: 'eus_v8jkx67no9g0dbglam',
		externalPaymentChannelId: 'vac_ong3zm73oela7b2jkr',
		countryCode: 'DK',
	},
	externalCreatedAt: 1748432324513,
	receivedAt: 1748432324728,
};

/** Returns the sample with IDs of its own. */
export const transaction = (id: string | number): Transaction => ({
	...SAMPLE,
	eventId: `event-${id}`,
	externalId: `external-${id}`,
});

/**
 * Returns transactions as the rows of a spreadsheet: without an Event ID, told apart by
 * `externalId`.
 *
 * @param changes fields of the row with that index
 */
export function rows(
	count: number,
	changes: (index: number) => IDataObject = () => ({}),
): IDataObject[] {
	const { eventId, externalStatus, baseAmount, ...row } = SAMPLE;
	return Array.from({ length: count }, (_, index) => ({
		...row,
		externalId: `pmt_${index}`,
		reference: `Invoice ${index}`,
		amount: `${index + 1}.50`,
		...changes(index),
	}));
}

/** Returns the sample with some fields changed; a party's fields have dotted names. */
export function sampleInput(changes: Record<string, unknown>): Record<string, unknown> {
	const input = structuredClone(SAMPLE) as unknown as Record<string, Record<string, unknown>>;
	for (const [name, value] of Object.entries(changes)) {
		const [outer, inner] = name.split('.');
		if (inner) input[outer][inner] = value;
		else (input as Record<string, unknown>)[outer] = value;
	}
	return input;
}

/** The parameters of the node that take each field from a member of the item, with changes. */
export const fieldsFromJson = (changes: IDataObject = {}): IDataObject => ({
	specifyTransaction: 'fields',
	...Object.fromEntries(
		FIELDS.filter((field) => !isAdditionalField(field)).map((field) => [
			parameterOf(field),
			`={{ $json.${field} }}`,
		]),
	),
	...changes,
});

/** Validates an input item, its columns matched by name. What isn't an object has no columns. */
export function validateItem(item: unknown, rules: ValidationRules) {
	return validateTransaction(matchColumns(isObject(item) ? item : {}), rules);
}

const junk = fc.oneof(
	fc.anything({
		withDate: true,
		withBigInt: true,
		withMap: true,
		withNullPrototype: true,
		withObjectString: true,
		withSparseArray: true,
	}),
	fc.constantFrom(
		...['', ' ', '-1', '1,5', '1e5', '٣', 'NaN', 'EURO', 'ZZ', '2025-13-01', '0x10'],
		...['\u0000', '\ud800', '9'.repeat(400)],
	),
	fc.double(),
	fc.string({ unit: 'binary' }),
);

const text = fc
	.string({ unit: 'binary', minLength: 1, maxLength: 30 })
	.filter((value) => value.trim() !== '' && parseIdentifier(value).problem === undefined);
const good: Record<string, fc.Arbitrary<unknown>> = {
	amount: fc.oneof(
		fc.nat().map(String),
		fc.nat({ max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
		fc.nat(),
	),
	currency: fc.constantFrom('EUR', 'usd', ' GBP', 'KWD', 'CHF '),
	countryCode: fc.constantFrom('DE', 'dk', ' FR '),
	externalStatus: fc.oneof(fc.constant(null), text),
	baseAmount: fc.oneof(fc.constant(undefined), fc.nat().map(String)),
	eventId: fc.oneof(fc.constant(undefined), fc.uuid()),
	externalCreatedAt: fc.oneof(
		fc.integer({ min: 1e11, max: 9_999_999_999_999 }),
		fc.date({ min: new Date(2e11), max: new Date(4e12), noInvalidDate: true }),
	),
};
good.receivedAt = fc.oneof(good.externalCreatedAt, fc.constant(''));

/**
 * Generates inputs of every quality: complete transactions, transactions with a few invalid fields,
 * and anything else.
 */
export const anyInput: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 1, arbitrary: junk },
	{
		weight: 9,
		arbitrary: fc
			.tuple(
				fc.record(
					Object.fromEntries(FIELDS.map((field) => [field, good[field.split('.').pop()!] ?? text])),
				),
				fc.oneof(
					{ weight: 2, arbitrary: fc.constant({}) },
					{
						weight: 3,
						arbitrary: fc.dictionary(
							fc.constantFrom(...FIELDS, 'sender', 'recipient', 'EVENTID', '__proto__'),
							junk,
							{ maxKeys: 3 },
						),
					},
				),
				fc.boolean(),
			)
			.map(([complete, invalid, nested]) => {
				const fields: Record<string, unknown> = { ...complete, ...invalid };
				return nested ? sampleInput(fields) : fields;
			}),
	},
);
