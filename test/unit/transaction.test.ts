import { deepStrictEqual } from 'node:assert';

import fc from 'fast-check';

import { nameBasedUuid } from '../../nodes/Payments/transaction/eventId';
import {
	validateTransaction,
	type ValidationRules,
} from '../../nodes/Payments/transaction/validate';
import { validateItems } from '../../nodes/Payments/transaction/validateItems';
import { contractAccepts } from '../support/contract';
import { anyInput, SAMPLE, sampleInput } from '../support/builders/transactions';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };
const read = (changes: Record<string, unknown>, rules: Partial<ValidationRules> = {}) =>
	validateTransaction(sampleInput(changes), { ...RULES, ...rules });
const problemsOf = (changes: Record<string, unknown>, rules: Partial<ValidationRules> = {}) =>
	read(changes, rules).problems ?? [];

test('the sample of the specification is taken as it is', () => {
	expect(validateTransaction(SAMPLE, RULES)).toEqual({
		transaction: SAMPLE,
		eventIdDerived: false,
	});
});

describe('values that are forgiven', () => {
	test.each([
		['amount', 2501, '2501'],
		['amount', 0.1, '0.1'],
		['amount', ' 10.50 ', '10.50'],
		['amount', '0007.5', '7.5'],
		['amount', '0', '0'],
		['currency', ' eur ', 'EUR'],
		['baseAmount', '', '2501.00'],
		['baseAmount', undefined, '2501.00'],
		['baseAmount', '99.1234', '99.1234'],
		['externalStatus', '', null],
		['externalStatus', '  ', null],
		['externalStatus', null, null],
		['externalStatus', ' settled ', 'settled'],
		['externalId', 4711, '4711'],
		['externalCreatedAt', '', RULES.now],
		['externalCreatedAt', '1748432324513', 1748432324513],
		['externalCreatedAt', '2025-05-28T11:38:44.513Z', 1748432324513],
		['externalCreatedAt', '2025-05-28T13:38:44.513+02:00', 1748432324513],
		['externalCreatedAt', '2025-05-28 13:38:44,513', 1748432324513],
		['externalCreatedAt', '2025-01-31', Date.parse('2025-01-30T23:00:00Z')],
		['externalCreatedAt', '2025-07-01T00:00', Date.parse('2025-06-30T22:00:00Z')],
		['externalCreatedAt', new Date(1748432324513), 1748432324513],
		['externalCreatedAt', { toMillis: () => 1748432324513 }, 1748432324513],
	])('%s %p becomes %p', (field, given, expected) => {
		expect(read({ [field]: given })).toMatchObject({ transaction: { [field]: expected } });
	});

	test.each([
		['JPY', '100', true],
		['JPY', '100.5', false],
		['EUR', '1.23', true],
		['EUR', '1.234', false],
		['KWD', '1.234', true],
		['KWD', '1.2345', false],
		// ICU shows these without decimals in everyday use; ISO 4217 has two, so a valid payment must not be refused.
		['HUF', '100.50', true],
		['IDR', '100.50', true],
	])('decimals of %s: %s', (currency, amount, accepted) => {
		expect(problemsOf({ currency, amount, baseAmount: '1' }).length === 0).toBe(accepted);
		expect(problemsOf({ currency, amount }, { skipDecimalsCheck: true })).toEqual([]);
	});
});

