import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createTransactions } from '../../../../nodes/Payments/createTransactions';
import type { Faults } from '../../../../sandbox/types';
import { fieldsFromJson, rows } from '../../../support/builders/transactions';
import { readRun, useBench, type PaymentsBench } from '../../../support/engine/payments';

/* The options Max Amount and Max Total per Execution, and what else keeps payments back. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const withOptions = (options: IDataObject) => ({ specifyTransaction: 'item', options });
const amounts = (...list: string[]) => rows(list.length, (index) => ({ amount: list[index] }));
const counts = async () => (await bench.sandbox.client.getCounts()).transactions;
const storedAmounts = async () => {
	const { items } = await bench.sandbox.client.listTransactions({ limit: 200 });
	return items.map(({ transaction }) => transaction.amount).sort();
};
const onError = 'continueRegularOutput' as const;

test('with On Error: Continue, those that fit are created, in the order of the items', async () => {
	const { json } = await bench.run(
		amounts('60', '50', '100.01', '-40', '40', '0.01'),
		withOptions({ maxAmount: 100, maxTotal: 'EUR 100' }),
		{ onError },
	);
	const created = json.filter(({ outcome }) => outcome === 'created');
	expect(created.map(({ amount }) => amount)).toEqual(['60.00', '40.00']);
	expect(json.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(4);
	expect(await storedAmounts()).toEqual(['40.00', '60.00']);
});

test('several runs of the node in one execution share the total', async () => {
	const parameters = {
		...withOptions({ maxTotal: 'EUR 100' }),
		...fieldsFromJson({ externalId: '={{ $json.externalId }}-{{ $runIndex }}' }),
	};
	await bench.begin(amounts('40'), parameters, { onError }, 4).finished;
	expect(await storedAmounts()).toEqual(['40.00', '40.00']);
	// Another execution begins with nothing.
	await bench.begin(
		rows(1, () => ({ amount: '40', externalId: 'b' })),
		parameters,
	).finished;
	expect(await storedAmounts()).toEqual(['40.00', '40.00', '40.00']);
});

test('the same payment when the node runs again in the execution counts once', async () => {
	await bench.begin(amounts('60'), withOptions({ maxTotal: '100' }), { onError }, 3).finished;
	expect(await counts()).toMatchObject({ requests: 3, created: 1 });
});

/** The items become other payments each time the node is tried. */
const CHANGING_IDS = {
	...fieldsFromJson({ externalId: '={{ String(Math.random()) }}' }),
	options: { maxTotal: '100', maxConcurrentRequests: 1, maxRetryTime: 0 },
};

test.each<[string, Faults['next']]>([
	['rejected', [{ status: 400 }]],
	['not sent', [{ on: 'token', status: 500 }]],
])('what was %s or not begun does not count when the node is tried again', async (_, next) => {
	await bench.sandbox.client.setFaults({ next });
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const { run } = await bench.run(amounts('50', '50'), CHANGING_IDS, retry);
	expect(run.status).toBe('success');
	expect(await storedAmounts()).toEqual(['50.00', '50.00']);
	expect((await bench.sandbox.client.getFaults()).next).toEqual([]);
});

test('what may be recorded counts when the node runs again', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 500 }] });
	const { run } = readRun(await bench.begin(amounts('60'), CHANGING_IDS, { onError }, 2).finished);
	const outcomes = run.data.resultData.runData.Payments.map(
		({ data }) => data?.main[0]?.[0].json.outcome,
	);
	expect(outcomes).toEqual(['unknown', 'invalid']);
	expect((await counts()).requests).toBe(1);
});

test('calls at the same time, as of an agent, share the total, because each counts before it waits', async () => {
	const nodeType = {
		async execute(this: IExecuteFunctions) {
			const calls = await Promise.all(
				Array.from({ length: 3 }, async () => createTransactions.call(this)),
			);
			return [calls.flatMap(([items]) => items)];
		},
	};
	const { json } = readRun(
		await bench.begin(amounts('40'), CHANGING_IDS, { onError }, 1, nodeType).finished,
	);
	expect(json.map(({ outcome }) => outcome).sort()).toEqual(['created', 'created', 'invalid']);
	expect(await storedAmounts()).toEqual(['40.00', '40.00']);
});
