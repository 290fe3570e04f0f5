import { rows } from '../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const created = async () => (await bench.sandbox.client.getCounts()).transactions.created;

/** Rows of two clients. */
const ofTwoClients = () =>
	rows(6, (index) => ({ client: index < 3 ? bench.client.clientId : 'other', cap: 5000 }));

test.each([
	['the client', { clientId: '={{ $json.client }}' }, "'Client ID'"],
	['the address', { baseUrl: '={{ "http://localhost:1/" + $json.client }}' }, "'Base URL'"],
	['a limit', { maxAmounts: '={{ $json.amount }}' }, "'Max Amount per Transaction'"],
	[
		'the first and the last are the same',
		{ maxAmounts: '={{ [0, 5].includes($itemIndex) ? 5000 : 5 }}' },
		"'Max Amount per Transaction'",
	],
])('%s depends on the item, so nothing is sent', async (_, credential, field) => {
	await bench.seed(credential);
	const { error } = await bench.run(ofTwoClients());
	expect(error?.message).toContain(field);
	expect(error?.message).toMatch(/item 0 and item [13]\b/);
	expect(error?.message).not.toContain(bench.client.clientId);
	expect(error?.description).toMatch(/Nothing was sent/);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
});

test('an expression that gives all the same is used', async () => {
	await bench.seed({ clientId: '={{ $json.client }}', maxAmounts: '={{ $json.cap }}' });
	await bench.run(ofTwoClients().slice(0, 3));
	expect(await created()).toBe(3);
});

test.each([
	['without an expression', {}, 3],
	['with one that no item changes', { maxAmounts: '={{ 1000 * 5 }}' }, 3],
	['with one that depends on the item', { maxAmounts: '={{ $json.cap }}' }, 8],
])('a credential %s is read %#', async (_, credential, reads) => {
	await bench.seed(credential);
	const before = bench.credentials.reads;
	await bench.run(ofTwoClients());
	expect([await created(), bench.credentials.reads - before]).toEqual([6, reads]);
});
