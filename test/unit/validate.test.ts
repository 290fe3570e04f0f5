import { validateItems } from '../../nodes/Payments/validation/validateItems';
import { FIELDS } from '../../nodes/Payments/Transaction';
import {
	validateTransaction,
	type ValidationRules,
} from '../../nodes/Payments/validation/validate';
import { parseLimits } from '../../nodes/shared/limits/transactionLimits';
import { SAMPLE } from '../support/builders/transactions';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };
const validate = (input: unknown, rules: Partial<ValidationRules> = {}) =>
	validateTransaction(input, { ...RULES, ...rules });
const EMPTY = 'The field is empty';

test('the fields, in the order of the service interface, which is that of the issues', () => {
	expect(FIELDS).toEqual([
		'eventId',
		'externalId',
		'externalStatus',
		'reference',
		'amount',
		'currency',
		'baseAmount',
		'paymentScheme',
		'sender.externalEntityId',
		'sender.externalPaymentChannelId',
		'sender.countryCode',
		'recipient.externalEntityId',
		'recipient.externalPaymentChannelId',
		'recipient.countryCode',
		'externalCreatedAt',
		'receivedAt',
	]);
	const wrong = Object.fromEntries(FIELDS.map((field) => [field, {}]));
	expect(validate(wrong).issues?.map(({ field }) => field)).toEqual(FIELDS);
});

test('of an empty object, the fields that must have a value are issues', () => {
	expect(validate({}).issues).toEqual(
		[
			['externalId', 'Fill it in.'],
			['reference', 'Fill it in.'],
			['amount', 'Use a decimal number such as 1234.50.'],
			['currency', 'Use a code of three letters such as EUR.'],
			['paymentScheme', 'Fill it in.'],
			['sender.externalEntityId', 'Fill it in.'],
			['sender.externalPaymentChannelId', 'Fill it in.'],
			['sender.countryCode', 'Use a code of two letters such as DE.'],
			['recipient.externalEntityId', 'Fill it in.'],
			['recipient.externalPaymentChannelId', 'Fill it in.'],
			['recipient.countryCode', 'Use a code of two letters such as DE.'],
		].map(([field, fix]) => ({ field, problem: EMPTY, fix })),
	);
});

test.each([
	[null, 'null'],
	[undefined, 'undefined'],
	['text', '"text"'],
	[[SAMPLE], 'A list'],
	[() => SAMPLE, 'A function'],
])('%p is not a transaction', (input, quoted) => {
	expect(validate(input)).toEqual({
		issues: [
			{
				field: 'transaction',
				problem: `${quoted} is not a transaction`,
				fix: 'Give one object with the fields of a transaction.',
			},
		],
	});
});

describe('where the fields of a party stand', () => {
	const { sender } = SAMPLE;
	const entity = (input: object) =>
		validate({ ...SAMPLE, ...input }).transaction?.sender.externalEntityId;

	test.each([
		['nested', { sender }, sender.externalEntityId],
		['nested before dotted', { sender, 'sender.externalEntityId': 'x' }, sender.externalEntityId],
		[
			'dotted, where it is not nested',
			{ sender: { ...sender, externalEntityId: undefined }, 'sender.externalEntityId': 'x' },
			'x',
		],
		[
			'nested and empty is empty',
			{ sender: { ...sender, externalEntityId: '' }, 'sender.externalEntityId': 'x' },
			undefined,
		],
		['a text is no party', { sender: 'x', 'sender.externalEntityId': 'x' }, undefined],
	])('%s', (_, input, expected) => expect(entity(input)).toBe(expected));

	test('a field that is no party has no members', () => {
		expect(validate({ ...SAMPLE, reference: { undefined: 'x' } }).issues).toEqual([
			{ field: 'reference', problem: 'An object is not text', fix: 'Give it as text.' },
		]);
	});

	test('members that every object has do not count', () => {
		const everyObject = Object.prototype as { reference?: string; countryCode?: string };
		everyObject.reference = 'inherited';
		everyObject.countryCode = 'DE';
		try {
			const { reference: _, ...rest } = SAMPLE;
			const { countryCode: __, ...senderRest } = SAMPLE.sender;
			expect(validate({ ...rest, sender: senderRest }).issues).toEqual([
				{ field: 'reference', problem: EMPTY, fix: 'Fill it in.' },
				{
					field: 'sender.countryCode',
					problem: EMPTY,
					fix: 'Use a code of two letters such as DE.',
				},
			]);
		} finally {
			delete everyObject.reference;
			delete everyObject.countryCode;
		}
	});
});

