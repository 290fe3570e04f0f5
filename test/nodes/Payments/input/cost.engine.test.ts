import { Expression, type IDataObject } from 'n8n-workflow';

import { rows } from '../../../support/builders/transactions';
import { PaymentsBench } from '../../../support/engine/payments';

/*
 * What a run costs, counted instead of timed: evaluations of expressions, readings of the
 * credential, requests.
 */

const ITEMS = 25;
let bench: PaymentsBench;
beforeAll(async () => {
	bench = await PaymentsBench.start();
	await bench.run(rows(1, () => ({ externalId: 'fetches a token' })));
});
afterEach(() => jest.restoreAllMocks());

const PATHS = {
	senderExternalEntityId: 'sender.externalEntityId',
	senderExternalPaymentChannelId: 'sender.externalPaymentChannelId',
	senderCountryCode: 'sender.countryCode',
	recipientExternalEntityId: 'recipient.externalEntityId',
	recipientExternalPaymentChannelId: 'recipient.externalPaymentChannelId',
	recipientCountryCode: 'recipient.countryCode',
	amount: 'amount',
	currency: 'currency',
	reference: 'reference',
	paymentScheme: 'paymentScheme',
	externalId: 'externalId',
};
const fields = (expression: (path: string) => string) => ({
	specifyTransaction: 'fields',
	...Object.fromEntries(
		Object.entries(PATHS).map(([parameter, path]) => [
			parameter,
			`={{ ${expression(`$json.${path}`)} }}`,
		]),
	),
});
/** Texts with an expression and a blank that doesn't count in it. */
const texts = (expression: (path: string) => string) => {
	const { specifyTransaction, ...values } = fields(expression);
	const withText = Object.entries(values).map(([parameter, value]) => [
		parameter,
		textAllowed.has(parameter) ? `${value as string}!` : value,
	]);
	return { specifyTransaction, ...Object.fromEntries(withText) } as IDataObject;
};
const textAllowed = new Set(['reference', 'paymentScheme', 'externalId']);

test.each([
	['input item', { specifyTransaction: 'item' }, 0],
	['12 dragged fields', fields((path) => path), 1],
	['12 expressions', fields((path) => `String(${path}) + ""`), 1],
	['12 texts with an expression', texts((path) => path), 1],
	[
		'an option with an expression',
		{ specifyTransaction: 'item', options: { timeout: '={{ 20 + 10 }}' } },
		1,
	],
])('%s', async (_, parameters, evaluationsPerItem) => {
	await bench.sandbox.client.reset();
	bench.credentials.reads = 0;
	const evaluations = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const { run } = await bench.run(rows(ITEMS), parameters);
	expect(run.status).toBe('success');
	const evaluated = evaluations.mock.calls.filter(
		([value]) => typeof value === 'string' && value.startsWith('='),
	).length;
	const { transactions } = await bench.sandbox.client.getCounts();
	expect({
		evaluated,
		credentialReads: bench.credentials.reads,
		requests: transactions.requests,
		created: transactions.created,
	}).toEqual({
		evaluated: evaluationsPerItem * ITEMS,
		credentialReads: 3,
		requests: ITEMS,
		created: ITEMS,
	});
});
