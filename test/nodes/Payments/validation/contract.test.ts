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

test('a small amount may come to zero in the base currency', () => {
	expect(problemsOf({ amount: '0.01', baseAmount: '0.00' })).toEqual([]);
});

describe('values that are rejected, with field and fix', () => {
	test.each([
		['amount', '', 'empty'],
		['amount', 0, 'above zero'],
		['amount', '0.00', 'above zero'],
		['reference', '', 'empty'],
		['reference', { a: 1 }, 'as text'],
		['externalId', '  ', 'empty'],
		['sender.countryCode', 'EU', 'ISO 3166'],
		['externalCreatedAt', 1748432324, 'Multiply it by 1000'],
		['receivedAt', '1748432324', 'Multiply it by 1000'],
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