describe('names in other letters', () => {
	const miscased = (name: string, field: string) => ({
		field,
		problem: `The name is written "${name}"`,
		fix: `Write it "${field}".`,
	});
	const { sender, eventId, amount, ...rest } = SAMPLE;

	test.each([
		['a field', { ...rest, sender, amount, EVENTID: eventId }, [miscased('EVENTID', 'eventId')]],
		[
			'a field that must have a value is named once',
			{ ...rest, sender, eventId, Amount: amount },
			[miscased('Amount', 'amount')],
		],
		[
			'a party',
			{ ...rest, eventId, amount, Sender: sender },
			[
				miscased('Sender', 'sender'),
				miscased('Sender.externalEntityId', 'sender.externalEntityId'),
				miscased('Sender.externalPaymentChannelId', 'sender.externalPaymentChannelId'),
				miscased('Sender.countryCode', 'sender.countryCode'),
			],
		],
		[
			'the other party',
			{ ...rest, eventId, amount, sender, recipient: undefined, RECIPIENT: SAMPLE.recipient },
			[
				miscased('RECIPIENT.externalEntityId', 'recipient.externalEntityId'),
				miscased('RECIPIENT.externalPaymentChannelId', 'recipient.externalPaymentChannelId'),
				miscased('RECIPIENT.countryCode', 'recipient.countryCode'),
			],
		],
		[
			'a field of a party',
			{
				...rest,
				eventId,
				amount,
				sender: {
					externalEntityId: sender.externalEntityId,
					externalPaymentChannelId: sender.externalPaymentChannelId,
					CountryCode: 'DE',
				},
			},
			[miscased('sender.CountryCode', 'sender.countryCode')],
		],
		[
			'a name beside the right one',
			{ ...rest, eventId, amount, sender: { ...sender, CountryCode: 'DE' } },
			undefined,
		],
		[
			'a dotted one',
			{ ...rest, eventId, amount, sender, 'recipient.CountryCode': 'DE' },
			undefined,
		],
		['names that are no field', { ...SAMPLE, AMOUNTS: 1, other: { amount: 1 } }, undefined],
		['a list', { ...SAMPLE, other: ['Amount'] }, undefined],
	])('%s', (_, input, expected) => {
		expect(validate(input).issues).toEqual(expected);
	});
});

test.each(['sender', 'recipient'] as const)('%s in other letters is named', (party) => {
	const { [party]: given, ...rest } = SAMPLE;
	expect(validate({ ...rest, [party.toUpperCase()]: given }).issues?.[0]).toEqual({
		field: party,
		problem: `The name is written "${party.toUpperCase()}"`,
		fix: `Write it "${party}".`,
	});
});

describe('limits of the credential', () => {
	const { value: limits } = parseLimits({ maxAmounts: 'EUR 10' });

	test('are an issue like any other', () => {
		const input = { ...SAMPLE, amount: '10.01', currency: 'EUR' };
		expect(validate(input, { limits }).issues).toMatchObject([{ field: 'amount' }]);
		expect(validate({ ...input, amount: '10' }, { limits }).transaction).toBeDefined();
		expect(validate(input).transaction).toBeDefined();
	});

	test('are compared when everything else is right', () => {
		const input = { ...SAMPLE, amount: '10.01', currency: 'EUR', reference: '' };
		expect(validate(input, { limits }).issues).toMatchObject([{ field: 'reference' }]);
	});
});

describe('several items', () => {
	const item = (changes: object = {}, more: object = {}) => ({
		value: { ...SAMPLE, ...changes },
		...more,
	});

	test('that cannot be read', () => {
		const issue = { field: 'transaction', problem: 'p', fix: 'f' };
		expect(validateItems([issue, item()], RULES)).toEqual([
			{ issues: [issue] },
			validateTransaction(SAMPLE, RULES),
		]);
	});

	test('with the same generated Event ID, and with the same custom one', () => {
		const generated = validateItems([item({ eventId: '' }), item({ eventId: '' })], RULES);
		expect(generated[1].issues).toEqual([
			{
				field: 'eventId',
				problem: 'The same transaction is in item 0',
				fix: 'If these are two payments, give each its own External ID. If it is one payment, remove one of the items.',
			},
		]);
		const custom = validateItems([item({ eventId: 'a' }), item(), item({ eventId: 'a' })], RULES);
		expect(custom.map(({ issues }) => issues)).toEqual([
			undefined,
			undefined,
			[
				{
					field: 'eventId',
					problem: 'The same Event ID is in item 0',
					fix: "Give each payment its own Event ID, or leave 'Event ID' empty.",
				},
			],
		]);
	});

	test('the third of the same is compared with the first', () => {
		const all = validateItems([item(), item(), item()], RULES);
		expect(all[2].issues).toMatchObject([{ problem: 'The same Event ID is in item 0' }]);
	});

	test('an item with issues does not count as the same', () => {
		const all = validateItems([item({ amount: 'x' }), item()], RULES);
		expect(all[1].issues).toBeUndefined();
	});

	test('a field that is empty, when nothing is known of columns and expressions', () => {
		const [{ issues }] = validateItems([item({ reference: '' })], RULES);
		expect(issues).toEqual([{ field: 'reference', problem: EMPTY, fix: 'Fill it in.' }]);
	});

	test('a field without a column, when the columns of the item are known', () => {
		const available = ['Total'];
		const [{ issues }] = validateItems(
			[item({ reference: '', amount: 'x' }, { available })],
			RULES,
		);
		expect(issues).toEqual([
			{
				field: 'reference',
				problem: 'No column matches this field',
				fix: `Name a column "Reference" or "reference", or set 'Mapping Column Mode' to 'Map Each Column Manually'. The item has these columns: "Total".`,
			},
			{
				field: 'amount',
				problem: '"x" is not a plain decimal number',
				fix: 'Use digits and at most one dot, for example 1234.50: no sign, no blank and no comma.',
			},
		]);
	});

	test('a field that is empty because of its expression', () => {
		const expressionFields = new Set(['reference', 'amount']);
		const [{ issues }] = validateItems(
			[item({ reference: '', paymentScheme: '', amount: 'x' }, { expressionFields })],
			RULES,
		);
		expect(issues).toMatchObject([
			{
				field: 'reference',
				problem: 'The expression gave no value',
				fix: 'Check the name in the expression, and that the input item has a value there. Fill it in.',
			},
			{ field: 'amount', problem: '"x" is not a plain decimal number' },
			{ field: 'paymentScheme', problem: EMPTY, fix: 'Fill it in.' },
		]);
	});
});
