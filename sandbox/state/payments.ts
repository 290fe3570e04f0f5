import { exampleOf } from '../deliveries/eventCatalog';
import type { Manner } from '../deliveries/webhookDispatcher';
import type { NewPayment, Payment, PaymentStatus, Transaction } from '../types';
import { newId } from './ids';
import { Log } from './log';
import type { SandboxState } from './sandboxState';
import { checkTransition, paymentTransitions, statusReasons } from './transitions';

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
	readonly log = new Log<Payment>('payment');

	constructor(private readonly state: SandboxState) {}

	/**
	 * Creates the payment of a transaction. Its metadata has the transaction's IDs, so that a
	 * receiver can match both.
	 */
	fromTransaction(
		{ eventId, externalId, sender, recipient, ...wanted }: Transaction,
		manner: Manner,
	): Payment {
		return this.create(
			{
				...wanted,
				fromId: sender.externalPaymentChannelId,
				toId: recipient.externalPaymentChannelId,
				metadata: { eventId, externalId },
			},
			manner,
		);
	}

	create(
		{ fromId = newId('pyr', 20), toId = newId('vac', 20), ...wanted }: NewPayment,
		manner?: Manner,
	): Payment {
		const now = this.state.clock.now();
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
		this.state.emitter.emit(
			{ event: 'PAYMENT.CREATED', data: { ...payment }, createdAt: now },
			manner,
		);
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

	/** Throws 404 for an unknown payment and 409 for a status that can't follow the current one. */
	setStatus(id: string, status: PaymentStatus, manner?: Manner): Payment {
		const payment = this.log.find(id);
		checkTransition(payment.status, status);
		const previousValues = { status: payment.status };
		payment.status = status;
		const statusReason = statusReasons[status];
		if (statusReason !== undefined) payment.statusReason = statusReason;
		payment.updatedAt = this.state.clock.now();
		const createdAt = payment.updatedAt;
		this.state.emitter.emit(
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
		this.state.emitter.emit({ event: 'RETURN.CREATED', data, createdAt: now }, manner);
	}
}
