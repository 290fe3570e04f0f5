import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { FIELDS } from '../../../../nodes/Payments/Transaction';
import {
	validateTransaction,
	type ValidationRules,
} from '../../../../nodes/Payments/validation/validate';
import { validateItems } from '../../../../nodes/Payments/validation/validateItems';
import { parseCredentialLimits } from '../../../../nodes/shared/limits/credentialLimits';
import { SAMPLE, validateItem } from '../../../support/builders/transactions';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };
const validate = (item: unknown, rules: Partial<ValidationRules> = {}) =>
	validateItem(item, { ...RULES, ...rules });

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
	const unread = [{ field: 'amount' as const, message: 'm', fix: 'f' }];
	const { values } = matchColumns({ ...SAMPLE, amount: undefined });
	expect(validateTransaction(values, RULES, unread).problems).toEqual(unread);
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
	const item = (changes: object) => matchColumns({ ...SAMPLE, ...changes });
	const problemsOf = (...items: object[]) =>
		validateItems(
			items.map((changes) => item(changes)),
			RULES,
		).map(({ problems }) => problems?.[0]);

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
