import { rows } from '../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const counts = async () => (await bench.sandbox.client.getCounts()).transactions;

/** Rows of two clients. */
const ofTwoClients = () =>
	rows(6, (index) => ({ client: index < 3 ? bench.client.clientId : 'other', cap: 5000 }));

async function expectRefusal(
	items: ReturnType<typeof rows>,
	credential: Record<string, string>,
	field: string,
	item: number,
) {
	await bench.seed(credential);
	const { error } = await bench.run(items);
	expect(error?.message).toContain(field);
	expect(error?.message).toMatch(new RegExp(`the first item and item ${item + 1}\\b`));
	expect(error?.message).not.toContain(bench.client.clientId);
	expect(error?.description).toMatch(/Nothing was sent/);
	expect((await counts()).requests).toBe(0);
}

test.each([
	['the client', { clientId: '={{ $json.client }}' }, "'Client ID'", 3],
	['the address', { baseUrl: '={{ "http://localhost:1/" + $json.client }}' }, "'Base URL'", 3],
	['a limit', { maxAmounts: '={{ $json.amount }}' }, "'Max Amount per Transaction'", 1],
	[
		'the first and the last are the same',
		{ maxAmounts: '={{ [0, 5].includes($itemIndex) ? 5000 : 5 }}' },
		"'Max Amount per Transaction'",
		1,
	],
])(
	'%s depends on the item, so nothing is sent',
	async (_, credential, field, item) =>
		await expectRefusal(ofTwoClients(), credential, field, item),
);

test.each([
	['a limit', { maxAmounts: '={{ $input.item?.json?.cap ?? "" }}' }, 'Max Amount per Transaction'],
	['recipients', { allowedRecipients: '={{ $json?.cap ?? "" }}' }, 'Allowed Recipients'],
	['codes', { recordedCodes: '={{ $input.item?.json?.cap ?? "" }}' }, 'Codes for Recorded Already'],
])(
	'%s that only one item in the middle has, and an item that does not exist has not',
	async (_, credential, field) => {
		const items = rows(3, (index) => ({ amount: '900.00', ...(index === 1 ? { cap: 10 } : {}) }));
		await expectRefusal(items, credential, `'${field}'`, 1);
	},
);

test.each([[14], [29]])(
	'a value that only item %i has, one of the 20 that are read of a longer list',
	async (item) => {
		const items = rows(30, (index) => (index === item ? { cap: 10 } : {}));
		const maxAmounts = '={{ $input.item?.json?.cap ?? "" }}';
		await expectRefusal(items, { maxAmounts }, "'Max Amount per Transaction'", item);
	},
);

test('of a longer list that shows that the credential depends on the item, each is read', async () => {
	const items = rows(60, (index) => ({ cap: index === 40 ? 10 : 5000 }));
	const maxAmounts = '={{ $json.cap }}';
	await expectRefusal(items, { maxAmounts }, "'Max Amount per Transaction'", 40);
});

test('an expression that gives all the same is used', async () => {
	await bench.seed({ clientId: '={{ $json.client }}', maxAmounts: '={{ $json.cap }}' });
	await bench.run(ofTwoClients().slice(0, 3));
	expect((await counts()).created).toBe(3);
});

test.each([
	['without an expression', 1, {}, 1],
	['without an expression', 20, {}, 20],
	['without an expression', 21, {}, 21],
	['without an expression', 500, {}, 21],
	['with one that no item changes', 50, { maxAmounts: '={{ 1000 * 5 }}' }, 21],
	['with one that depends on the item', 50, { maxAmounts: '={{ $json.cap }}' }, 51],
])('a credential %s, for %i items, is read %#', async (_, count, credential, reads) => {
	await bench.seed(credential);
	const before = bench.credentials.reads;
	await bench.run(rows(count, () => ({ cap: 5000 })));
	expect([(await counts()).created, bench.credentials.reads - before]).toEqual([count, reads]);
});
