import type { Emitter } from '../deliveries/emitter';
import { exampleOf } from '../deliveries/eventCatalog';
import type { Manner } from '../deliveries/webhookDispatcher';
import type { NewPayment, Payment, PaymentStatus, Transaction } from '../types';
import type { Changes } from './changes';
import type { Clock } from './clock';
import { newId } from './ids';
import { Log, MAX_KEPT } from './log';
import { notFound } from './serviceError';
import { checkTransition, paymentTransitions } from './transitions';

/** Whether an id is that of a fiat or virtual account of the service, by its prefix. */
const isOwnAccount = (channelId: string) => /^(vac|fac)_/.test(channelId);

/** Returns PAYIN to an account of the service, TRANSFER between two of them, otherwise PAYOUT. */
export function directionOf(fromId: string, toId: string): Payment['direction'] {
	if (isOwnAccount(toId)) return isOwnAccount(fromId) ? 'TRANSFER' : 'PAYIN';
	return 'PAYOUT';
}

/** Pads an amount, as text, to at least two decimals (docs/interface.md, 10.3). */
export function withTwoDecimals(amount: string): string {
	const [whole, decimals = ''] = amount.split('.');
	return `${whole}.${decimals.padEnd(2, '0')}`;
}

/** The payments of the service. Every change emits an event. */
export class Payments {
	readonly log = new Log<Payment>(MAX_KEPT.payments);

	constructor(
		private readonly emitter: Emitter,
		private readonly changes: Changes,
		private readonly clock: Clock,
	) {}

	/**
	 * Creates the payment of a transaction. Its metadata has the transaction's IDs, so that a
	 * receiver can match both.
	 */
	fromTransaction(
		{
			eventId,
			externalId,
			sender,
			recipient,
			reference,
			amount,
			currency,
			paymentScheme,
		}: Transaction,
		manner: Manner,
	): Payment {
		const [fromId, toId] = [sender.externalPaymentChannelId, recipient.externalPaymentChannelId];
		const metadata = { eventId, externalId };
		return this.create(
			{ fromId, toId, reference, amount, currency, paymentScheme, metadata },
			manner,
		);
	}

	create(
		{ fromId = newId('pyr', 20), toId = newId('vac', 20), ...wanted }: NewPayment,
		manner?: Manner,
	): Payment {
		const now = this.clock.now();
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
		this.emitter.emit({ event: 'PAYMENT.CREATED', data: { ...payment }, createdAt: now }, manner);
		return payment;
	}

	/** Whether a payment exists and the status can follow its current one. */
	canBecome(id: string, status: PaymentStatus): boolean {
		const payment = this.log.get(id);
		return payment !== undefined && paymentTransitions[payment.status].includes(status);
	}

	/** The status of a transaction's payment, or ACCEPTED before it exists. */
	statusOf(id: string | undefined): PaymentStatus | 'ACCEPTED' {
		return (id !== undefined && this.log.get(id)?.status) || 'ACCEPTED';
	}

	get(id: string): Payment {
		const payment = this.log.get(id);
		if (!payment) throw notFound('payment', id);
		return payment;
	}

	/** Throws 404 for an unknown payment and 409 for a status that can't follow the current one. */
	setStatus(id: string, status: PaymentStatus, manner?: Manner): Payment {
		const payment = this.get(id);
		checkTransition(paymentTransitions, payment.status, status);
		const previousValues = { status: payment.status };
		payment.status = status;
		payment.updatedAt = this.clock.now();
		this.changes.touch('payments');
		const createdAt = payment.updatedAt;
		this.emitter.emit(
			{ event: 'PAYMENT.STATUS_UPDATED', data: { ...payment }, previousValues, createdAt },
			manner,
		);
		if (status === 'RETURNED') this.emitReturn(payment, createdAt, manner);
		return payment;
	}

	/** A payment that comes back is an object of its own. */
	private emitReturn({ id, amount, currency }: Payment, now: number, manner?: Manner): void {
		const example = exampleOf('RETURN.CREATED', now).data;
		const data = { ...example, paymentId: id, amount, currency };
		this.emitter.emit({ event: 'RETURN.CREATED', data, createdAt: now }, manner);
	}
}