describe('values that are refused, with field and remedy', () => {
	test.each([
		['amount', '', 'empty'],
		['amount', '12,50', 'no comma'],
		['amount', '1 000', 'plain decimal'],
		['amount', '-5', 'no sign'],
		['amount', '1e3', 'plain decimal'],
		['amount', 1e21, 'plain decimal'],
		['amount', 0.1 + 0.2, 'as text'],
		['amount', NaN, 'plain decimal'],
		['amount', true, 'not an amount'],
		['amount', ['1'], 'A list'],
		['currency', 'EURO', 'ISO 4217'],
		['currency', 978, 'ISO 4217'],
		['baseAmount', 'x', 'plain decimal'],
		['reference', '', 'empty'],
		['reference', { a: 1 }, 'not text'],
		['externalId', '  ', 'empty'],
		['externalId', 1.5, 'not text'],
		['paymentScheme', null, 'empty'],
		['eventId', {}, 'not text'],
		['sender.countryCode', 'UK', 'GB'],
		['sender.countryCode', 'EU', 'ISO 3166'],
		['recipient.countryCode', '', 'empty'],
		['sender.externalEntityId', undefined, 'empty'],
		['externalCreatedAt', 1748432324, 'Multiply it by 1000'],
		['receivedAt', '1748432324', 'Multiply it by 1000'],
		['externalCreatedAt', 1748432324513000, 'too large'],
		['externalCreatedAt', 1748432324513.5, 'not a point in time'],
		['externalCreatedAt', '2025-02-30', 'not a point in time'],
		['externalCreatedAt', '0085-01-01', 'not a point in time'],
		['externalCreatedAt', '2025-05-28T11:38:44+99:99', 'not a point in time'],
		['externalCreatedAt', 'yesterday', 'not a point in time'],
		['externalCreatedAt', -1, '1973'],
		['externalCreatedAt', new Date(NaN), 'not a point in time'],
	])('%s %p: %s', (field, given, words) => {
		expect(problemsOf({ [field]: given })).toEqual([
			{ field, problem: expect.stringContaining(words) },
		]);
	});

	test('all problems of an item at once', () => {
		const fields = problemsOf({
			amount: 'x',
			currency: 'x',
			'sender.countryCode': 'x',
			reference: '',
		}).map(({ field }) => field);
		expect(fields.sort()).toEqual(['amount', 'currency', 'reference', 'sender.countryCode']);
	});

	test.each([[null], [undefined], ['text'], [[]], [7]])('%p instead of an object', (input) => {
		expect(validateTransaction(input, RULES).problems).toEqual([
			{ field: 'transaction', problem: expect.stringContaining('Give one object') },
		]);
	});

	test('a name in other letters is pointed out, because it would be passed over', () => {
		expect(
			validateTransaction({ ...SAMPLE, eventID: 'e1', eventId: undefined }, RULES).transaction,
		).toBeDefined();
		const { eventId, ...rest } = SAMPLE;
		expect(validateTransaction({ ...rest, eventID: eventId }, RULES).problems).toEqual([
			{ field: 'eventId', problem: expect.stringContaining('"eventID"') },
		]);
	});

	test('dotted names are the same as nested ones', () => {
		const { sender, ...rest } = SAMPLE;
		const dotted = Object.fromEntries(
			Object.entries(sender).map(([name, value]) => [`sender.${name}`, value]),
		);
		expect(validateTransaction({ ...rest, ...dotted }, RULES)).toEqual(
			validateTransaction(SAMPLE, RULES),
		);
	});
});

describe('the same payment is the same event', () => {
	const idOf = (changes: Record<string, unknown>, rules: Partial<ValidationRules> = {}) =>
		read({ eventId: '', ...changes }, rules).transaction!.eventId;

	test('never changes: a payment sent by an older version must be recognised', () => {
		// Worked out with another implementation of RFC 9562 (Python's uuid.uuid5) over the name that eventId.ts describes.
		expect(idOf({})).toBe('58af0107-e153-51bb-b873-917b2902ad5f');
	});

	test.each([
		[{ externalCreatedAt: 1748432324999 }],
		[{ receivedAt: '' }],
		[{ amount: '2501' }],
		[{ amount: 2501 }],
		[{ amount: '2501.0' }],
		[{ baseAmount: '' }],
		[{ currency: 'eur' }],
		[{ externalStatus: '  ' }],
		[{ extra: 'column' }],
	])('%p does not change it', (changes) => expect(idOf(changes)).toBe(idOf({})));

	test.each([
		[{ amount: '2501.01' }],
		[{ amount: '25010' }],
		[{ currency: 'SEK' }],
		[{ reference: 'other' }],
		[{ externalId: 'other' }],
		[{ externalStatus: 'settled' }],
		[{ paymentScheme: 'SEPA' }],
		[{ 'sender.countryCode': 'DE' }],
		[{ 'recipient.externalEntityId': 'other' }],
		[{ baseAmount: '1' }],
	])('%p changes it', (changes) => expect(idOf(changes)).not.toBe(idOf({})));

	test('is a UUID of version 5', () => {
		// RFC 9562, appendix A.4.
		expect(nameBasedUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
			'2ed6657d-e927-568b-95e1-2665a8aea6a2',
		);
		expect(idOf({})).toMatch(
			/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
		);
	});

	test('two items that would be the same event are named', () => {
		const inputs = [
			{ value: sampleInput({ eventId: '' }) },
			{ value: sampleInput({ eventId: '', amount: '1' }) },
			{ value: sampleInput({ eventId: '' }) },
		];
		const [first, second, third] = validateItems(inputs, RULES);
		expect([first.problems, second.problems]).toEqual([undefined, undefined]);
		expect(third.problems).toEqual([
			{ field: 'eventId', problem: expect.stringContaining('item 1') },
		]);
	});
});

describe('properties', () => {
	test('no input throws; what is accepted fits the contract and reads back as itself', () => {
		let accepted = 0;
		fc.assert(
			fc.property(anyInput, (input) => {
				const { transaction } = validateTransaction(input, RULES);
				if (!transaction) return;
				accepted++;
				// Node's own assertions: a hundred thousand of Jest's take most of the time of all tests.
				deepStrictEqual(contractAccepts(transaction), []);
				deepStrictEqual(
					validateTransaction(JSON.parse(JSON.stringify(transaction)), RULES).transaction,
					transaction,
				);
			}),
			{ numRuns: 100_000 },
		);
		// The generator must reach both sides, or the properties say nothing.
		expect(accepted).toBeGreaterThan(10_000);
	});
});
