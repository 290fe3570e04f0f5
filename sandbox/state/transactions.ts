import type { Counts, PaymentStatus, StoredTransaction, Transaction } from '../types';
import type { Changes } from './changes';
import { DelayQueue } from './delayQueue';
import { Log } from './log';
import type { Payments } from './payments';

/** A transaction that is being processed: it becomes a payment, and the payment gets these statuses one after the other. */
interface Step {
	stored: StoredTransaction;
	statuses: PaymentStatus[];
}

/** Whether a transaction was recorded, or what kept it from being recorded. */
export type Acceptance = 'created' | 'eventExists' | 'externalIdInUse';

/** The recorded transactions, and their processing after the 202 (public practice, Answers of the API). */
export class Transactions {
	readonly log = new Log<StoredTransaction>();
	/** Every externalId in the log. */
	private readonly externalIds = new Set<string>();
	private readonly processing: DelayQueue<Step>;

	constructor(
		private readonly payments: Payments,
		private readonly counts: () => Counts['transactions'],
		private readonly changes: Changes,
		processingMs: () => number,
	) {
		this.processing = new DelayQueue<Step>(processingMs, (step) => this.advance(step));
	}

	/**
	 * Records a transaction, unless its eventId is recorded: then that one's `seen` is counted up, whatever else the body says.
	 *
	 * @param scope of the token that it came with
	 * @param uniqueExternalIds whether one whose externalId is recorded under another eventId isn't recorded
	 */
	accept(transaction: Transaction, scope: string, uniqueExternalIds: boolean): Acceptance {
		const { eventId, externalId } = transaction;
		this.changes.touch('transactions');
		const known = this.log.get(eventId);
		if (known) {
			known.seen++;
			this.counts().duplicates++;
			return 'eventExists';
		}
		if (uniqueExternalIds && this.externalIds.has(externalId)) return 'externalIdInUse';
		const stored = {
			eventId,
			transaction,
			firstSeenAt: Date.now(),
			seen: 1,
			scope,
		};
		this.add(stored);
		this.counts().created++;
		this.counts().processing++;
		this.processing.add({ stored, statuses: ['PROCESSING', 'COMPLETED'] });
		return 'created';
	}

	/** Puts a recorded transaction into the log as it is; nothing is processed. */
	add(stored: StoredTransaction): void {
		this.log.add(stored.eventId, stored);
		this.externalIds.add(stored.transaction.externalId);
	}

	/** Applies a changed processing time to the transactions that wait. */
	restart(): void {
		this.processing.restart();
	}

	clear(): void {
		this.log.clear();
		this.externalIds.clear();
		this.processing.clear();
	}

	private advance(step: Step): void {
		const { stored, statuses } = step;
		if (stored.paymentId === undefined) {
			stored.paymentId = this.payments.fromTransaction(stored.transaction).id;
			this.changes.touch('transactions');
		} else if (this.payments.canBecome(stored.paymentId, statuses[0])) {
			this.payments.setStatus(stored.paymentId, statuses.shift()!);
		} else {
			// A person has set another status, which stays.
			statuses.length = 0;
		}
		if (statuses.length > 0) this.processing.add(step);
		else this.counts().processing--;
	}
}
