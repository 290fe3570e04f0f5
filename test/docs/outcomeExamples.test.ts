import { describeInvalidItem } from '../../nodes/Payments/output/messages';
import { jsonOf, withoutEmpty } from '../../nodes/Payments/output/itemJson';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { validateTransaction } from '../../nodes/Payments/validation/validate';
import { conclusionOf } from '../support/builders/answers';
import { read } from '../support/sourceTexts';

/* The example items of docs/outcomes.md are what the node's code makes of one transaction. */

const INPUT = {
	externalId: 'INV-2026-0042',
	reference: 'Invoice 2026-0042',
	amount: '2501.00',
	currency: 'EUR',
	externalCreatedAt: '2026-11-24',
	paymentScheme: 'SCT',
	'sender.externalEntityId': 'north-windmills',
	'sender.externalPaymentChannelId': 'north-windmills-account',
	'sender.countryCode': 'BE',
	'recipient.externalEntityId': 'harbour-bakery',
	'recipient.externalPaymentChannelId': 'harbour-bakery-eur-account',
	'recipient.countryCode': 'DK',
};
const RULES = { timeZone: 'UTC' };
const ITEM = { unreadable: [], columns: [], isEmpty: false };

const transaction = validateTransaction({ ...ITEM, values: INPUT }, RULES)
	.transaction as Transaction;
const { eventId, externalId } = transaction;
const recipientPaymentChannelId = transaction.recipient.externalPaymentChannelId;
const sent = { ...transaction, recipientPaymentChannelId };

function invalidItem(amount: string) {
	const problems = validateTransaction({ ...ITEM, values: { ...INPUT, amount } }, RULES).problems!;
	const fields = { ...INPUT, amount, recipientPaymentChannelId };
	const item = { itemIndex: 0, problems, fields };
	const { message, fix } = describeInvalidItem(item, [{ json: {} }], false);
	const shown = { isSuccess: false, includeResponse: false };
	return withoutEmpty(jsonOf({ outcome: 'invalid', message, fix }, fields, shown));
}

/** What the second example leaves out, because it's the same. */
const SAME = ['externalId', 'amount', 'currency', 'recipientPaymentChannelId'];

test('docs/outcomes.md has items as the node makes them', () => {
	const [first, ...others] = [...read('docs/outcomes.md').matchAll(/```json\n([^`]*)```/g)].map(
		([, json]) => JSON.parse(json) as Record<string, unknown>,
	);
	const accepted = { eventId, externalId, status: 'ACCEPTED' };
	const shown = { isSuccess: true, includeResponse: false };
	expect(first).toEqual(jsonOf(conclusionOf(202, accepted, { sent: transaction }), sent, shown));

	const invalid = Object.entries(invalidItem('2.501,00')).filter(([name]) => !SAME.includes(name));
	// What a document shows as blanks.
	expect(JSON.stringify(others)).toBe(
		JSON.stringify([Object.fromEntries(invalid)]).replaceAll('\u00a0', ' '),
	);
});
