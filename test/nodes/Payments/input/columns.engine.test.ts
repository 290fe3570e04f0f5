import type { IDataObject } from 'n8n-workflow';

import { resourceMapping } from '../../../../nodes/Payments/editor/resourceMapping';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* Map Columns: n8n's resource mapper in n8n's engine, and the option Decimal Separator. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

/** Rows with columns of their own, as from a spreadsheet in Germany. */
const invoices = (count: number, changes: (index: number) => IDataObject = () => ({})) =>
	Array.from(
		{ length: count },
		(_, index): IDataObject => ({
			Rechnung: `RE-${index}`,
			'Betrag (EUR)': `1.25${index},00`,
			Land: 'DE',
			Zahler: { Name: 'pyr_1', Konto: 'pyr_1_main' },
			...changes(index),
		}),
	);

const MAPPED: IDataObject = {
	'sender.externalEntityId': '={{ $json.Zahler.Name }}',
	'sender.externalPaymentChannelId': '={{ $json.Zahler.Konto }}',
	'sender.countryCode': '={{ $json.Land }}',
	'recipient.externalEntityId': 'eus_1',
	'recipient.externalPaymentChannelId': 'vac_1',
	'recipient.countryCode': 'DK',
	amount: '={{ $json["Betrag (EUR)"] }}',
	currency: 'EUR',
	reference: '=Rechnung {{ $json.Rechnung }}',
	paymentScheme: '={{ "S" + "CT" }}',
	externalId: '={{ $json.Rechnung }}',
	externalCreatedAt: null,
};

