import type { IDataObject } from 'n8n-workflow';

import { SAMPLE, rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* Mappings that lack something must not become payments. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const FIELDS = {
	specifyTransaction: 'fields',
	senderExternalEntityId: SAMPLE.sender.externalEntityId,
	senderExternalPaymentChannelId: SAMPLE.sender.externalPaymentChannelId,
	senderCountryCode: 'BE',
	recipientExternalEntityId: SAMPLE.recipient.externalEntityId,
	recipientExternalPaymentChannelId: SAMPLE.recipient.externalPaymentChannelId,
	recipientCountryCode: 'DK',
	amount: '={{ $json.amount }}',
	currency: 'EUR',
	reference: 'Invoice',
	paymentScheme: 'SCT',
	externalId: 'INV-1',
};
const JSON_FIELDS = JSON.stringify({ ...rows(1)[0], externalId: 'EXTERNAL_ID' });
const json = (externalId: string) => ({
	specifyTransaction: 'json',
	transactionJson: `=${JSON_FIELDS.replace('EXTERNAL_ID', externalId)}`,
});

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
		['that throws', 'INV-{{ $json.no.deeper }}', '{{ $json.no.deeper }}'],
		['that became text', 'INV-{{ String($json.no) }}', '{{ String($json.no) }}'],
		['a function', 'INV-{{ "x".trim }}', '{{ "x".trim }}'],
		['an object', 'INV-{{ $json.sender }}', '{{ $json.sender }}'],
	])('%s: %s', async (_, text, expression) => {
		for (const parameters of [{ ...FIELDS, externalId: `=${text}` }, json(text)]) {
			const { error } = await bench.run(
				rows(1, () => ({ blank: ' ', nothing: null })),
				parameters as IDataObject,
			);
			expect(error?.message).toMatch(/^('External ID'|'transaction'): /);
			expect(error?.message).toContain(`The expression ${expression} inside the text`);
		}
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
		expect(await references()).toEqual(['No. 2 of 3.50', 'No. 0 of 1.50']);
		expect(await requests()).toBe(2);
	});

	test('may be missing where it is all of a JSON string, as a field may be empty', async () => {
		const transactionJson = `=${JSON.stringify({ ...rows(1)[0], externalStatus: '{{ $json.no }}' })}`;
		const { json: output } = await bench.run([{}], { specifyTransaction: 'json', transactionJson });
		expect(output).toMatchObject([{ outcome: 'created' }]);
	});
});

test('a value with quotation marks does not become other fields of the JSON', async () => {
	const transactionJson = `=${JSON.stringify({ reference: '{{ $json.note }}', ...rows(1)[0] }).replace('"Invoice 0"', '"{{ $json.note }}"')}`;
	const { error } = await bench.run([{ note: 'x", "amount": "9999' }], {
		specifyTransaction: 'json',
		transactionJson,
	});
	expect(error?.message).toMatch(/\{\{ \$json\.note \}\} .*JSON string/);
	expect(await requests()).toBe(0);
});

test('a value behind a colon does not become other fields of the JSON', async () => {
	const transactionJson = `=${JSON.stringify(rows(1)[0]).replace('"1.50"', '{{ $json.sum }}')}`;
	const sum = `"1.50", "recipient": ${JSON.stringify({ externalEntityId: 'eus_attacker' })}`;
	expect(transactionJson).toContain('{{ $json.sum }}');
	const { error } = await bench.run([{ sum }], { specifyTransaction: 'json', transactionJson });
	expect(error?.message).toMatch(/\{\{ \$json\.sum \}\} .*one JSON value/);
	expect(await requests()).toBe(0);
	const honest = await bench.run([{ sum: '1.50' }], {
		specifyTransaction: 'json',
		transactionJson,
	});
	expect(honest.json).toMatchObject([{ outcome: 'created' }]);
});

describe('an expression in a field that is set to Fixed', () => {
	test.each([
		[{ ...FIELDS, externalId: 'INV-{{ $json.no }}' }, "'External ID'"],
		[{ ...FIELDS, amount: '{{ $json.amount }}' }, "'Amount'"],
		[{ ...FIELDS, additionalFields: { eventId: '{{ $json.id }}' } }, "'Event ID'"],
		[
			{ ...json('{{ $json.no }}'), transactionJson: '{ "amount": "{{ $json.amount }}" }' },
			"'transaction'",
		],
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

describe('messages name the parameter, and say that an expression gave no value', () => {
	test.each([
		[{ amount: '={{ $json.sum }}' }, /^'Amount'.*: .*no value/],
		[{ senderExternalEntityId: ' ' }, /^'Sender Entity ID': .*empty/],
		[
			{ recipientCountryCode: { __rl: true, mode: 'id', value: '={{ $json.land }}' } },
			/^'Recipient Country'.*: .*no value/,
		],
		[{ additionalFields: { baseAmount: 'x' } }, /^'Base Amount': "x" .*decimal/],
	])('%j', async (changes, message) => {
		const { error } = await bench.run(rows(2), {
			...FIELDS,
			externalId: '={{ $itemIndex }}',
			...changes,
		});
		expect(error?.message).toMatch(message);
		expect(error?.context?.itemIndex).toBe(0);
		expect(error?.description).toContain('Nothing was sent.');
		expect(await requests()).toBe(0);
	});
});
