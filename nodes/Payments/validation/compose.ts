import { generateEventId } from '../eventId';
import type { FieldValues, Transaction } from '../Transaction';

/**
 * Composes a transaction of the values of its fields. An empty Base Amount is the Amount, an empty
 * Received At is Created At, and an Event ID that isn't set is generated.
 */
export function composeTransaction(values: FieldValues): Transaction {
	const content = {
		externalId: values.externalId,
		externalStatus: values.externalStatus ?? null,
		reference: values.reference,
		amount: values.amount,
		currency: values.currency,
		baseAmount: values.baseAmount ?? values.amount,
		paymentScheme: values.paymentScheme,
		sender: {
			externalEntityId: values['sender.externalEntityId'],
			externalPaymentChannelId: values['sender.externalPaymentChannelId'],
			countryCode: values['sender.countryCode'],
		},
		recipient: {
			externalEntityId: values['recipient.externalEntityId'],
			externalPaymentChannelId: values['recipient.externalPaymentChannelId'],
			countryCode: values['recipient.countryCode'],
		},
		externalCreatedAt: values.externalCreatedAt,
		receivedAt: values.receivedAt ?? values.externalCreatedAt,
	};
	return { eventId: values.eventId ?? generateEventId(content), ...content };
}
