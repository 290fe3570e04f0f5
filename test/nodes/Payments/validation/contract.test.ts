import { deepStrictEqual } from 'node:assert';

import type { ValidationRules } from '../../../../nodes/Payments/validation/validate';
import { asSentences } from '../../../../nodes/shared/result';
import { contractAccepts } from '../../../support/contract';
import {
	anyInput,
	SAMPLE,
	sampleInput,
	validateItem,
} from '../../../support/builders/transactions';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };
const read = (changes: Record<string, unknown>, rules: Partial<ValidationRules> = {}) =>
	validateItem(sampleInput(changes), { ...RULES, ...rules });
const problemsOf = (changes: Record<string, unknown>, rules: Partial<ValidationRules> = {}) =>
	read(changes, rules).problems ?? [];

test('the sample of the specification is taken as it is', () => {
	expect(validateItem(SAMPLE, RULES)).toEqual({
		transaction: SAMPLE,
		hasCustomEventId: true,
	});
});

describe('values that are forgiven', () => {
	test.each([
		['amount', 2501, '2501'],
		['amount', 0.1, '0.1'],
		['amount', ' 10.50 ', '10.50'],
		['amount', '0007.5', '7.5'],
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
		// ICU shows these without decimals in everyday use; ISO 4217 has two, so a valid payment must
		// not be rejected.
		['HUF', '100.50', true],
		['IDR', '100.50', true],
	])('decimals of %s: %s', (currency, amount, accepted) => {
		expect(problemsOf({ currency, amount, baseAmount: '1' }).length === 0).toBe(accepted);
	});
});

test('a small amount may come to zero in the base currency', () => {
	expect(problemsOf({ amount: '0.01', baseAmount: '0.00' })).toEqual([]);
});

describe('values that are rejected, with field and fix', () => {
	test.each([
		['amount', '', 'empty'],
		['amount', 0, 'above zero'],
		['amount', '0.00', 'above zero'],
		['amount', ' 000 ', 'above zero'],
		['amount', '12,50', 'no comma'],
		['amount', '1 000', '1234.50'],
		['amount', '-5', 'no sign'],
		['amount', '1e3', '1234.50'],
		['amount', 1e21, '1234.50'],
		['amount', 0.1 + 0.2, 'as text'],
		['amount', NaN, '1234.50'],
		['amount', true, 'an amount'],
		['amount', ['1'], 'A list'],
		['currency', 'EURO', 'ISO 4217'],
		['currency', 978, 'ISO 4217'],
		['baseAmount', 'x', '1234.50'],
		['reference', '', 'empty'],
		['reference', { a: 1 }, 'as text'],
		['externalId', '  ', 'empty'],
		['externalId', 1.5, 'as text'],
		['paymentScheme', null, 'empty'],
		['eventId', {}, 'as text'],
		['sender.countryCode', 'UK', 'GB'],
		['sender.countryCode', 'EU', 'ISO 3166'],
		['recipient.countryCode', '', 'empty'],
		['sender.externalEntityId', undefined, 'empty'],
		['externalCreatedAt', 1748432324, 'Multiply it by 1000'],
		['receivedAt', '1748432324', 'Multiply it by 1000'],
		['externalCreatedAt', 1748432324513000, 'too large'],
		['externalCreatedAt', 1748432324513.5, '2025-05-28T11:38:44Z'],
		['externalCreatedAt', '2025-02-30', '2025-05-28T11:38:44Z'],
		['externalCreatedAt', '0085-01-01', '1973'],
		['externalCreatedAt', '2025-05-28T11:38:44+99:99', '2025-05-28T11:38:44Z'],
		['externalCreatedAt', 'yesterday', '2025-05-28T11:38:44Z'],
		['externalCreatedAt', -1, '1973'],
		['externalCreatedAt', new Date(NaN), '2025-05-28T11:38:44Z'],
	])('%s %p: %s', (field, given, words) => {
		const problems = problemsOf({ [field]: given });
		expect(problems.map((problem) => problem.field)).toEqual([field]);
		expect(asSentences(problems[0])).toContain(words);
	});

	test('all problems of an item are listed at once', () => {
		const fields = problemsOf({
			amount: 'x',
			currency: 'x',
			'sender.countryCode': 'x',
			reference: '',
		}).map(({ field }) => field);
		expect(fields.sort()).toEqual(['amount', 'currency', 'reference', 'sender.countryCode']);
	});

	test('dotted names are the same as nested ones', () => {
		const { sender, ...rest } = SAMPLE;
		const dotted = Object.fromEntries(
			Object.entries(sender).map(([name, value]) => [`sender.${name}`, value]),
		);
		expect(validateItem({ ...rest, ...dotted }, RULES)).toEqual(validateItem(SAMPLE, RULES));
	});
});

describe('properties', () => {
	test('no input throws; what is accepted fits the contract and reads back as itself', () => {
		const numRuns = propertyRuns(100_000);
		let accepted = 0;
		fc.assert(
			fc.property(anyInput, (input) => {
				const { transaction } = validateItem(input, RULES);
				if (!transaction) return;
				accepted++;
				// Node's own assertions: a hundred thousand of Jest's take most of the time of all tests.
				deepStrictEqual(contractAccepts(transaction), []);
				deepStrictEqual(
					validateItem(JSON.parse(JSON.stringify(transaction)), RULES).transaction,
					transaction,
				);
			}),
			{ numRuns },
		);
		// The generator must reach both sides, or the properties say nothing.
		expect(accepted).toBeGreaterThanOrEqual(leastOf(1 / 10, numRuns));
	});
});