/** The parameters as n8n's editor stores them. */
async function manually(changes: IDataObject = {}, options: IDataObject = {}) {
	const { fields } = await resourceMapping.getTransactionFields.call({} as never);
	return {
		specifyTransaction: 'columns',
		columns: {
			mappingMode: 'defineBelow',
			value: { ...MAPPED, ...changes },
			matchingColumns: [],
			schema: fields as never,
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
		options: { decimalSeparator: 'comma', ...options },
	};
}

const automatically = (options: IDataObject = {}) => ({
	specifyTransaction: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	options,
});

const NAMED = {
	'Sender Entity ID': 'pyr_1',
	sender_channel_id: 'pyr_1_main',
	'sender.countryCode': 'DE',
	recipient: { externalEntityId: 'eus_1', externalPaymentChannelId: 'vac_1', countryCode: 'DK' },
	Amount: '1250.00',
	CURRENCY: 'EUR',
	reference: 'Invoice 1',
	'Payment-Scheme': 'SCT',
	'External ID': 'INV-1',
	Comment: 'left out',
};

const requests = async () => (await bench.sandbox.client.getCounts()).transactions.requests;
const recorded = async () => (await bench.sandbox.client.listTransactions()).items;

describe('Map Each Column Manually', () => {
	test('creates a transaction from the columns of each item', async () => {
		const { json } = await bench.run(invoices(3), await manually());
		expect(json).toMatchObject([
			{ outcome: 'created', externalId: 'RE-0', amount: '1250.00' },
			{ outcome: 'created', externalId: 'RE-1', amount: '1251.00' },
			{ outcome: 'created', externalId: 'RE-2', amount: '1252.00' },
		]);
		expect((await recorded()).map(({ transaction }) => transaction.amount).sort()).toEqual([
			'1250.00',
			'1251.00',
			'1252.00',
		]);
	});

	test('keeps every digit of a large amount, also with the conversion of types that n8n offers', async () => {
		const parameters = await manually();
		Object.assign(parameters.columns, { attemptToConvertTypes: true, convertFieldsToString: true });
		const amount = '12.345.678.901.234.567,10';
		const { json } = await bench.run(
			invoices(1, () => ({ 'Betrag (EUR)': amount })),
			parameters,
		);
		expect(json).toMatchObject([{ outcome: 'created', amount: '12345678901234567.10' }]);
	});

	test('gives the Event ID that the same payment has from fields', async () => {
		const { json } = await bench.run(invoices(1), await manually());
		const nested = {
			...NAMED,
			Amount: '1250.00',
			reference: 'Rechnung RE-0',
			'External ID': 'RE-0',
		};
		const again = await bench.run([nested], automatically());
		expect(again.json).toMatchObject([{ outcome: 'duplicate', eventId: json[0].eventId }]);
	});

	test.each([
		[
			'a column that the item lacks',
			{ amount: '={{ $json.Betrag }}' },
			/^'Amount' \(column "Betrag"\): .*no value/,
		],
		[
			'a column with a wrong value',
			{ currency: '={{ $json.Land }}' },
			/^'Currency' \(column "Land"\): "DE" .*ISO 4217/,
		],
		[
			'a member of an object',
			{ 'sender.countryCode': '={{ $json.Zahler.Name }}' },
			/^'Sender Country' \(column "Zahler\.Name"\): "pyr_1" .*ISO 3166-1/,
		],
		[
			'a calculated value',
			{ 'sender.countryCode': '={{ $json.Land.slice(3) }}' },
			/^'Sender Country': .*no value/,
		],
		['nothing', { reference: null }, /^'Reference': .*empty/],
		[
			'an expression in a text',
			{ externalId: '=RE-{{ $json.Nr }}' },
			/^'External ID': .*\{\{ \$json\.Nr \}\}.*no value/,
		],
		[
			'an expression in a fixed field',
			{ externalId: '{{ $json.Rechnung }}' },
			/^'External ID': .*expression.*Fixed/,
		],
	])('names the field and the column: %s', async (_, changes, message) => {
		const { error } = await bench.run(invoices(2), await manually(changes as IDataObject));
		expect(error).toMatchObject({
			message: expect.stringMatching(message),
			context: { itemIndex: 0 },
		});
		expect(error?.description).toContain('Nothing was sent.');
		expect(await requests()).toBe(0);
	});

	test('without a mapping, every required field is listed', async () => {
		const { error } = await bench.run(invoices(1), {
			specifyTransaction: 'columns',
			columns: { mappingMode: 'defineBelow', value: null },
		});
		expect(error?.message).toMatch(/^'External ID': The field is empty; 'Reference': /);
		expect(error?.description?.match(/^'/gm)).toHaveLength(11);
	});
});

describe('Map Automatically', () => {
	test('matches columns by their names, and leaves out the others', async () => {
		const { json } = await bench.run([NAMED], automatically());
		expect(json).toMatchObject([
			{
				outcome: 'created',
				externalId: 'INV-1',
				amount: '1250.00',
				recipient: NAMED.recipient.externalPaymentChannelId,
			},
		]);
	});

	test('two columns for one field stop it before anything is sent', async () => {
		const { error } = await bench.run(
			[NAMED, { ...NAMED, 'External ID': 'INV-2', amount: '1.00' }],
			automatically(),
		);
		expect(error).toMatchObject({
			message: '\'Amount\': The columns "Amount" and "amount" both match this field',
			context: { itemIndex: 1 },
		});
		expect(error?.description).toContain("'Map Each Column Manually'");
		expect(await requests()).toBe(0);
	});

	test('a required field without a column names the columns that exist', async () => {
		const { Amount, ...others } = NAMED;
		const { error } = await bench.run([{ ...others, Betrag: Amount }], automatically());
		expect(error?.message).toMatch(/^'Amount': .*column/);
		expect(error?.description).toContain('Name a column "Amount" or "amount"');
		expect(error?.description).toContain('"Betrag"');
		expect(await requests()).toBe(0);
	});

	test('a wrong value names the column', async () => {
		const { error } = await bench.run([{ ...NAMED, Amount: '1.250,00' }], automatically());
		expect(error?.message).toMatch(/^'Amount' \(column "Amount"\): "1\.250,00" /);
		expect(error?.description).toMatch(/'Decimal Separator'.*'Comma'/);
	});

	test('the items that match go on when the node continues', async () => {
		const { json } = await bench.run([{ ...NAMED, amount: '1.00' }, NAMED], automatically(), {
			onError: 'continueRegularOutput',
		});
		expect(json.map(({ outcome }) => outcome)).toEqual(['invalid', 'created']);
		expect(json[0].message).toContain('both match this field');
	});
});

describe('Decimal Separator', () => {
	const item = { ...NAMED, Amount: '1.250,00', 'Base Amount': "1'300,50" };

	test('a dry run shows the amount that would be sent, and limits apply to it', async () => {
		const comma = { decimalSeparator: 'comma' };
		const { json } = await bench.run([item], automatically({ ...comma, dryRun: true }));
		expect(json).toMatchObject([{ outcome: 'dryRun', amount: '1250.00' }]);
		const { error } = await bench.run([item], automatically({ ...comma, maxAmount: '1249.99' }));
		expect(error?.message).toContain('1250.00 EUR is more than 1249.99 EUR');
		expect(await requests()).toBe(0);
	});

	test.each([
		['an input item', 'item', {}],
		['JSON', 'json', { transactionJson: '={{ $json }}' }],
	])('applies to %s', async (_, specifyTransaction, parameters) => {
		const { Comment, ...named } = NAMED;
		const transaction = {
			sender: named.recipient,
			recipient: named.recipient,
			amount: '1 250,00',
			currency: 'EUR',
			reference: 'r',
			paymentScheme: 'SCT',
			externalId: 'e',
		};
		const { json } = await bench.run([transaction], {
			specifyTransaction,
			...parameters,
			options: { decimalSeparator: 'comma', dryRun: true },
		});
		expect(json).toMatchObject([{ outcome: 'dryRun', amount: '1250.00' }]);
	});

	test.each([
		['1.250', '"1.250" can be 1250 or 1,250'],
		['1,250.00', `"1,250.00" isn't a number with a decimal comma`],
	])('%s is rejected, as it could be a thousand times off', async (amount, problem) => {
		const { error } = await bench.run(
			[{ ...NAMED, Amount: amount }],
			automatically({ decimalSeparator: 'comma' }),
		);
		expect(error?.message).toBe(`'Amount' (column "Amount"): ${problem}`);
		expect(await requests()).toBe(0);
	});

	test('a number is never read anew', async () => {
		const { json } = await bench.run(
			[{ ...NAMED, Amount: 1250.5 }],
			automatically({ decimalSeparator: 'comma' }),
		);
		expect(json).toMatchObject([{ outcome: 'created', amount: '1250.5' }]);
	});
});
