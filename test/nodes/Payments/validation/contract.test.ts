import { deepStrictEqual } from 'node:assert';

import type { ValidationRules } from '../../../../nodes/Payments/validation/validate';
import { document, newValidator } from '../../../../sandbox/contract';
import {
	anyInput,
	SAMPLE,
	sampleInput,
	validateItem,
} from '../../../support/builders/transactions';
import { fc, propertyRuns, leastOf } from '../../../support/properties';

const RULES: ValidationRules = { timeZone: 'Europe/Berlin' };
/** Whether the contract (sandbox/openapi.yaml) accepts a request body. */
const fitsContract = newValidator({ strictSchema: false })
	.addSchema(document, 'contract')
	.getSchema('contract#/components/schemas/Transaction')!;

test('the sample of the specification is taken as it is', () => {
	expect(validateItem(SAMPLE, RULES)).toEqual({
		transaction: SAMPLE,
		hasCustomEventId: true,
	});
});

test('a small amount may come to zero in the base currency', () => {
	const small = sampleInput({ amount: '0.01', baseAmount: '0.00' });
	expect(validateItem(small, RULES).problems).toBeUndefined();
});

test('no input throws; what is accepted fits the contract and reads back as itself', () => {
	const numRuns = propertyRuns(100_000);
	let accepted = 0;
	fc.assert(
		fc.property(anyInput, (input) => {
			const { transaction } = validateItem(input, RULES);
			if (!transaction) return;
			accepted++;
			// Node's own assertions: a hundred thousand of Jest's take most of the time of all tests.
			deepStrictEqual([fitsContract(transaction), fitsContract.errors], [true, null]);
			deepStrictEqual(
				validateItem(JSON.parse(JSON.stringify(transaction)), RULES).transaction,
				transaction,
			);
		}),
		{ numRuns },
	);
	// The generator must reach both sides, or the property says nothing.
	expect(accepted).toBeGreaterThanOrEqual(leastOf(1 / 10, numRuns));
});
