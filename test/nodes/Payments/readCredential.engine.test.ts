import type { IDataObject } from 'n8n-workflow';

import { rows } from '../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const counts = async () => (await bench.sandbox.client.getCounts()).transactions;

const CAP = '={{ $json?.cap ?? "" }}';
/** It gives an item that doesn't exist the same as one without the column. */
const SAFE_CAP = '={{ $input.item?.json?.cap ?? "" }}';
const FIRST_AND_LAST = '={{ [0, 5].includes($itemIndex) ? 5000 : 5 }}';
/** Items, of which only the one with this index has a value of its own. */
const withCap = (count: number, at: number, others: IDataObject = {}) =>
	rows(count, (index) => (index === at ? { cap: 10 } : others));

test.each<[string, string, string, IDataObject[], number]>([
	['Client ID', 'clientId', `${CAP}a`, withCap(6, 3), 4],
	['Max Amount per Transaction', 'maxAmounts', FIRST_AND_LAST, rows(6), 2],
	['Max Amount per Transaction', 'maxAmounts', SAFE_CAP, withCap(3, 1), 2],
	['Allowed Recipients', 'allowedRecipients', CAP, withCap(3, 1), 2],
	['Codes for Recorded Already', 'recordedCodes', SAFE_CAP, withCap(3, 1), 2],
	// Of a longer list, 20 are read.
	['Max Amount per Transaction', 'maxAmounts', SAFE_CAP, withCap(30, 14), 15],
	['Max Amount per Transaction', 'maxAmounts', SAFE_CAP, withCap(30, 29), 30],
	// What an item that doesn't exist gives shows that it depends on the item, so each is read.
	['Max Amount per Transaction', 'maxAmounts', CAP, withCap(60, 40, { cap: 5000 }), 41],
])(
	'%s depends on the item, so nothing is sent: %s, %s',
	async (label, name, value, items, item) => {
		await bench.seed({ [name]: value });
		const { error } = await bench.run(items);
		expect(error?.message).toContain(`'${label}'`);
		expect(error?.message).toMatch(new RegExp(`the first item and item ${item}\\b`));
		expect(error?.message).not.toContain(bench.client.clientId);
		expect(error?.description).toMatch(/Nothing was sent/);
		expect((await counts()).requests).toBe(0);
	},
);

test.each([
	['without an expression', 1, {}, 1],
	['without an expression', 20, {}, 20],
	['without an expression', 40, {}, 21],
	['with one that no item changes', 30, { maxAmounts: '={{ 1000 * 5 }}' }, 21],
	['with one that depends on the item', 30, { maxAmounts: CAP }, 31],
	['whose stored token changes meanwhile', 20, { accessToken: '={{ $itemIndex }}' }, 20],
])('a credential %s, for %i items, is read %#', async (_, count, credential, reads) => {
	await bench.seed(credential);
	const before = bench.credentials.reads;
	await bench.run(rows(count, () => ({ cap: 5000 })));
	expect([(await counts()).created, bench.credentials.reads - before]).toEqual([count, reads]);
});
