import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { transactionFields } from '../../../../nodes/Payments/editor/fields';
import { FIELDS, isAdditionalField, parameterOf } from '../../../../nodes/Payments/Transaction';
import {
	validateTransaction,
	type ValidationRules,
} from '../../../../nodes/Payments/validation/validate';
import { validateItems } from '../../../../nodes/Payments/validation/validate';
import { parseCredentialLimits } from '../../../../nodes/Payments/limits/parseLimits';
import { asSentences } from '../../../../nodes/shared/result';
import { SAMPLE, validateItem } from '../../../support/builders/transactions';

const RULES: ValidationRules = { timeZone: 'Europe/Berlin' };
const validate = (item: unknown, rules: Partial<ValidationRules> = {}) =>
	validateItem(item, { ...RULES, ...rules });

/** The names of the form, from top to bottom. */
const FORM = transactionFields.flatMap(({ name, options = [] }) =>
	name === 'additionalFields' ? options.map((option) => `additionalFields.${option.name}`) : [name],
);

test('problems are in the order of the form', () => {
	const wrong = Object.fromEntries(FIELDS.map((field) => [field, {}]));
	const names = validate(wrong).problems?.map(({ field }) => parameterOf(field));
	expect(names).toEqual(FORM.filter((name) => names?.includes(name)));
	expect(names).toHaveLength(FIELDS.length);
});

