import type { IDataObject } from 'n8n-workflow';

import { rows, SAMPLE } from '../../../support/builders/transactions';
import { startFakeService } from '../../../support/servers/fakeService';
import { testCredential } from '../../../support/engine/credentialTester';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* A credential with limits: the Payments node keeps them, in the real engine. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

describe('in the Payments node', () => {
	const LIMITS = {
		maxAmounts: 'EUR 1000, any 500',
		allowedCurrencies: 'EUR, USD',
		allowedRecipients: `vac_other, ${SAMPLE.recipient.externalPaymentChannelId}`,
	};
	const CONTINUE = { onError: 'continueRegularOutput' } as const;

	test.each<[string, IDataObject, RegExp | undefined]>([
		['the amount at the limit', { amount: '1000.00' }, undefined],
		['an amount beyond it', { amount: '1000.01' }, /'Max Amount per Transaction'/],
		['the amount for other currencies', { amount: '500.01', currency: 'USD' }, /500 USD/],
		['another currency', { amount: '1', currency: 'GBP' }, /'Allowed Currencies'/],
		[
			'an allowed channel of any entity',
			{
				'recipient.externalEntityId': 'eus_x',
				'recipient.externalPaymentChannelId': 'vac_other',
			},
			undefined,
		],
		[
			'another channel',
			{ 'recipient.externalEntityId': 'eus_x', 'recipient.externalPaymentChannelId': 'vac_x' },
			/'Recipient Channel ID \(Account\)': .*vac_x .* 'Allowed Recipients'/,
		],
		[
			'another channel of an entity that has the ID of an allowed channel',
			{
				'recipient.externalEntityId': 'vac_other',
				'recipient.externalPaymentChannelId': 'vac_x',
			},
			/'Allowed Recipients'/,
		],
		[
			'a channel that differs in case',
			{
				'recipient.externalEntityId': 'eus_x',
				'recipient.externalPaymentChannelId': 'VAC_OTHER',
			},
			/'Allowed Recipients'/,
		],
	])('%s', async (_, changes, rejected) => {
		await bench.seed(LIMITS);
		const { json } = await bench.run(
			[{ ...rows(1, () => ({ amount: '1' }))[0], ...flat(changes) }],
			undefined,
			CONTINUE,
		);
		const { transactions } = await bench.sandbox.client.getCounts();
		expect(transactions.created).toBe(rejected ? 0 : 1);
		expect(json[0].outcome).toBe(rejected ? 'invalid' : 'created');
		if (rejected) expect(json[0].message).toMatch(rejected);
	});

	/** Parties as objects, as the rows have them. */
	const flat = ({ ...changes }: IDataObject) => {
		const entity = changes['recipient.externalEntityId'];
		if (entity === undefined) return changes;
		return {
			recipient: {
				...SAMPLE.recipient,
				externalEntityId: entity,
				externalPaymentChannelId: changes['recipient.externalPaymentChannelId'],
			},
		};
	};

	test.each([
		[{ maxAmounts: '1,000' }, /'Max Amount per Transaction' in the credential can't be used/],
		[{ allowedCurrencies: 'EUR Euro' }, /'Allowed Currencies' in the credential can't be used/],
		[{ allowedRecipients: 'vac_1,,vac_2' }, /'Allowed Recipients' in the credential can't be used/],
		[{ allowedRecipients: { vac_1: true } }, /its value isn't text/],
	])('limits that cannot be read, %j, send nothing', async (limits, message) => {
		await bench.seed(limits as never);
		const { error } = await bench.run(rows(1));
		expect(error?.message).toMatch(message);
		expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
	});
});

test('the credential test works with limits, and names one that cannot be read', async () => {
	const service = await startFakeService((_, response) => void response.writeHead(202).end());
	const press = async (limits: IDataObject) =>
		await testCredential({
			authUrl: service.url,
			baseUrl: service.url,
			clientId: 'limited',
			clientSecret: 'the-secret',
			scope: 'PAYMENTS',
			accessToken: '',
			...limits,
		} as never);
	expect(await press({ maxAmounts: '1000', allowedRecipients: 'a; b' })).toMatchObject({
		status: 'OK',
	});
	expect(await press({ maxAmounts: 'x' })).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/'Max Amount per Transaction' in the credential/),
	});
	await service.stop();
});
