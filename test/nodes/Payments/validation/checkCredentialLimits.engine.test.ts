import type { IDataObject, IRequestOptions } from 'n8n-workflow';

import { PaymentsApi } from '../../../../credentials/PaymentsApi.credentials';
import { rows, SAMPLE } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';
import { testCredential } from '../../../support/engine/credentialTester';
import { EngineCredentials } from '../../../support/engine/harness';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';
import { sendRequests, type HttpHelper } from '../../../support/engine/requestNode';

/*
 * A credential with limits: only the Payments node gets its token, and keeps the limits, in the
 * real engine.
 */

const TOKEN = 'POST /passport/oauth/token';

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
			/'Recipient Channel ID': .*vac_x .* 'Allowed Recipients'/,
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

describe('elsewhere', () => {
	let service: FakeService;
	let clients = 0;
	beforeAll(async () => {
		service = await startFakeService((_, response) => void response.writeHead(202).end());
	});
	afterAll(async () => await service.stop());
	beforeEach(() => void (service.received.length = 0));

	const data = (limits: IDataObject) => ({
		authUrl: service.url,
		baseUrl: service.url,
		clientId: `limits-${++clients}`,
		clientSecret: 'the-secret',
		scope: 'PAYMENTS',
		accessToken: '',
		...limits,
	});
	const send = async (helper: HttpHelper, limits: IDataObject, requests: IRequestOptions[]) => {
		const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
		await credentials.seed('c1', 'paymentsApi', data(limits) as never);
		return await sendRequests(helper, requests, credentials);
	};

	describe.each<HttpHelper>(['requestWithAuthentication', 'httpRequestWithAuthentication'])(
		'%s',
		(helper) => {
			test.each<[string, IDataObject]>([
				['Max Amount per Transaction', { maxAmounts: '1000' }],
				['Allowed Currencies', { allowedCurrencies: 'EUR' }],
				['Allowed Recipients', { allowedRecipients: 'vac_1' }],
			])(
				'with %s, no request gets the token, not even one within the limits',
				async (_, limits) => {
					const uri = `${service.url}/api/v1/transactions`;
					const within = { ...SAMPLE, amount: '1' };
					const results = await send(helper, limits, [
						{ method: 'POST', uri, body: within, json: true },
						{ method: 'GET', uri },
						{ method: 'POST', uri, body: within, json: true, paymentsNode: {} } as IRequestOptions,
					]);
					for (const { message } of results)
						expect(message).toMatch(/Only the Payments node can use this credential/);
					expect(service.calls().filter((call) => call !== TOKEN)).toEqual([]);
					expect(service.calls().length).toBe(0);
				},
			);
		},
	);

	test('the credential test works with limits, and names one that cannot be read', async () => {
		const press = async (limits: IDataObject) => await testCredential(data(limits) as never);
		expect(await press({ maxAmounts: '1000', allowedRecipients: 'a; b' })).toMatchObject({
			status: 'OK',
		});
		expect(await press({ maxAmounts: 'x' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/'Max Amount per Transaction' in the credential/),
		});
	});
});
