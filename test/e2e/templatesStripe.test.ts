import type { IDataObject } from 'n8n-workflow';
import type { Credential } from '../../host/n8n/client';
import { readExample, readLiveExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { startFakeStripe, type FakeStripe, type StripeEvent } from '../support/servers/fakeStripe';
import { sharedN8n, useService } from './shared';

/*
 * The template stripe-to-transactions. Stripe Trigger registers itself at Stripe when the workflow
 * is published, so here its events are pinned. What the others read comes from a fake Stripe.
 */

const API_KEY = 'sk_test_of_nobody';
const TRIGGER = 'Stripe Trigger';
const NIGHT = 'Every Night';
/** In seconds, as Stripe has times. */
const CREATED = Date.parse('2026-11-02T09:15:00Z') / 1000;

const n8n = sharedN8n();
const service = useService(n8n);
let stripe: FakeStripe;
let stripeApi: Credential;
beforeAll(async () => {
	stripe = await startFakeStripe(API_KEY);
	stripeApi = await n8n.createCredential('Stripe account', 'stripeApi', { secretKey: API_KEY });
});
afterAll(async () => await stripe?.stop());
afterEach(async () => {
	stripe.charges.clear();
	stripe.events.length = 0;
	stripe.queries.length = 0;
	await service.sandbox.reset();
});

let count = 0;
const event = (type: string, object: IDataObject): StripeEvent => ({
	id: `evt_${++count}`,
	object: 'event',
	type,
	data: { object },
});

const charge = (id: string, changes: IDataObject = {}) => {
	const object: IDataObject = {
		id,
		object: 'charge',
		amount: 8990,
		amount_captured: 8990,
		captured: true,
		billing_details: { address: { country: 'DE' }, name: 'Lena Fischer' },
		created: CREATED,
		currency: 'eur',
		customer: 'cus_lena',
		description: 'Order 377',
		payment_method: 'pm_lena',
		payment_method_details: { type: 'card', card: { country: 'AT' } },
		status: 'succeeded',
		...changes,
	};
	stripe.charges.set(id, object);
	return object;
};
const refund = (id: string, changes: IDataObject = {}) => ({
	id,
	object: 'refund',
	amount: 1250,
	charge: 'ch_1',
	created: CREATED + 60,
	currency: 'eur',
	status: 'succeeded',
	...changes,
});
const payout = (id: string, changes: IDataObject = {}) => ({
	id,
	object: 'payout',
	amount: 312075,
	created: CREATED + 120,
	currency: 'eur',
	description: 'STRIPE PAYOUT',
	status: 'paid',
	type: 'bank_account',
	...changes,
});

/** Imports the template, with these events for its trigger. Returns what runs it. */
async function template(
	events: StripeEvent[] = [],
	workflow = readLiveExample('stripe-to-transactions'),
) {
	for (const { parameters } of workflow.nodes)
		if (typeof parameters.url === 'string')
			parameters.url = parameters.url.replace('https://api.stripe.com', stripe.url);
	const pinned = { ...workflow, pinData: { [TRIGGER]: events.map((json) => ({ json })) } };
	const stored = await n8n.importWorkflow(pinned, [service.credential, stripeApi]);
	return async (trigger = TRIGGER) => {
		const execution = await n8n.run(stored, trigger);
		const said = execution.data.resultData.error?.message;
		const items = outputOf(execution, 'Create Transactions').map(({ json }) => json);
		return { said, outcomes: items.map(({ externalId, outcome }) => [externalId, outcome]) };
	};
}

const recorded = async () => (await service.sandbox.listTransactions()).items;
const amounts = async () =>
	(await recorded())
		.map(({ transaction }) => [transaction.currency, transaction.amount])
		.sort(([one], [other]) => one.localeCompare(other));

const BALANCE = {
	externalEntityId: 'harbour-bakery',
	externalPaymentChannelId: 'harbour-bakery-stripe',
	countryCode: 'DK',
};
const BANK = { ...BALANCE, externalPaymentChannelId: 'harbour-bakery-eur-account' };
const LENA = {
	externalEntityId: 'cus_lena',
	externalPaymentChannelId: 'pm_lena',
	countryCode: 'DE',
};

test('charge, two partial refunds, and a payout: each once, in whatever order the events come', async () => {
	const events = [
		event('charge.succeeded', charge('ch_1')),
		event('refund.created', refund('re_1', { status: 'pending' })),
		event('refund.created', refund('re_2', { amount: 300 })),
		event('refund.updated', refund('re_1')),
		event('payout.paid', payout('po_1')),
		event('payout.failed', payout('po_1', { status: 'failed' })),
	];
	const first = await (await template(events))();
	// Another event about each status, the other way round.
	const others = events.map(({ type, data }) => event(type, data.object)).reverse();
	const second = await (await template(others))();
	expect([first.said, second.said]).toEqual([undefined, undefined]);
	expect(first.outcomes.map(([, outcome]) => outcome)).toEqual(events.map(() => 'created'));
	expect(second.outcomes.map(([, outcome]) => outcome)).toEqual(events.map(() => 'duplicate'));

	const items = await recorded();
	expect(items.map(({ seen }) => seen)).toEqual(events.map(() => 2));
	const byStatus = (id: string, status: string) =>
		items.find(
			({ transaction }) => transaction.externalId === id && transaction.externalStatus === status,
		)?.transaction;
	const charged = { amount: '89.90', sender: LENA, recipient: BALANCE, paymentScheme: 'card' };
	expect(byStatus('ch_1', 'succeeded')).toMatchObject({
		...charged,
		currency: 'EUR',
		reference: 'Order 377',
		externalCreatedAt: CREATED * 1000,
	});
	const refunded = { sender: BALANCE, recipient: LENA, reference: 'ch_1', paymentScheme: 'card' };
	const times = { externalCreatedAt: (CREATED + 60) * 1000 };
	expect(byStatus('re_1', 'pending')).toMatchObject({ ...refunded, ...times, amount: '12.50' });
	expect(byStatus('re_1', 'succeeded')).toMatchObject({ ...refunded, ...times, amount: '12.50' });
	expect(byStatus('re_2', 'succeeded')).toMatchObject({ ...refunded, ...times, amount: '3.00' });
	const paidOut = { amount: '3120.75', sender: BALANCE, recipient: BANK };
	expect(byStatus('po_1', 'paid')).toMatchObject({ ...paidOut, paymentScheme: 'bank_account' });
	expect(byStatus('po_1', 'failed')).toMatchObject(paidOut);
});

// docs.stripe.com/currencies: zero-decimal and three-decimal currencies, and the special cases.
const UNITS: Array<[currency: string, units: number, amount: string]> = [
	['BIF', 500, '500'],
	['CLP', 500, '500'],
	['EUR', 5, '0.05'],
	['GBP', 99999999, '999999.99'],
	['HUF', 1045, '10.45'],
	['ISK', 500, '5'],
	['JPY', 500, '500'],
	['KRW', 1, '1'],
	['KWD', 5120, '5.120'],
	['MGA', 700, '700.00'],
	['OMR', 10, '0.010'],
	['TND', 1000, '1.000'],
	['TWD', 1000, '10.00'],
	['UGX', 38000000, '380000'],
	['VND', 25000, '25000'],
	['XOF', 100, '100'],
];

test('amounts are in units of their currency, as Stripe counts them', async () => {
	const events = UNITS.map(([currency, units]) => {
		const amount = { amount: units, amount_captured: units, currency: currency.toLowerCase() };
		return event('charge.succeeded', charge(`ch_${currency}`, amount));
	});
	expect((await (await template(events))()).said).toBeUndefined();
	expect(await amounts()).toEqual(UNITS.map(([currency, , amount]) => [currency, amount]));
});

test('what is only authorized does not count, a payout that is a debit comes in, and a guest is known by the payment method', async () => {
	const captured = charge('ch_1', { amount_captured: 5000 });
	const guest = charge('ch_2', { customer: null, billing_details: { address: null } });
	const authorized = { captured: false, amount_captured: 0 };
	const run = await template([
		event('charge.succeeded', charge('ch_3', authorized)),
		event('charge.captured', captured),
		event('payout.paid', payout('po_2', { amount: -2000 })),
		event('charge.succeeded', guest),
	]);
	expect((await run()).said).toBeUndefined();
	const transactions = (await recorded()).map(({ transaction }) => transaction);
	const byId = Object.fromEntries(transactions.map((one) => [one.externalId, one]));
	expect(Object.keys(byId).sort()).toEqual(['ch_1', 'ch_2', 'po_2']);
	expect(byId.ch_1.amount).toBe('50.00');
	expect(byId.po_2).toMatchObject({ amount: '20.00', sender: BANK, recipient: BALANCE });
	expect(byId.ch_2.sender).toEqual({
		...{ externalEntityId: 'pm_lena', externalPaymentChannelId: 'pm_lena' },
		countryCode: 'AT',
	});
});

test('each night, the events of three days are read once more, and none is lost', async () => {
	stripe.events.push(
		event('payout.paid', payout('po_1')),
		event('refund.created', refund('re_1')),
		event('charge.succeeded', charge('ch_1')),
		event('charge.succeeded', charge('ch_3', { customer: 'cus_amir' })),
		event('charge.succeeded', charge('ch_4', { captured: false })),
	);
	const run = await template([stripe.events[2]]);
	await run(); // The others were lost.
	const night = await run(NIGHT);
	expect(night).toEqual({ said: undefined, outcomes: expect.any(Array) as unknown });
	expect(night.outcomes.sort()).toEqual([
		['ch_1', 'duplicate'],
		['ch_3', 'created'],
		['po_1', 'created'],
		['re_1', 'created'],
	]);
	expect((await run(NIGHT)).outcomes.map(([, outcome]) => outcome)).toEqual(
		night.outcomes.map(() => 'duplicate'),
	);

	const [query] = stripe.queries;
	const types = [...query.entries()].filter(([name]) => name.startsWith('types['));
	const { events } = readLiveExample('stripe-to-transactions').nodes[0].parameters;
	expect(types.map(([, type]) => type)).toEqual((events as string).match(/[a-z]+\.[a-z]+/g));
	const since = Number(query.get('created[gte]')) - Date.now() / 1000;
	expect(Math.abs(since + 3 * 24 * 3600)).toBeLessThan(60);
	expect(stripe.queries).toHaveLength(2 * 3); // five events, two on a page
});

test('what is not recorded fails the execution with a list, and the others are recorded', async () => {
	const fraction = { amount: 4010, amount_captured: 4010, currency: 'isk' };
	stripe.events.push(
		event('refund.created', refund('re_1', { charge: 'ch_unknown' })),
		event('charge.succeeded', charge('ch_1')),
		event('charge.succeeded', charge('ch_2', fraction)),
	);
	const run = await template();
	const { said } = await run(NIGHT);
	expect(said).toMatch(/^re_1: invalid\. .+$/m);
	expect(said).toMatch(/^ch_2: invalid\. .+40\.1.+ISK.+$/m);
	expect(await amounts()).toEqual([['EUR', '89.90']]);

	charge('ch_unknown'); // Stripe can be asked again.
	expect((await run(NIGHT)).said).toMatch(/^ch_2: invalid\. .+$/);
	expect(await recorded()).toHaveLength(2);
});

test('two events about one status in a night, such as refund.created and refund.updated, are one transaction', async () => {
	stripe.events.push(
		event('refund.updated', refund('re_1', { metadata: { note: 'x' } })),
		event('refund.created', refund('re_1')),
		// Newest first: captured, after it was only authorized.
		event('charge.captured', charge('ch_1')),
		event('charge.succeeded', { ...charge('ch_1'), captured: false, amount_captured: 0 }),
		event('payout.failed', payout('po_1', { status: 'failed' })),
		event('payout.paid', payout('po_1')),
	);
	charge('ch_1');
	const night = await (await template())(NIGHT);
	expect(night.said).toBeUndefined();
	expect(night.outcomes.sort()).toEqual([
		...[
			['ch_1', 'created'],
			['po_1', 'created'],
			['po_1', 'created'],
			['re_1', 'created'],
		],
	]);
});

test('a night without events succeeds', async () => {
	expect(await (await template())(NIGHT)).toEqual({ said: undefined, outcomes: [] });
});

test('fifty that nobody can record keep back none, and the list says how many more there are', async () => {
	const wrong = { amount: 4010, amount_captured: 4010, currency: 'isk' };
	for (let id = 0; id < 50; id++)
		stripe.events.push(event('charge.succeeded', charge(`ch_${id}`, wrong)));
	stripe.events.push(event('payout.paid', payout('po_1')));
	const { said, outcomes } = await (await template())(NIGHT);
	expect(outcomes).toEqual([['po_1', 'created']]);
	expect(said?.split('\n')).toHaveLength(21);
	expect(said).toMatch(/^and 30 more$/m);
});

test('a night when the service is down fails with a list, and the next one records all', async () => {
	stripe.events.push(event('payout.paid', payout('po_1')));
	const run = await template();
	await service.sandbox.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	expect((await run(NIGHT)).said).toMatch(/^po_1: unknown\. /);
	await service.sandbox.setFaults({});
	expect(await run(NIGHT)).toEqual({ said: undefined, outcomes: [['po_1', 'created']] });
});

test('executed to look, it sends nothing', async () => {
	stripe.events.push(event('payout.paid', payout('po_1')));
	const run = await template([], readExample('stripe-to-transactions'));
	expect(await run(NIGHT)).toEqual({ said: undefined, outcomes: [['po_1', 'dryRun']] });
	expect(await recorded()).toEqual([]);
});
