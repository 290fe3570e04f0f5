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
		['another currency', { amount: '1', currency: 'GBP' }, /'Allowed Currencies'/],
		[
			'another channel',
			{ recipient: { ...SAMPLE.recipient, externalPaymentChannelId: 'vac_x' } },
			/'Recipient Channel ID \(Account\)': .*"vac_x" .* 'Allowed Recipients'/,
		],
	])('%s', async (_, changes, rejected) => {
		await bench.seed(LIMITS);
		const { json } = await bench.run(
			[{ ...rows(1, () => ({ amount: '1' }))[0], ...changes }],
			undefined,
			CONTINUE,
		);
		const { transactions } = await bench.sandbox.client.getCounts();
		expect(transactions.created).toBe(rejected ? 0 : 1);
		expect(json[0].outcome).toBe(rejected ? 'invalid' : 'created');
		if (rejected) expect(json[0].message).toMatch(rejected);
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
