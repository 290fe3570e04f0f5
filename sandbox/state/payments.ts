import type { Emitter } from '../deliveries/emitter';
import type { NewPayment, Payment, PaymentStatus, Transaction } from '../types';
import type { Changes } from './changes';
import { newId } from './ids';
import { Log } from './log';
import { notFound } from './serviceError';
import { checkTransition, paymentTransitions } from './transitions';

/** An account of the service itself, fiat or virtual, by the prefix of its id. */
const isOurs = (channelId: string) => /^(vac|fac)_/.test(channelId);

/** PAYIN where the money comes to an account of the service, PAYOUT where it leaves one, TRANSFER between two of them. */
export function directionOf(fromId: string, toId: string): Payment['direction'] {
	if (isOurs(toId)) return isOurs(fromId) ? 'TRANSFER' : 'PAYIN';
	return 'PAYOUT';
}

/** At least two decimals (public practice, States); a third one, which some currencies have, stays. Text only, no number is made. */
export function withTwoDecimals(amount: string): string {
	const [whole, decimals = ''] = amount.split('.');
	return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** The payments of the service. Every change goes out as an event. */
export class Payments {
	readonly log = new Log<Payment>();

	constructor(
		private readonly emitter: Emitter,
		private readonly changes: Changes,
	) {}

	/** The payment that a transaction becomes; its metadata says which one it was, so that an outcome can be matched. */
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

	mayBecome(id: string, status: PaymentStatus): boolean {
		const payment = this.log.get(id);
		return payment !== undefined && paymentTransitions[payment.status].includes(status);
	}

	/** Throws 404 for an unknown payment and 409 for a status that cannot follow. */
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
