import type { IDataObject } from 'n8n-workflow';

import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* From Input Item in n8n's engine, and the option Decimal Separator. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const fromItem = (options: IDataObject = {}) => ({ specifyTransaction: 'item', options });

const NAMED = {
	'Sender Entity ID': 'pyr_1',
	sender_payment_channel_id: 'pyr_1_main',
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

describe('From Input Item', () => {
	test('matches columns by their names, and leaves out the others', async () => {
		await bench.run([NAMED], fromItem());
		const [{ transaction }] = await recorded();
		expect(transaction).toMatchObject({
			externalId: 'INV-1',
			amount: '1250.00',
			sender: {
				externalEntityId: 'pyr_1',
				externalPaymentChannelId: 'pyr_1_main',
				countryCode: 'DE',
			},
			recipient: NAMED.recipient,
		});
		expect(transaction).not.toHaveProperty('Comment');
	});

	test('keeps every digit of a large amount', async () => {
		const Amount = '12.345.678.901.234.567,10';
		await bench.run([{ ...NAMED, Amount }], fromItem({ decimalSeparator: 'comma' }));
		expect((await recorded())[0].transaction.amount).toBe('12345678901234567.10');
	});

	test('two columns for one field stop it before anything is sent', async () => {
		const { error } = await bench.run(
			[NAMED, { ...NAMED, 'External ID': 'INV-2', amount: '1.00' }],
			fromItem(),
		);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^'Amount'.*"Amount" and "amount" both match/),
			context: { itemIndex: 1 },
		});
		expect(await requests()).toBe(0);
	});

	test('a required field without a column names the columns that match nothing', async () => {
		const { Amount, ...others } = NAMED;
		const { error } = await bench.run([{ ...others, ammount: Amount }], fromItem());
		expect(error?.message).toMatch(/^'Amount': .*column/);
		expect(error?.description).toContain('Name a column "Amount" or "amount"');
		expect(error?.description).toContain('"Comment", "ammount"');
		expect(await requests()).toBe(0);
	});

	test('a wrong value names the column', async () => {
		const { error } = await bench.run([{ ...NAMED, Amount: '1.250,00' }], fromItem());
		expect(error?.message).toMatch(/^'Amount': "1\.250,00" /);
		expect(error?.description).toMatch(/'Decimal Separator'.*'Comma'/);
	});

	test('an empty cell is empty in this item, and has its column', async () => {
		const { error } = await bench.run([{ ...NAMED, Amount: '' }], fromItem());
		expect(error?.message).toMatch(/^'Amount': .*empty in this item/);
	});

	test('a name in place of a code gets the code', async () => {
		const { error } = await bench.run(
			[{ ...NAMED, CURRENCY: 'Euro', 'sender.countryCode': 'Denmark' }],
			fromItem(),
		);
		expect(error?.description).toMatch(
			/'Currency' \(column "CURRENCY"\).*Use EUR[^]*'Sender Country'.*Use DK/,
		);
	});

	test('the items that match go on when the node continues', async () => {
		const { json } = await bench.run([{ ...NAMED, amount: '1.00' }, NAMED], fromItem(), {
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
		const { json } = await bench.run([item], fromItem({ ...comma, dryRun: true }));
		expect(json).toMatchObject([{ outcome: 'dryRun', amount: '1250.00' }]);
		const { error } = await bench.run([item], fromItem({ ...comma, maxAmount: '1249.99' }));
		expect(error?.message).toContain('1250.00 EUR is more than 1249.99 EUR');
		expect(await requests()).toBe(0);
	});

	test.each([
		['1.250', '"1.250" can be 1250 or 1,250'],
		['1,250.00', `"1,250.00" isn't a number with a decimal comma`],
	])('%s is rejected, as it could be a thousand times off', async (amount, problem) => {
		const { error } = await bench.run(
			[{ ...NAMED, Amount: amount }],
			fromItem({ decimalSeparator: 'comma' }),
		);
		expect(error?.message).toContain(problem);
		expect(await requests()).toBe(0);
	});

	test('a number is never read anew', async () => {
		const { json } = await bench.run(
			[{ ...NAMED, Amount: 1250.5 }],
			fromItem({ decimalSeparator: 'comma' }),
		);
		expect(json).toMatchObject([{ outcome: 'created', amount: '1250.5' }]);
	});
});
