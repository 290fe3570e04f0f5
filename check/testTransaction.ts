import { randomUUID } from 'node:crypto';

import type { Transaction } from '../nodes/Payments/Transaction';
import type { Setup } from './Setup';

/** Creates a transaction between the two test parties, with IDs of its own. */
export function testTransaction(setup: Setup, changes: object = {}): Transaction {
	const { sender, recipient, amount, currency, paymentScheme } = setup;
	const eventId = randomUUID();
	const now = Date.now();
	return {
		eventId,
		externalId: `check-${eventId.slice(0, 8)}`,
		externalStatus: null,
		reference: `Check ${eventId.slice(0, 8)}`,
		amount,
		currency,
		baseAmount: amount,
		paymentScheme,
		sender,
		recipient,
		externalCreatedAt: now,
		receivedAt: now,
		...changes,
	};
}
