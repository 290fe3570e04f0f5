import { deepStrictEqual } from 'node:assert';

import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { transactionFields } from '../../../../nodes/Payments/editor/fields';
import {
	FIELDS,
	isAdditionalField,
	parameterOf,
	type ItemProblem,
} from '../../../../nodes/Payments/Transaction';
import { validateItems, validateTransaction } from '../../../../nodes/Payments/validation/validate';
import { document, newValidator } from '../../../../sandbox/contract';
import {
	anyInput,
	SAMPLE,
	sampleInput,
	validateItem,
} from '../../../support/builders/transactions';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const RULES = { timeZone: 'Europe/Berlin' };
const validate = (item: unknown) => validateItem(item, RULES);

test('the sample of the specification is taken as it is', () =>
	expect(validate(SAMPLE)).toEqual({ transaction: SAMPLE, hasCustomEventId: true }));

/** Milliseconds of twelve digits can be a date and time without separators, so they're refused. */
const inText = (ms: number) => (ms < 1e12 ? new Date(ms).toISOString() : ms);

test('no input throws; what is accepted fits the contract and reads back as itself', () => {
	/** Whether the contract (sandbox/openapi.yaml) accepts a request body. */
	const fitsContract = newValidator({ strictSchema: false })
		.addSchema(document, 'contract')
		.getSchema('contract#/components/schemas/Transaction')!;
	const numRuns = propertyRuns(100_000);
	let accepted = 0;
	fc.assert(
		fc.property(anyInput, (input) => {
			const { transaction } = validate(input);
			if (!transaction) return;
			accepted++;
			// Node's own assertions: a hundred thousand of Jest's take most of the time of all tests.
			deepStrictEqual([fitsContract(transaction), fitsContract.errors], [true, null]);
			const { externalCreatedAt, receivedAt, ...others } = transaction;
			const times = {
				externalCreatedAt: inText(externalCreatedAt),
				receivedAt: inText(receivedAt),
			};
			const again = JSON.parse(JSON.stringify({ ...others, ...times })) as typeof input;
			deepStrictEqual(validate(again).transaction, transaction);
		}),
		{ numRuns },
	);
	// The generator must reach both sides, or the property says nothing.
	expect(accepted).toBeGreaterThanOrEqual(leastOf(1 / 10, numRuns));
});

/** The names of the form, from top to bottom. */
const FORM = transactionFields.flatMap(({ name, options = [] }) =>
	name === 'additionalFields' ? options.map((option) => option.name) : [name],
);

test('problems are in the order of the form', () => {
	const wrong = Object.fromEntries(FIELDS.map((field) => [field, {}]));
	const names = validate(wrong).problems?.map(({ field }) => parameterOf(field!));
	expect(names).toEqual(FORM.filter((name) => names?.includes(name)));
	expect(names).toHaveLength(FIELDS.length);
});

test('of an object without them, the fields that must have a value are problems', () => {
	const problems = validate({ note: 'x' }).problems!;
	expect(problems.map(({ field }) => field)).toEqual(
		FIELDS.filter((field) => !isAdditionalField(field)),
	);
});

test('an empty Received At is Created At, an empty Base Amount the Amount, and a status null', () => {
	const none = { receivedAt: '', baseAmount: ' ', externalStatus: '' };
	expect(validate({ ...SAMPLE, ...none }).transaction).toEqual({
		...SAMPLE,
		receivedAt: SAMPLE.externalCreatedAt,
		baseAmount: SAMPLE.amount,
		externalStatus: null,
	});
});

test('a small amount may come to zero in the base currency', () =>
	expect(validate(sampleInput({ amount: '0.01', baseAmount: '0.00' })).problems).toBeUndefined());

test.each([undefined, ' '])('Created At has no default: %j', (externalCreatedAt) =>
	expect(validate({ ...SAMPLE, externalCreatedAt, receivedAt: '' }).problems).toMatchObject([
		{ field: 'externalCreatedAt' },
	]),
);

test('members that every object has do not count', () => {
	const everyObject = Object.prototype as { reference?: string };
	everyObject.reference = 'inherited';
	const { reference: _, ...rest } = SAMPLE;
	try {
		expect(validate(rest).problems).toMatchObject([{ field: 'reference' }]);
	} finally {
		delete everyObject.reference;
	}
});

test('a field that could not be read has its problem once', () => {
	const unreadable: ItemProblem[] = [{ field: 'amount', message: 'm', fix: 'f' }];
	const input = matchColumns({ ...SAMPLE, amount: undefined });
	expect(validateTransaction({ ...input, unreadable }, RULES).problems).toEqual(unreadable);
});

describe('several items with one Event ID', () => {
	const RENT = { eventId: '', externalId: 'RENT-7' };
	const paidTo = (changes: object) => ({ ...RENT, recipient: { ...SAMPLE.recipient, ...changes } });

	/** Of each item, the field of its problem, and the index of the item that it names. */
	test.each<[string, object[], string[]]>([
		[
			'the same payment, three times',
			[RENT, { ...RENT, amount: '2501.0' }, RENT],
			['', 'externalId 0', 'externalId 0'],
		],
		['another amount', [RENT, { ...RENT, amount: '2600' }], ['externalId 1', 'externalId 0']],
		[
			'another account',
			[RENT, paidTo({ externalPaymentChannelId: 'x' })],
			['externalId 1', 'externalId 0'],
		],
		[
			'another reference in the third, and in the fourth',
			[RENT, RENT, { ...RENT, reference: 'x' }, { ...RENT, reference: 'y' }],
			['externalId 2', 'externalId 2', 'externalId 0', 'externalId 0'],
		],
		['two entities that are paid', [RENT, paidTo({ externalEntityId: 'x' })], ['', '']],
		[
			'an External ID in two forms of Unicode',
			[
				{ ...RENT, externalId: 'M\u00fcller' },
				{ ...RENT, externalId: 'Mu\u0308ller' },
			],
			['', 'externalId 0'],
		],
		[
			'a custom Event ID in two forms of Unicode',
			[{ eventId: 'M\u00fcller-1' }, { eventId: 'Mu\u0308ller-1' }, { eventId: 'Muller-1' }],
			['', 'eventId 0', ''],
		],
		['two statuses', [RENT, { ...RENT, externalStatus: 'settled' }], ['', '']],
		['two External IDs', [RENT, { ...RENT, externalId: 'RENT-8' }], ['', '']],
		['a custom Event ID, twice', [{}, RENT, {}], ['', '', 'eventId 0']],
		['a custom Event ID with another amount', [{}, { amount: '2600' }], ['eventId 1', 'eventId 0']],
		['one that is invalid for another reason', [{ ...RENT, amount: 'x' }, RENT], ['amount', '']],
	])('%s', (_, items, expected) => {
		const inputs = items.map((changes) => matchColumns({ ...SAMPLE, ...changes }));
		const named = validateItems(inputs, RULES).map(({ problems = [] }) =>
			problems.map((one) => [one.field, one.otherItem].join(' ').trim()).join(),
		);
		expect(named).toEqual(expected);
	});

	test('the message names what differs, and the fix says what to do', () => {
		// Base Amount, which nobody has entered, isn't named.
		const rent = { ...SAMPLE, ...RENT, baseAmount: undefined };
		const [first] = validateItems(
			[matchColumns(rent), matchColumns({ ...rent, amount: '2600', reference: 'x' })],
			RULES,
		);
		const [{ message, fix }] = first.problems!;
		expect(message).toMatch(/External ID.*entities.* 'Reference', 'Amount', is in/);
		expect(fix).toMatch(/own External ID.*month.*only the right item/);
	});
});
