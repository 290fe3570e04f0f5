import { describeInvalidItem } from '../../nodes/Payments/output/messages';
import { jsonOf, type Statement } from '../../nodes/Payments/output/outputItems';
import {
	created,
	duplicate,
	notSent,
	rejected,
	unknownOutcome,
} from '../../nodes/Payments/sending/outcome';
import type { Transaction } from '../../nodes/Payments/Transaction';
import { validateTransaction } from '../../nodes/Payments/validation/validate';
import { classifyNetworkError } from '../../nodes/shared/networkError';
import { read } from '../support/sourceTexts';

/* The example items of docs/outcomes.md are what the node's code makes of one payment. */

const PAYMENT = {
	externalId: 'INV-2026-0042',
	reference: 'Invoice 2026-0042',
	amount: '2501.00',
	currency: 'EUR',
	paymentScheme: 'SCT',
	'sender.externalEntityId': 'north-windmills',
	'sender.externalPaymentChannelId': 'north-windmills-account',
	'sender.countryCode': 'BE',
	'recipient.externalEntityId': 'harbour-bakery',
	'recipient.externalPaymentChannelId': 'harbour-bakery-eur-account',
	'recipient.countryCode': 'DK',
};
const RULES = { now: Date.UTC(2026, 10, 24), timeZone: 'UTC' };

const transaction = validateTransaction(PAYMENT, RULES).transaction as Transaction;
const { eventId, externalId } = transaction;
const recipient = transaction.recipient.externalPaymentChannelId;
const item = (said: Statement) => jsonOf(said, { ...transaction, recipient });

function invalidItem(amount: string) {
	const problems = validateTransaction({ ...PAYMENT, amount }, RULES).problems!;
	const payment = { ...PAYMENT, amount, recipient };
	return jsonOf(
		{
			outcome: 'invalid',
			...describeInvalidItem({ itemIndex: 0, problems, payment }, [{ json: {} }], false),
		},
		payment,
	);
}

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS', message: 'This event already exists.' };
const INVALID = {
	errorCode: 'INVALID_REQUEST_DATA',
	warnings: [{ position: 'recipient.externalPaymentChannelId', issue: 'Is not known' }],
};
const { reason } = classifyNetworkError({ code: 'CERT_HAS_EXPIRED' }, 'api.example.com');

/** What each example but the first leaves out, because it's the same. */
const SAME = ['externalId', 'amount', 'currency', 'recipient', 'eventId'];

test('docs/outcomes.md has an item for each outcome', () => {
	const [first, ...others] = [...read('docs/outcomes.md').matchAll(/```json\n([^`]*)```/g)].map(
		([, json]) => JSON.parse(json) as Record<string, unknown>,
	);
	const accepted = { status: 202, headers: {}, body: { eventId, externalId, status: 'ACCEPTED' } };
	expect(first).toEqual(item(created(accepted)));

	const items = [
		item(duplicate({ status: 409, headers: {}, body: EXISTS }, false)),
		invalidItem('2.501,00'),
		item(rejected({ status: 400, headers: {}, body: INVALID })),
		item(
			notSent(
				`The transaction wasn't sent, because ${reason}`,
				'Check the connection to the service, then run the workflow again. Nothing was sent.',
			),
		),
		item(unknownOutcome("api.example.com didn't respond in time")),
		item({
			outcome: 'dryRun',
			message: "Dry run: the transaction wasn't sent",
			fix: "Turn off the option 'Dry Run' to send it.",
		}),
	];
	const shown = items.map((one) =>
		Object.fromEntries(Object.entries(one).filter(([name]) => !SAME.includes(name))),
	);
	expect(others).toEqual(shown);
});
