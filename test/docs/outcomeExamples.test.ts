import { describeInvalidItem } from '../../nodes/Payments/output/messages';
import { jsonOf, type Statement } from '../../nodes/Payments/output/Output';
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

const transaction = validateTransaction({ values: INPUT, unreadable: [] }, RULES)
	.transaction as Transaction;
const { eventId, externalId } = transaction;
const recipient = transaction.recipient.externalPaymentChannelId;
const item = (said: Statement) => jsonOf(said, { ...transaction, recipient });

function invalidItem(amount: string) {
	const problems = validateTransaction(
		{ values: { ...INPUT, amount }, unreadable: [] },
		RULES,
	).problems!;
	const fields = { ...INPUT, amount, recipient };
	return jsonOf(
		{
			outcome: 'invalid',
			...describeInvalidItem({ itemIndex: 0, problems, fields }, [{ json: {} }], false),
		},
		fields,
	);
}

/** What the second example leaves out, because it's the same. */
const SAME = ['externalId', 'amount', 'currency', 'recipient', 'eventId'];

test('docs/outcomes.md has items as the node makes them', () => {
	const [first, ...others] = [...read('docs/outcomes.md').matchAll(/```json\n([^`]*)```/g)].map(
		([, json]) => JSON.parse(json) as Record<string, unknown>,
	);
	const accepted = { eventId, externalId, status: 'ACCEPTED' };
	expect(first).toEqual(item(conclusionOf(202, accepted, { sent: transaction })));

	const invalid = Object.entries(invalidItem('2.501,00')).filter(([name]) => !SAME.includes(name));
	expect(others).toEqual([Object.fromEntries(invalid)]);
});
