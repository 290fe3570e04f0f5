import type { IDataObject } from 'n8n-workflow';

import { rows, sampleFields } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* Mappings that lack something must not become payments. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const FIELDS = sampleFields({ amount: '={{ $json.amount }}' });
const requests = async () => (await bench.sandbox.client.getCounts()).transactions.requests;
/** Of what is recorded, the newest first. */
const references = async () =>
	(await bench.sandbox.client.listTransactions()).items.map(
		({ transaction }) => transaction.reference,
	);

describe('an expression inside a text that has no value', () => {
	test.each([
		['that the item lacks', 'INV-{{ $json.no }}', '{{ $json.no }}'],
		['that is empty', 'INV-{{ $json.blank }}', '{{ $json.blank }}'],
		['that is null', 'INV-{{ $json.nothing }}', '{{ $json.nothing }}'],
		['beside one that has one', '{{ $json.amount }}/{{ $json.no }}', '{{ $json.no }}'],
		['calculated', 'INV-{{ $json.no?.toUpperCase() }}', '{{ $json.no?.toUpperCase() }}'],
		['that became text', 'INV-{{ String($json.no) }}', '{{ String($json.no) }}'],
		['an object', 'INV-{{ $json.sender }}', '{{ $json.sender }}'],
	])('%s: %s', async (_, text, expression) => {
		const { error } = await bench.run(
			rows(1, () => ({ blank: ' ', nothing: null })),
			{ ...FIELDS, externalId: `=${text}` },
		);
		expect(error?.message).toMatch(/^'External ID': /);
		expect(error?.message).toContain(`The expression ${expression} inside the text`);
		expect(await requests()).toBe(0);
	});

	test('is rejected in every field, and the others of the item are read', async () => {
		const { json: output } = await bench.run(
			rows(3, (index) => (index === 1 ? {} : { no: index })),
			{
				...FIELDS,
				externalId: '={{ "INV-" + $itemIndex }}',
				reference: '=No. {{ $json.no }} of {{ $json.amount.toUpperCase() }}',
			},
			{ onError: 'continueRegularOutput' },
		);
		expect(output.map(({ externalId }) => externalId)).toEqual(['INV-0', 'INV-1', 'INV-2']);
		expect(output[1].message).toContain('{{ $json.no }}');
		expect((await references()).sort()).toEqual(['No. 0 of 1.50', 'No. 2 of 3.50']);
		expect(await requests()).toBe(2);
	});
});

describe('an expression in a field that is set to Fixed', () => {
	test.each([
		[{ ...FIELDS, externalId: 'INV-{{ $json.no }}' }, "'External ID'"],
		[{ ...FIELDS, amount: '{{ $json.amount }}' }, "'Amount'"],
		[{ ...FIELDS, additionalFields: { eventId: '{{ $json.id }}' } }, "'Event ID'"],
	])('%j', async (parameters, field) => {
		const { error } = await bench.run(rows(1), parameters as IDataObject);
		expect(error?.message).toMatch(new RegExp(`^${field}: .*Fixed`));
		expect(error?.description).toContain('Expression');
		expect(await requests()).toBe(0);
	});

	test('but not in the data of the input, which is what it is', async () => {
		const item = rows(1, () => ({ reference: 'Template {{ name }}' }));
		const { json: output } = await bench.run(item);
		expect(output).toMatchObject([{ outcome: 'created' }]);
		expect(await references()).toEqual(['Template {{ name }}']);
		await bench.run(item, { ...FIELDS, externalId: 'x', reference: '={{ $json.reference }}' });
		expect(await references()).toEqual(['Template {{ name }}', 'Template {{ name }}']);
	});
});
