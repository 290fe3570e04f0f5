import { outputOf } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
import { sharedN8n, useService } from './shared';

const n8n = sharedN8n();
const service = useService(n8n);

const example = readExample('rows-to-transactions');

test('rows become transactions, item for item, and each only once', async () => {
	const workflow = await n8n.importWorkflow(example, [service.credential]);
	const first = await n8n.run(workflow, 'When clicking ‘Execute workflow’');
	const second = await n8n.run(workflow, 'When clicking ‘Execute workflow’');

	expect([first.status, second.status]).toEqual(['success', 'success']);
	const created = outputOf(first, 'Create Transactions');
	// The others have something to correct: see templates.test.ts.
	const rows = outputOf(first, 'Split Out Rows')
		.map(({ json }) => json)
		.slice(0, 4);
	expect(
		created.map(({ json }) => [json.externalId, json.amount, json.currency, json.outcome]),
	).toEqual(rows.map((row) => [row.id, row.amount, row.currency, 'created']));
	expect(created.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(outputOf(second, 'Create Transactions').map(({ json }) => json.outcome)).toEqual(
		rows.map(() => 'duplicate'),
	);

	const { items } = await service.sandbox.client.listTransactions();
	expect(items.map(({ seen }) => seen)).toEqual(rows.map(() => 2));
	const transactions = items.map(({ transaction }) => transaction);
	for (const { id, scheme } of rows)
		expect(transactions.find(({ externalId }) => externalId === id)).toMatchObject({
			paymentScheme: scheme,
		});
	expect(transactions.find(({ externalId }) => externalId === 'INV-2026-0101')).toEqual({
		eventId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/) as string,
		externalId: 'INV-2026-0101',
		externalStatus: 'booked',
		reference: 'Invoice 2026-0101',
		amount: '2501.00',
		currency: 'EUR',
		baseAmount: '2501.00',
		paymentScheme: 'SCT',
		sender: {
			externalEntityId: 'north-windmills',
			externalPaymentChannelId: 'north-windmills-account',
			countryCode: 'BE',
		},
		recipient: {
			externalEntityId: 'harbour-bakery',
			externalPaymentChannelId: 'harbour-bakery-eur-account',
			countryCode: 'DK',
		},
		externalCreatedAt: Date.parse('2026-11-02T09:15:00Z'),
		receivedAt: Date.parse('2026-11-02T09:15:00Z'),
	});
	// One token for both runs: n8n keeps it with the credential.
	expect((await service.sandbox.client.getCounts()).tokens.issued).toBe(1);
});
