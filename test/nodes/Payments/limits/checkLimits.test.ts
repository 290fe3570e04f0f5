import { limitsCheck } from '../../../../nodes/Payments/limits/checkLimits';
import { parseCredentialLimits } from '../../../../nodes/Payments/limits/parseLimits';
import { parseOptions } from '../../../../nodes/Payments/options';
import { TotalsMemory } from '../../../../nodes/Payments/limits/totalsMemory';
import type { Transaction } from '../../../../nodes/Payments/Transaction';
import { addDecimals, compareDecimals, isDecimal } from '../../../../nodes/Payments/decimals';
import { SAMPLE, sampleInput, validateItem } from '../../../support/builders/transactions';
import { fc } from '../../../support/properties';

const payment = (amount: string, currency = 'EUR', eventId = `${currency} ${amount}`) => ({
	...SAMPLE,
	eventId,
	amount,
	currency,
});

const NO_LIMITS = parseCredentialLimits({}).value!;

/** What is said of each payment: `undefined` for those within the limits. */
const problemsOf = (
	payments: Transaction[],
	options: Record<string, unknown>,
	sent = new TotalsMemory().of('execution'),
) => {
	const limits = { credential: NO_LIMITS, options: parseOptions(options).value! };
	return payments.map(limitsCheck(limits, sent));
};

/** Which payments are within the limits. */
const isAllowed = (...args: Parameters<typeof problemsOf>) =>
	problemsOf(...args).map((problem) => problem === undefined);

describe('the limits of the credential', () => {
	const check = (credential: Record<string, unknown>, changes: Record<string, unknown>) => {
		const { value: ofCredential, problem } = parseCredentialLimits(credential);
		if (problem) throw new Error(problem.message);
		const { transaction } = validateItem(sampleInput(changes), { timeZone: 'UTC' });
		const limits = { credential: ofCredential, options: parseOptions({}).value! };
		return limitsCheck(limits, new TotalsMemory().of('execution'))(transaction!);
	};
	const CURRENCIES = { allowedCurrencies: 'EUR, usd' };
	const CHANNELS = { allowedRecipients: 'vac_1, vac_2' };
	const recipient = (entity: string, channel: string) => ({
		'recipient.externalEntityId': entity,
		'recipient.externalPaymentChannelId': channel,
	});

	test.each([
		[{ maxAmounts: 'EUR 10' }, { amount: '10' }],
		[CURRENCIES, { currency: 'USD' }],
		[CHANNELS, recipient('eus_1', 'vac_1')],
		[CHANNELS, recipient('vac_x', 'vac_2')],
	])('%j allow %j', (credential, changes) => expect(check(credential, changes)).toBeUndefined());

	const CHANNEL = 'recipient.externalPaymentChannelId';

	test.each([
		[{ maxAmounts: 'EUR 10' }, { amount: '10.01' }, 'amount', /10\.01 EUR .* 10 EUR/],
		[CURRENCIES, { currency: 'GBP' }, 'currency', /'Allowed Currencies': EUR, USD/],
		[CHANNELS, recipient('vac_1', 'vac_x'), CHANNEL, /"vac_x" .* 'Allowed Recipients'/],
		[CHANNELS, recipient('vac_1', 'VAC_1'), CHANNEL, /"VAC_1"/],
		[CHANNELS, recipient('vac_1', 'vac'), CHANNEL, /"vac"/],
	])('%j refuse %j', (credential, changes, field, message) => {
		const problem = check(credential, changes);
		const expected = { field, message: expect.stringMatching(message) as string };
		expect(problem).toMatchObject({ ...expected, isBeyondLimit: true });
		// Who else may receive funds isn't told.
		expect(JSON.stringify(problem)).not.toMatch(/vac_[12]/);
	});

	test.each([
		{ maxAmounts: null },
		{ allowedRecipients: true },
		{ maxAmounts: '1,000' },
		{ allowedCurrencies: 'EURO' },
		{ allowedRecipients: 'vac_1,,vac_2' },
	])('that are %j are not taken for none', (credential) =>
		expect(parseCredentialLimits(credential).problem?.message).toContain('in the credential'),
	);
});