test('of an empty object, the fields that must have a value are problems', () => {
	const problems = validate({}).problems!;
	expect(problems.every(({ isEmpty }) => isEmpty)).toBe(true);
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

test.each([undefined, null, '', ' '])('Created At has no default: %j', (externalCreatedAt) =>
	expect(validate({ ...SAMPLE, externalCreatedAt, receivedAt: '' }).problems).toMatchObject([
		{ field: 'externalCreatedAt', isEmpty: true },
	]),
);

test('members that every object has do not count', () => {
	const everyObject = Object.prototype as { reference?: string };
	everyObject.reference = 'inherited';
	try {
		expect(validate({ ...SAMPLE, reference: undefined }).problems).toMatchObject([
			{ field: 'reference', isEmpty: true },
		]);
		const { reference: _, ...rest } = SAMPLE;
		expect(validate(rest).problems).toMatchObject([{ field: 'reference', isEmpty: true }]);
	} finally {
		delete everyObject.reference;
	}
});

test('a field that could not be read has its problem once', () => {
	const unreadable = [{ field: 'amount' as const, message: 'm', fix: 'f' }];
	const { values } = matchColumns({ ...SAMPLE, amount: undefined });
	expect(validateTransaction(values, RULES, unreadable).problems).toEqual(unreadable);
});

describe('limits of the credential', () => {
	const { value: limits } = parseCredentialLimits({ maxAmounts: 'EUR 10' });

	test('allow the currencies that they name', () => {
		const { value: currencies } = parseCredentialLimits({ allowedCurrencies: 'EUR, usd' });
		const inCurrency = (currency: string) =>
			validate({ ...SAMPLE, currency }, { limits: currencies });
		expect(inCurrency('USD').transaction).toBeDefined();
		expect(inCurrency('GBP').problems).toMatchObject([
			{
				field: 'currency',
				message: expect.stringContaining("'Allowed Currencies': EUR, USD") as string,
				isBeyondLimit: true,
			},
		]);
	});

	test.each([
		{ maxAmounts: null },
		{ maxAmounts: '1,000' },
		{ allowedCurrencies: 'EURO' },
		{ allowedRecipients: 'vac_1,,vac_2' },
	])('that are %j are not taken for none', (credential) =>
		expect(parseCredentialLimits(credential).problem?.message).toContain('in the credential'),
	);

	test('are a problem like any other', () => {
		const input = { ...SAMPLE, amount: '10.01', currency: 'EUR' };
		expect(validate(input, { limits }).problems).toMatchObject([{ field: 'amount' }]);
		expect(validate({ ...input, amount: '10' }, { limits }).transaction).toBeDefined();
		expect(validate(input).transaction).toBeDefined();
	});

	describe('list payment channels, and no entities', () => {
		const { value: channels } = parseCredentialLimits({ allowedRecipients: 'vac_1, vac_2' });
		const paying = (externalEntityId: string, externalPaymentChannelId: string) => {
			const recipient = { ...SAMPLE.recipient, externalEntityId, externalPaymentChannelId };
			return validate({ ...SAMPLE, recipient }, { limits: channels });
		};

		test.each([
			['eus_1', 'vac_1', true],
			['eus_x', 'vac_2', true],
			['vac_x', 'vac_1', true],
			['eus_1', 'vac_x', false],
			['vac_1', 'vac_x', false],
			['vac_1', 'eus_1', false],
			['vac_1', 'VAC_1', false],
			['vac_1', 'vac_1 vac_2', false],
		])('%s through %s: allowed %p', (entity, channel, isAllowed) =>
			expect(paying(entity, channel).problems === undefined).toBe(isAllowed),
		);

		test('names the channel, and the limit, but not who else may be paid', () => {
			const [problem] = paying('eus_1', 'vac_x').problems!;
			expect(problem).toMatchObject({
				field: 'recipient.externalPaymentChannelId',
				isBeyondLimit: true,
			});
			expect(problem.message).toMatch(/"vac_x" isn't one of the 'Allowed Recipients'/);
			expect(asSentences(problem)).not.toMatch(/vac_[12]/);
		});
	});

	test('are compared when everything else is right', () => {
		const input = { ...SAMPLE, amount: '10.01', currency: 'EUR', reference: '' };
		expect(validate(input, { limits }).problems).toMatchObject([{ field: 'reference' }]);
	});
});

describe('several items with one Event ID', () => {
	const RENT = { eventId: '', externalId: 'RENT-7' };
	const problemsOf = (...items: object[]) =>
		validateItems(
			items.map((changes) => matchColumns({ ...SAMPLE, ...changes })),
			RULES,
		).map(({ problems }) => problems?.map(({ field, otherItem }) => [field, otherItem]));

	test.each([
		['the same payment, twice', [RENT, RENT], [undefined, [['externalId', 0]]]],
		[
			'the same payment, three times',
			[RENT, { ...RENT, amount: '2501.0' }, RENT],
			[undefined, [['externalId', 0]], [['externalId', 0]]],
		],
		[
			'another amount',
			[RENT, { ...RENT, amount: '2600' }],
			[[['externalId', 1]], [['externalId', 0]]],
		],
		[
			'another account',
			[RENT, { ...RENT, recipient: { ...SAMPLE.recipient, externalPaymentChannelId: 'x' } }],
			[[['externalId', 1]], [['externalId', 0]]],
		],
		[
			'another reference in the third',
			[RENT, RENT, { ...RENT, reference: 'x' }],
			[[['externalId', 2]], [['externalId', 2]], [['externalId', 0]]],
		],
		[
			'two entities that are paid',
			[RENT, { ...RENT, recipient: { ...SAMPLE.recipient, externalEntityId: 'x' } }],
			[undefined, undefined],
		],
		[
			'an External ID in two forms of Unicode',
			[
				{ ...RENT, externalId: 'M\u00fcller' },
				{ ...RENT, externalId: 'Mu\u0308ller' },
			],
			[undefined, [['externalId', 0]]],
		],
		[
			'an External ID with one blank, and with two',
			[
				{ ...RENT, externalId: 'INV 1' },
				{ ...RENT, externalId: 'INV  1' },
			],
			[undefined, [['externalId', undefined]]],
		],
		['two statuses', [RENT, { ...RENT, externalStatus: 'settled' }], [undefined, undefined]],
		['two External IDs', [RENT, { ...RENT, externalId: 'RENT-8' }], [undefined, undefined]],
		['a custom Event ID, twice', [{}, RENT, {}], [undefined, undefined, [['eventId', 0]]]],
		[
			'a custom Event ID with another amount',
			[{}, { amount: '2600' }],
			[[['eventId', 1]], [['eventId', 0]]],
		],
		[
			'one that is invalid for another reason',
			[{ ...RENT, amount: 'x' }, RENT],
			[[['amount', undefined]], undefined],
		],
	])('%s', (_, items, expected) => expect(problemsOf(...items)).toEqual(expected));

	test('the message names what differs, and the fix says what to do', () => {
		// Base Amount, which nobody has entered, isn't named.
		const rent = { ...SAMPLE, ...RENT, baseAmount: undefined };
		const [first] = validateItems(
			[matchColumns(rent), matchColumns({ ...rent, amount: '2600', reference: 'x' })],
			RULES,
		);
		const [{ message, fix }] = first.problems!;
		expect(message).toMatch(/External ID.*entities.* 'Amount', 'Reference', is in/);
		expect(fix).toMatch(/own External ID.*month.*only the right item/);
	});
});
