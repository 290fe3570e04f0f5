import type { Counts, PaymentStatus, StoredTransaction, Transaction } from '../types';
import type { Changes } from './changes';
import { DelayQueue } from './delayQueue';
import { Log } from './log';
import type { Payments } from './payments';

/** A transaction on its way: first it becomes a payment, then the payment goes through these statuses. */
interface Step {
	stored: StoredTransaction;
	statuses: PaymentStatus[];
}

/** What came in, and what becomes of it after it was answered 202 (public practice, Answers of the API). */
export class Transactions {
	readonly log = new Log<StoredTransaction>();
	private readonly processing: DelayQueue<Step>;

	constructor(
		private readonly payments: Payments,
		private readonly counts: () => Counts['transactions'],
		private readonly changes: Changes,
		processingMs: () => number,
	) {
		this.processing = new DelayQueue<Step>(processingMs, (step) => this.advance(step));
	}

	/** Whether it is new. One whose eventId is known is only counted, whatever else it says. */
	accept(transaction: Transaction, scope: string): boolean {
		this.changes.touch('transactions');
		const known = this.log.get(transaction.eventId);
		if (known) {
			known.seen++;
			this.counts().duplicates++;
			return false;
		}
		const stored = {
			eventId: transaction.eventId,
			transaction,
			firstSeenAt: Date.now(),
			seen: 1,
			scope,
		};
		this.log.add(stored.eventId, stored);
		this.counts().created++;
		this.counts().processing++;
		this.processing.add({ stored, statuses: ['PROCESSING', 'COMPLETED'] });
		return true;
	}

	restart(): void {
		this.processing.restart();
	}

	clear(): void {
		this.log.clear();
		this.processing.clear();
	}

	private advance(step: Step): void {
		const { stored, statuses } = step;
		if (stored.paymentId === undefined) {
			stored.paymentId = this.payments.fromTransaction(stored.transaction).id;
			this.changes.touch('transactions');
		} else if (this.payments.mayBecome(stored.paymentId, statuses[0])) {
			this.payments.setStatus(stored.paymentId, statuses.shift()!);
		} else {
			// A person moved the payment another way; it stays there.
			statuses.length = 0;
		}
		if (statuses.length > 0) this.processing.add(step);
		else this.counts().processing--;
	}
}
