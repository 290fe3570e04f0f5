import type { IDataObject } from 'n8n-workflow';

import { fieldsFromJson, rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const requests = async () => (await bench.sandbox.client.getCounts()).transactions.requests;

// The rest of it is in test/nodes/shared/collection.test.ts.
test.each<[IDataObject, RegExp]>([
	[{ additionalFields: { event_id: '={{ $json.id }}' } }, /'Additional Fields'.*"event_id"/],
	[{ additionalFields: '={{ ({ eventId: "e" }) }}' }, /'Additional Fields'.*not a collection/],
	[{ options: { dry_run: true } }, /'Options'.*"dry_run"/],
	[{ options: '={{ ({ dryRun: true }) }}' }, /'Options'.*not a collection/],
])('what n8n would drop from a collection stops the node: %j', async (parameters, message) => {
	const { error } = await bench.run(rows(2), fieldsFromJson(parameters));
	expect(error?.message).toMatch(message);
	expect(error?.description).toContain('Nothing was sent.');
	expect(await requests()).toBe(0);
});

test('a hidden collection of the other source does not count', async () => {
	const parameters = { specifyTransaction: 'item', additionalFields: { event_id: 'e' } };
	expect((await bench.run(rows(1), parameters)).json).toMatchObject([{ outcome: 'created' }]);
});

describe('a field that is set, and has no value in an item', () => {
	const ID = { additionalFields: { eventId: '={{ $json.id }}' } };
	const NO_ID = "'Event ID': The field is empty in this item";

	test.each<[string, IDataObject, IDataObject, string]>([
		['an Event ID without a value', ID, {}, NO_ID],
		['an Event ID of blanks', ID, { id: ' ' }, NO_ID],
		['an Event ID that is left empty', { additionalFields: { eventId: '' } }, {}, NO_ID],
		[
			'Created At without a value',
			{ externalCreatedAt: '={{ $json.date }}', ...ID },
			{ id: 'e1' },
			"'Created At': The expression gave no value",
		],
		[
			'a text with an expression without a value',
			{ reference: '=No. {{ $json.no }}' },
			{ no: ' ' },
			"'Reference': The expression {{ $json.no }} inside the text has no value",
		],
	])('%s makes it invalid', async (_, parameters, json, message) => {
		const items = rows(3, (index) =>
			index === 1 ? json : { id: `event-${index}`, date: '2026-11-02', no: 7 },
		);
		const outcome = await bench.run(items, fieldsFromJson(parameters));
		expect(outcome.error?.message).toContain(message);
		expect(await requests()).toBe(0);
	});

	test('is all right if it is External Status, Base Amount, or Received At', async () => {
		const additionalFields = { externalStatus: '', baseAmount: '={{ $json.no }}', receivedAt: '' };
		const { json } = await bench.run(rows(1), fieldsFromJson({ additionalFields }));
		expect(json).toMatchObject([{ outcome: 'created' }]);
	});
});

test('empty rows are one line, however many there are, and whatever is read from them', async () => {
	const blank = { amount: '', id: ' ', row_number: 9 };
	const items = [...rows(2), blank, blank, blank] as IDataObject[];
	const ID = { externalId: '=INV-{{ $json.id }}', currency: 'EUR' };
	for (const parameters of [{ specifyTransaction: 'item' }, fieldsFromJson(ID)]) {
		const { error } = await bench.run(
			items.map((item, index) => ({ ...item, ...(index < 2 && { id: index }) })),
			parameters,
		);
		expect(error?.message).toBe('3 of 5 items to correct: The item is empty. Nothing was sent');
		expect(error?.description).toBe('[rows 9, 9, 9] Remove the row, or filter it out.');
	}
	// A manual trigger gives no row.
	const { error } = await bench.run([{}], fieldsFromJson());
	expect(error?.message).toMatch(/^'Amount',.*: The expression gave no value/);
});
