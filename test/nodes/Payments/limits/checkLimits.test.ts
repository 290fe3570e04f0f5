import {
	optionLimitsCheck,
	type OptionLimits,
} from '../../../../nodes/Payments/limits/checkLimits';
import { parseOptions } from '../../../../nodes/Payments/options';
import { TotalsMemory } from '../../../../nodes/Payments/limits/totalsMemory';
import type { Transaction } from '../../../../nodes/Payments/Transaction';
import { addDecimals, compareDecimals, isDecimal } from '../../../../nodes/Payments/decimals';
import { SAMPLE } from '../../../support/builders/transactions';
import { fc } from '../../../support/properties';

const limitsOf = (options: Record<string, unknown>): OptionLimits => {
	const { value, problem } = parseOptions(options);
	if (problem) throw new Error(problem.message);
	return value;
};
const payment = (amount: string, currency = 'EUR', eventId = `${currency} ${amount}`) => ({
	...SAMPLE,
	eventId,
	amount,
	currency,
});
const nothingSent = () => new TotalsMemory().of('execution');

/** What is said of each payment: `undefined` for those within the limits. */
const problemsOf = (
	payments: Transaction[],
	options: Record<string, unknown>,
	sent = nothingSent(),
) => payments.map(optionLimitsCheck(limitsOf(options), sent));

