import type { Emitter } from '../deliveries/emitter';
import type { NewPayment, Payment, PaymentStatus, Transaction } from '../types';
import type { Changes } from './changes';
import { newId } from './ids';
import { Log } from './log';
import { notFound } from './serviceError';
import { checkTransition, paymentTransitions } from './transitions';

/** Whether an id is that of a fiat or virtual account of the service, by its prefix. */
const isOwnAccount = (channelId: string) => /^(vac|fac)_/.test(channelId);

/** Returns PAYIN to an account of the service, TRANSFER between two of them, and PAYOUT otherwise. */
export function directionOf(fromId: string, toId: string): Payment['direction'] {
	if (isOwnAccount(toId)) return isOwnAccount(fromId) ? 'TRANSFER' : 'PAYIN';
	return 'PAYOUT';
}

/** Pads an amount to at least two decimals (public practice, States). Works on the text, so that no digit changes. */
export function withTwoDecimals(amount: string): string {
	const [whole, decimals = ''] = amount.split('.');
	return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** The payments of the service. Every change emits an event. */
export class Payments {
	readonly log = new Log<Payment>();

	constructor(
		private readonly emitter: Emitter,
		private readonly changes: Changes,
	) {}

	/** Creates the payment of a transaction. Its metadata has the ids of the transaction, so that a receiver can match both. */
	fromTransaction({
		eventId,
		externalId,
		sender,
		recipient,
		reference,
		amount,
		currency,
		paymentScheme,
	}: Transaction): Payment {
		const [fromId, toId] = [sender.externalPaymentChannelId, recipient.externalPaymentChannelId];
		return this.create({
			fromId,
			toId,
			reference,
			amount,
			currency,
			paymentScheme,
			metadata: { eventId, externalId },
		});
	}

	create({ fromId = newId('pyr', 20), toId = newId('vac', 20), ...wanted }: NewPayment): Payment {
		const now = Date.now();
		const payment: Payment = {
			id: newId('pmt', 20),
			fromId,
			toId,
			direction: directionOf(fromId, toId),
			reference: wanted.reference ?? 'Payment',
			amount: withTwoDecimals(wanted.amount),
			currency: wanted.currency,
			paymentScheme: wanted.paymentScheme ?? 'SCT',
			status: 'CREATED',
			createdAt: now,
			updatedAt: now,
			metadata: wanted.metadata ?? {},
		};
		this.log.add(payment.id, payment);
		this.changes.touch('payments');
		this.emitter.emit({ event: 'PAYMENT.CREATED', data: { ...payment }, createdAt: now });
		return payment;
	}

	/** Whether a payment exists and the status can follow its current one. */
	canBecome(id: string, status: PaymentStatus): boolean {
		const payment = this.log.get(id);
		return payment !== undefined && paymentTransitions[payment.status].includes(status);
	}

	/** Throws 404 for an unknown payment and 409 for a status that can't follow the current one. */
	setStatus(id: string, status: PaymentStatus): Payment {
		const payment = this.log.get(id);
		if (!payment) throw notFound('payment', id);
		checkTransition(paymentTransitions, payment.status, status);
		const previousValues = { status: payment.status };
		payment.status = status;
		payment.updatedAt = Date.now();
		this.changes.touch('payments');
		this.emitter.emit({
			event: 'PAYMENT.STATUS_UPDATED',
			data: { ...payment },
			previousValues,
			createdAt: payment.updatedAt,
		});
		return payment;
	}
}