test.each([
	['1000', '1000.00', 'EUR'],
	['EUR 1000, any 5', '1000', 'EUR'],
	['eur 0.1', '0.10', 'EUR'],
])('a Max Amount of %s allows %s %s', (maxAmount, amount, currency) =>
	expect(problemsOf([payment(amount, currency)], { maxAmount })).toEqual([undefined]),
);

test.each([
	['1000', '1000.01', 'USD', 'amount', /1000\.01 USD.*1000 USD.*'Max Amount'/],
	['EUR 1000, any 5', '5.01', 'USD', 'amount', /5\.01 USD/],
	['EUR 9007199254740993', '9007199254740993.01', 'EUR', 'amount', /9007199254740993\.01/],
	['EUR 1000', '1', 'USD', 'currency', /'Max Amount'.*EUR.*USD isn't allowed/],
])('a Max Amount of %s refuses %s %s', (maxAmount, amount, currency, field, message) =>
	expect(problemsOf([payment(amount, currency)], { maxAmount })).toEqual([
		{
			field,
			message: expect.stringMatching(message) as string,
			fix: expect.stringContaining('change the option') as string,
			isBeyondLimit: true,
		},
	]),
);

describe('Max Total per Execution', () => {
	test('counts in the order of the items, and what does not fit does not count', () => {
		const payments = [payment('600.50'), payment('500'), payment('399.50'), payment('0.01')];
		const problems = problemsOf(payments, { maxTotal: 'EUR 1000' });
		expect(problems.map((problem) => !problem)).toEqual([true, false, true, false]);
		expect(problems[1]?.message).toMatch(
			/500 EUR.*1100\.50 EUR.*1000 EUR.*'Max Total per Execution'/,
		);
	});

	test('what an execution has sent counts once, for its next run, and for no other', () => {
		const memory = new TotalsMemory();
		memory.add('one', [payment('600', 'EUR', 'id')]);
		const limit = { maxTotal: '1000' };
		expect(isAllowed([payment('500')], limit, memory.of('one'))).toEqual([false]);
		expect(isAllowed([payment('500')], limit, memory.of('two'))).toEqual([true]);
		// The same one doesn't count again, but with another amount it does.
		const again = [payment('600', 'EUR', 'id'), payment('400'), payment('700', 'EUR', 'id')];
		expect(isAllowed(again, limit, memory.of('one'))).toEqual([true, true, false]);
	});

	test('an Event ID in two forms of Unicode counts once', () => {
		const memory = new TotalsMemory();
		memory.add('one', [payment('600', 'EUR', 'M\u00fcller')]);
		expect(memory.of('one').has(payment('600', 'EUR', 'Mu\u0308ller'))).toBe(true);
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
			}),
		);
	});
});

describe('the sum of what an execution has sent', () => {
	test('is kept for 24 hours after it has last sent something', () => {
		const HOUR_MS = 3_600_000;
		const now = jest.spyOn(Date, 'now').mockReturnValue(0);
		const memory = new TotalsMemory();
		const totalAt = (hours: number) => {
			now.mockReturnValue(hours * HOUR_MS);
			return memory.of('one').totalOf('EUR');
		};
		memory.add('one', [payment('1')]);
		expect(totalAt(23.9)).toBe('1');
		memory.add('one', [payment('2')]);
		expect(totalAt(47.8)).toBe('3');
		expect(totalAt(48)).toBe('0');
		now.mockRestore();
	});

	test('beyond the bound, payments count again, and totals are kept', () => {
		const memory = new TotalsMemory(2, 3);
		memory.add('one', [payment('1'), payment('2')]);
		memory.add('two', [payment('1'), payment('2')]);
		expect(memory.of('one').has(payment('1'))).toBe(false);
		expect(memory.of('one').totalOf('EUR')).toBe('3');
	});

	test('after an execution was forgotten, what it sent before is not taken back from the same', () => {
		const memory = new TotalsMemory(1, 100);
		const takeBack = memory.add('one', [payment('100')]);
		memory.add('two', [payment('1')]);
		memory.add('one', [payment('100')]);
		takeBack([payment('100')]);
		expect(memory.of('one').totalOf('EUR')).toBe('100');
	});

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
});
