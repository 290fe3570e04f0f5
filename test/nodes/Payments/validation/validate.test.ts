import { FIELDS } from '../../../../nodes/Payments/Transaction';
import {
	validateTransaction,
	type ValidationRules,
} from '../../../../nodes/Payments/validation/validate';
import { validateItems } from '../../../../nodes/Payments/validation/validateItems';
import { parseCredentialLimits } from '../../../../nodes/shared/limits/credentialLimits';
import { SAMPLE } from '../../../support/builders/transactions';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };
const validate = (input: unknown, rules: Partial<ValidationRules> = {}) =>
	validateTransaction(input, { ...RULES, ...rules });

test('the fields, in the order of the service interface, which is that of the problems', () => {
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
	expect(validate(wrong).problems?.map(({ field }) => field)).toEqual(FIELDS);
});

test('of an empty object, the fields that must have a value are problems', () => {
	const problems = validate({}).problems!;
	expect(problems.every(({ isEmpty }) => isEmpty)).toBe(true);
	expect(problems.map(({ field }) => field)).toEqual([
		'externalId',
		'reference',
		'amount',
		'currency',
		'paymentScheme',
		'sender.externalEntityId',
		'sender.externalPaymentChannelId',
		'sender.countryCode',
		'recipient.externalEntityId',
		'recipient.externalPaymentChannelId',
		'recipient.countryCode',
	]);
});

test.each([
	[null, 'null'],
	[undefined, 'undefined'],
	['text', '"text"'],
	[[SAMPLE], 'A list'],
	[() => SAMPLE, 'A function'],
])('%p is not a transaction', (input, quoted) => {
	expect(validate(input).problems).toMatchObject([
		{ field: 'transaction', message: expect.stringContaining(quoted) as string },
	]);
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
		expect(validate({ ...SAMPLE, reference: { undefined: 'x' } }).problems).toMatchObject([
			{ field: 'reference', message: expect.stringContaining('An object') as string },
		]);
	});

	test('members that every object has do not count', () => {
		const everyObject = Object.prototype as { reference?: string; countryCode?: string };
		everyObject.reference = 'inherited';
		everyObject.countryCode = 'DE';
		try {
			const { reference: _, ...rest } = SAMPLE;
			const { countryCode: __, ...senderRest } = SAMPLE.sender;
			expect(validate({ ...rest, sender: senderRest }).problems).toMatchObject([
				{ field: 'reference', isEmpty: true },
				{ field: 'sender.countryCode', isEmpty: true },
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
		message: expect.stringContaining(`"${name}"`) as string,
		fix: expect.stringContaining(`"${field}"`) as string,
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
		expect(validate(input).problems).toEqual(expected);
	});
});

test.each(['sender', 'recipient'] as const)('%s in other letters is named', (party) => {
	const { [party]: given, ...rest } = SAMPLE;
	expect(validate({ ...rest, [party.toUpperCase()]: given }).problems?.[0]).toEqual({
		field: party,
		message: expect.stringContaining(`"${party.toUpperCase()}"`) as string,
		fix: expect.stringContaining(`"${party}"`) as string,
	});
});

describe('limits of the credential', () => {
	const { value: limits } = parseCredentialLimits({ maxAmounts: 'EUR 10' });

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
			['eus_1', 'vac_1'],
			['eus_x', 'vac_2'],
			['vac_x', 'vac_1'],
		])('%s may be paid through %s', (entity, channel) =>
			expect(paying(entity, channel).transaction).toBeDefined(),
		);

		test.each([
			['eus_1', 'vac_x'],
			['vac_1', 'vac_x'],
			['vac_1', 'eus_1'],
			['vac_1', 'VAC_1'],
			['vac_1', 'vac_1 vac_2'],
		])('%s may not be paid through %s', (entity, channel) =>
			expect(paying(entity, channel).problems).toEqual([
				{
					field: 'recipient.externalPaymentChannelId',
					message: expect.stringMatching(
						new RegExp(`${channel} isn't one of the 'Allowed Recipients'`),
					) as string,
					fix: expect.stringContaining('payment channel') as string,
					isBeyondLimit: true,
				},
			]),
		);
	});

	test('are compared when everything else is right', () => {
		const input = { ...SAMPLE, amount: '10.01', currency: 'EUR', reference: '' };
		expect(validate(input, { limits }).problems).toMatchObject([{ field: 'reference' }]);
	});
});

describe('several items', () => {
	const item = (changes: object = {}) => ({ value: { ...SAMPLE, ...changes } });
	const problemsOf = (...items: object[]) =>
		validateItems(
			items.map((changes) => item(changes)),
			RULES,
		).map(({ problems }) => problems?.[0]);

	test('that cannot be read', () => {
		const problem = { field: 'transaction' as const, message: 'm', fix: 'f' };
		expect(validateItems([{ problem }, item()], RULES)).toEqual([
			{ problems: [problem] },
			validateTransaction(SAMPLE, RULES),
		]);
	});

	test('with the same generated Event ID', () => {
		const [first, second] = problemsOf({ eventId: '' }, { eventId: '' });
		expect(first).toBeUndefined();
		expect(second).toMatchObject({ field: 'externalId' });
		expect(second?.message).toMatch(/same transaction.*item 0/);
		expect(second?.fix).toContain('External ID');
	});

	test('that differ only in the reference', () => {
		const [first, second] = problemsOf(
			{ eventId: '', reference: 'Invoice 42' },
			{ eventId: '', reference: 'Invoice #42' },
		);
		expect(first).toBeUndefined();
		expect(second?.message).toMatch(/same transaction.*item 0/);
	});

	test('with the same custom Event ID', () => {
		const [first, second, third] = problemsOf({ eventId: 'a' }, {}, { eventId: 'a' });
		expect([first, second]).toEqual([undefined, undefined]);
		expect(third?.message).toMatch(/same Event ID.*item 0/);
		expect(third?.fix).toContain("'Event ID'");
	});

	test('the third of the same is compared with the first', () => {
		expect(problemsOf({}, {}, {})[2]?.message).toContain('item 0');
	});

	test('an invalid item does not count as the same', () => {
		expect(problemsOf({ amount: 'x' }, {})[1]).toBeUndefined();
	});
});
