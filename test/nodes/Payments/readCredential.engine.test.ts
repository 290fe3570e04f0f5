import type { IDataObject } from 'n8n-workflow';

import { rows } from '../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const counts = async () => (await bench.sandbox.client.getCounts()).transactions;

const CAP = '={{ $json?.cap ?? "" }}';
/** An expression that an item that doesn't exist doesn't break. */
const SAFE_CAP = '={{ $input.item?.json?.cap ?? "" }}';
/** As many items as there are; those with these indexes have a value of their own. */
const withCap = (count: number, ...indexes: number[]) =>
	rows(count, (index) => (indexes.includes(index) ? { cap: 10 } : {}));

test.each<[string, IDataObject[], Record<string, string>, string, number]>([
	['the client', withCap(6, 3), { clientId: `${CAP}a` }, 'Client ID', 4],
	[
		'the address',
		withCap(6, 3),
		{ baseUrl: '={{ "http://localhost:1/" + $json.cap }}' },
		'Base URL',
		4,
	],
	[
		'a limit, and the first and the last are the same',
		rows(6),
		{ maxAmounts: '={{ [0, 5].includes($itemIndex) ? 5000 : 5 }}' },
		'Max Amount per Transaction',
		2,
	],
	[
		'a limit that only one item in the middle has',
		withCap(3, 1),
		{ maxAmounts: SAFE_CAP },
		'Max Amount per Transaction',
		2,
	],
	['recipients', withCap(3, 1), { allowedRecipients: CAP }, 'Allowed Recipients', 2],
	['codes', withCap(3, 1), { recordedCodes: SAFE_CAP }, 'Codes for Recorded Already', 2],
	// One of the 20 that are read of a longer list.
	['one of 30', withCap(30, 14), { maxAmounts: SAFE_CAP }, 'Max Amount per Transaction', 15],
	['the last of 30', withCap(30, 29), { maxAmounts: SAFE_CAP }, 'Max Amount per Transaction', 30],
	// It shows that the credential depends on the item, so each is read.
	[
		'one of 60 that all have a value',
		rows(60, (index) => ({ cap: index === 40 ? 10 : 5000 })),
		{ maxAmounts: '={{ $json.cap }}' },
		'Max Amount per Transaction',
		41,
	],
])('%s depends on the item, so nothing is sent', async (_, items, credential, field, item) => {
	await bench.seed(credential);
	const { error } = await bench.run(items);
	expect(error?.message).toContain(`'${field}'`);
	expect(error?.message).toMatch(new RegExp(`the first item and item ${item}\\b`));
	expect(error?.description).toMatch(/Nothing was sent/);
	expect((await counts()).requests).toBe(0);
});

test.each([
	['without an expression', 1, {}, 1],
	['without an expression', 20, {}, 20],
	['without an expression', 40, {}, 21],
	['with one that no item changes', 30, { maxAmounts: '={{ 1000 * 5 }}' }, 21],
	['with one that depends on the item', 30, { maxAmounts: '={{ $json.cap }}' }, 31],
])('a credential %s, for %i items, is read %#', async (_, count, credential, reads) => {
	await bench.seed(credential);
	const before = bench.credentials.reads;
	await bench.run(rows(count, () => ({ cap: 5000 })));
	expect([(await counts()).created, bench.credentials.reads - before]).toEqual([count, reads]);
});