describe('Max Amount', () => {
	test.each([
		['1000', '1000.00', 'EUR', true],
		['1000', '1000.01', 'EUR', false],
		['1000', '999.999', 'USD', true],
		['EUR 1000', '1000', 'EUR', true],
		['EUR 1000, any 5', '1000', 'EUR', true],
		['EUR 1000, any 5', '5.01', 'USD', false],
		['eur 0.1', '0.10', 'EUR', true],
		['EUR 9007199254740993', '9007199254740992.99', 'EUR', true],
		['EUR 9007199254740993', '9007199254740993.01', 'EUR', false],
	])('%s: %s %s', (maxAmount, amount, currency, isAllowed) => {
		const [problem] = problemsOf([payment(amount, currency)], { maxAmount });
		expect(problem === undefined).toBe(isAllowed);
	});

	test('names the amount, the limit, and the option', () => {
		expect(problemsOf([payment('1500.00')], { maxAmount: 'EUR 1000' })).toEqual([
			{
				field: 'amount',
				message: expect.stringMatching(/1500\.00 EUR.*1000 EUR.*'Max Amount'/) as string,
				fix: expect.stringContaining('change the option') as string,
				isBeyondLimit: true,
			},
		]);
	});

	test('with limits for other currencies only, a currency is not allowed', () => {
		expect(problemsOf([payment('1', 'USD')], { maxAmount: 'EUR 1000' })).toEqual([
			{
				field: 'currency',
				message: expect.stringMatching(/'Max Amount'.*EUR.*USD isn't allowed/) as string,
				fix: expect.stringContaining('change the option') as string,
				isBeyondLimit: true,
			},
		]);
	});
});

describe('Max Total per Execution', () => {
	test('counts in the order of the items, and what does not fit does not count', () => {
		const payments = [payment('600'), payment('500'), payment('400', 'EUR', 'a'), payment('0.01')];
		const isAllowed = problemsOf(payments, { maxTotal: '1000' }).map((problem) => !problem);
		expect(isAllowed).toEqual([true, false, true, false]);
	});

	test('names the amount, the total, the limit, and the option', () => {
		const payments = [payment('600.50'), payment('500')];
		expect(problemsOf(payments, { maxTotal: 'EUR 1000' })[1]?.message).toMatch(
			/500 EUR.*1100\.50 EUR.*1000 EUR.*'Max Total per Execution'/,
		);
	});

	test('whatever the amounts are, the accepted ones never exceed it, also over several runs', () => {
		const cents = fc.nat({ max: 100_000 }).map((value) => (value / 100).toFixed(2));
		const runs = fc.array(fc.array(cents, { maxLength: 6 }), { maxLength: 5 });
		fc.assert(
			fc.property(runs, cents, (amountsOfRuns, maxTotal) => {
				const memory = new TotalsMemory();
				let total = '0';
				for (const [run, amounts] of amountsOfRuns.entries()) {
					const payments = amounts.map((amount, index) =>
						payment(amount, 'EUR', `${run} ${index}`),
					);
					const problems = problemsOf(payments, { maxTotal }, memory.of('execution'));
					const accepted = payments.filter((_, index) => !problems[index]);
					memory.add('execution', accepted);
					for (const { amount } of accepted) total = addDecimals(total, amount);
				}
				expect(compareDecimals(total, maxTotal)).toBeLessThanOrEqual(0);
				expect(compareDecimals(memory.of('execution').totalOf('EUR'), total)).toBe(0);
			}),
		);
	});
});

describe('what an execution has sent', () => {
	test('counts for its next run, and for no other execution', () => {
		const memory = new TotalsMemory();
		memory.add('one', [payment('600')]);
		expect(problemsOf([payment('500')], { maxTotal: '1000' }, memory.of('one'))[0]).toBeDefined();
		expect(problemsOf([payment('500')], { maxTotal: '1000' }, memory.of('two'))[0]).toBeUndefined();
	});

	test('the same payment counts once, with another amount twice', () => {
		const memory = new TotalsMemory();
		memory.add('one', [payment('600', 'EUR', 'id')]);
		memory.add('one', [payment('600', 'EUR', 'id')]);
		expect(memory.of('one').totalOf('EUR')).toBe('600');
		memory.add('one', [payment('700', 'EUR', 'id')]);
		expect(memory.of('one').totalOf('EUR')).toBe('1300');
		const sent = memory.of('one');
		expect(problemsOf([payment('600', 'EUR', 'id')], { maxTotal: '600' }, sent)).toEqual([
			undefined,
		]);
	});

	test('a payment that is not recorded is taken back', () => {
		const memory = new TotalsMemory();
		const takeBack = memory.add('one', [payment('600.50'), payment('1')]);
		takeBack([payment('600.50'), payment('7')]);
		expect(memory.of('one').totalOf('EUR')).toBe('1.00');
	});

	test('a payment that was sent twice stays counted when one of both is not recorded', () => {
		const memory = new TotalsMemory();
		const takeBack = memory.add('one', [payment('600')]);
		const takeBackOther = memory.add('one', [payment('600')]);
		takeBack([payment('600')]);
		expect(memory.of('one').totalOf('EUR')).toBe('600');
		takeBackOther([payment('600')]);
		expect(memory.of('one').totalOf('EUR')).toBe('0');
	});

	test('beyond the bound, payments count again, and totals are kept', () => {
		const memory = new TotalsMemory(2, 3);
		memory.add('one', [payment('1'), payment('2')]);
		memory.add('two', [payment('1'), payment('2')]);
		expect(memory.of('one').has(payment('1'))).toBe(false);
		expect(memory.of('one').totalOf('EUR')).toBe('3');
	});

	test('beyond the bound, the execution that has sent nothing for the longest time is forgotten', () => {
		const memory = new TotalsMemory(2, 100);
		memory.add('one', [payment('1')]);
		memory.add('two', [payment('1')]);
		memory.add('one', [payment('2')]);
		memory.add('three', [payment('1')]);
		const totals = ['one', 'two', 'three'].map((one) => memory.of(one).totalOf('EUR'));
		expect(totals).toEqual(['3', '0', '1']);
	});

	test.each([
		['other payments', ['5'], '5'],
		['the same payment', ['100'], '100'],
		['nothing', [], '0'],
	])(
		'after an execution was forgotten, what it sent before is not taken back from %s',
		(_, since, total) => {
			const memory = new TotalsMemory(1, 100);
			const takeBack = memory.add('one', [payment('100')]);
			memory.add('two', [payment('1')]);
			memory.add(
				'one',
				since.map((amount) => payment(amount)),
			);
			takeBack([payment('100')]);
			expect(memory.of('one').totalOf('EUR')).toBe(total);
		},
	);

	test('whatever is added, taken back, and forgotten, a sum is not below what was sent', () => {
		const call = fc.record({
			execution: fc.constantFrom('a', 'b', 'c'),
			indexes: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 4 }),
			/** Which of the calls before it ends first, if one does. */
			ends: fc.option(fc.nat()),
		});
		const bound = fc.constantFrom(1, 2, 100);
		const payments = ['0.1', '0.02', '100', '7', '7.00', '0.001'].map((amount, index) =>
			payment(amount, index < 2 ? 'USD' : 'EUR', `id ${index % 4}`),
		);
		const sumOf = (times: number[], currency: string) =>
			payments
				.filter((one, index) => one.currency === currency && times[index] > 0)
				.reduce((sum, { amount }) => addDecimals(sum, amount), '0');
		fc.assert(
			fc.property(fc.array(call, { maxLength: 25 }), bound, bound, (calls, most, mostPayments) => {
				const memory = new TotalsMemory(most, mostPayments);
				/** How often each payment was sent, by execution, the one to be forgotten first. */
				const sent = new Map<string, number[]>();
				const open: Array<() => void> = [];
				for (const { execution, indexes, ends } of calls) {
					if (ends !== null && open.length > 0) open.splice(ends % open.length, 1)[0]();
					const ofCall = indexes.map((index) => payments[index]);
					const takeBack = memory.add(execution, ofCall);
					const times = sent.get(execution) ?? payments.map(() => 0);
					for (const index of indexes) times[index]++;
					if (indexes.length > 0) {
						sent.delete(execution);
						sent.set(execution, times);
					}
					if (sent.size > most) sent.delete([...sent.keys()][0]);
					open.push(() => {
						takeBack(ofCall);
						for (const index of indexes) times[index]--;
					});
					for (const name of ['a', 'b', 'c']) {
						for (const currency of ['EUR', 'USD']) {
							const total = memory.of(name).totalOf(currency);
							const least = sumOf(sent.get(name) ?? [], currency);
							const order = isDecimal(total) ? compareDecimals(total, least) : -1;
							if (order < 0 || (mostPayments === 100 && order > 0)) return false;
						}
					}
				}
				return true;
			}),
		);
	});

	test('an execution without a payment takes no place', () => {
		const memory = new TotalsMemory(1, 100);
		memory.add('one', [payment('1')]);
		memory.add('two', []);
		expect(memory.of('one').totalOf('EUR')).toBe('1');
	});
});
