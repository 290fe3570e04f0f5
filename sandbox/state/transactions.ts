import { createHash } from 'node:crypto';
import type { Manner } from '../deliveries/webhookDispatcher';
import type { Counts, PaymentStatus, Scenario, StoredTransaction, Transaction } from '../types';
import type { Changes } from './changes';
import type { Clock } from './clock';
import { DelayQueue } from './delayQueue';
import { Log, MAX_KEPT } from './log';
import type { Payments } from './payments';

/** A transaction that is being processed: its payment gets these statuses, one after the other. */
interface Step {
	stored: StoredTransaction;
	statuses: PaymentStatus[];
	scenario?: Scenario;
}

const MAX_FORGOTTEN = 1_000_000;

/** 72 bits of a hash: enough to tell a million eventIds apart, in less memory than most take. */
const hashOf = (eventId: string) =>
	createHash('sha256').update(eventId).digest('binary').slice(0, 9);

/** Whether an ID is that of the sender or the recipient, or of the account of one of them. */
export const hasParty = ({ sender, recipient }: Transaction, id: string): boolean =>
	[sender, recipient].some(
		({ externalEntityId, externalPaymentChannelId }) =>
			externalEntityId === id || externalPaymentChannelId === id,
	);

/** The statuses of a payment that no scenario changes. */
const USUAL_STATUSES: PaymentStatus[] = ['PROCESSING', 'COMPLETED'];

/** A transaction that isn't recorded yet, and the function that cancels its recording. */
interface InProgress {
	stored: StoredTransaction;
	cancel: () => void;
}

/** Whether a transaction was recorded, or what kept it from being recorded. */
export type Acceptance = 'created' | 'eventExists' | 'inProgress' | 'externalIdInUse';

/** The recorded transactions, and what follows the 202 (docs/interface.md, 10.4). */
export class Transactions {
	readonly log = new Log<StoredTransaction>(MAX_KEPT.transactions, (old) => this.forget(old));
	/** Hashes of the eventIds of transactions that aren't kept anymore, to know duplicates. */
	private readonly forgotten = new Set<string>();
	/** Every externalId in the log. */
	private readonly externalIds = new Set<string>();
	/** Those that are recorded later, by eventId. */
	private readonly inProgress = new Map<string, InProgress>();
	private readonly processing: DelayQueue<Step>;
	/** Those of scenarios with another time between two statuses, by this time. */
	private readonly slower = new Map<number, DelayQueue<Step>>();

	constructor(
		private readonly payments: Payments,
		private readonly counts: () => Counts['transactions'],
		private readonly changes: Changes,
		private readonly clock: Clock,
		private readonly processingMs: () => number,
	) {
		this.processing = this.newQueue(processingMs);
	}

	/**
	 * Records a transaction, unless its eventId is recorded or in progress: then that one's `seen` is
	 * counted up, whatever else the body says.
	 *
	 * @param scope of the token that it came with
	 * @param uniqueExternalIds whether one whose externalId is recorded under another eventId isn't
	 * recorded
	 * @param scenario what its payment does, and whether the transaction is in progress first
	 * @param isForgotten whether a transaction is one that the service doesn't know anymore
	 */
	accept(
		transaction: Transaction,
		scope: string,
		uniqueExternalIds: boolean,
		scenario?: Scenario,
		isForgotten: (known: StoredTransaction) => boolean = () => false,
	): Acceptance {
		const { eventId, externalId } = transaction;
		this.changes.touch('transactions');
		const known = this.log.get(eventId);
		if (known && isForgotten(known)) {
			this.recordAgain(known, transaction, scenario);
			return 'created';
		}
		if (known) known.seen++;
		if (known || this.forgotten.has(hashOf(eventId))) {
			this.counts().duplicates++;
			return 'eventExists';
		}
		const waiting = this.inProgress.get(eventId);
		if (waiting) {
			waiting.stored.seen++;
			return 'inProgress';
		}
		if (uniqueExternalIds && this.externalIds.has(externalId)) return 'externalIdInUse';
		const stored = {
			eventId,
			transaction,
			firstSeenAt: this.clock.now(),
			seen: 1,
			scope,
		};
		this.counts().processing++;
		if (scenario?.inProgressMs === undefined) {
			this.record(stored, scenario);
			return 'created';
		}
		const cancel = this.clock.setTimer(() => {
			this.inProgress.delete(eventId);
			this.changes.touch('transactions');
			this.record(stored, scenario);
		}, scenario.inProgressMs);
		this.inProgress.set(eventId, { stored, cancel });
		return 'inProgress';
	}

	/** Applies a changed processing time to the transactions that wait. */
	restart(): void {
		this.processing.restart();
	}

	clear(): void {
		this.log.clear();
		this.forgotten.clear();
		this.externalIds.clear();
		for (const { cancel } of this.inProgress.values()) cancel();
		this.inProgress.clear();
		this.processing.clear();
		for (const queue of this.slower.values()) queue.clear();
	}

	private record(stored: StoredTransaction, scenario?: Scenario): void {
		this.log.add(stored.eventId, stored);
		this.externalIds.add(stored.transaction.externalId);
		this.process(stored, scenario);
	}

	/** It becomes another payment. */
	private recordAgain(
		known: StoredTransaction,
		transaction: Transaction,
		scenario?: Scenario,
	): void {
		known.seen++;
		known.firstSeenAt = this.clock.now();
		this.counts().processing++;
		this.process({ ...known, transaction, paymentId: undefined }, scenario);
	}

	private process(stored: StoredTransaction, scenario?: Scenario): void {
		this.counts().created++;
		this.wait({ stored, statuses: [...(scenario?.statuses ?? USUAL_STATUSES)], scenario });
	}

	private forget({ eventId, transaction }: StoredTransaction): void {
		this.externalIds.delete(transaction.externalId);
		this.forgotten.add(hashOf(eventId));
		if (this.forgotten.size > MAX_FORGOTTEN) {
			const [oldest] = this.forgotten;
			this.forgotten.delete(oldest);
		}
	}

	private newQueue(delayMs: () => number): DelayQueue<Step> {
		return new DelayQueue<Step>(this.clock, delayMs, (step) => this.advance(step));
	}

	private wait(step: Step): void {
		const stepMs = step.scenario?.stepMs;
		if (stepMs === undefined) return this.processing.add(step);
		const queue = this.slower.get(stepMs) ?? this.newQueue(() => stepMs);
		this.slower.set(stepMs, queue);
		queue.add(step);
	}

	/**
	 * How the next event of a payment is delivered. In reverse order, each waits for those after it.
	 */
	private mannerOf({ scenario, statuses }: Step): Manner {
		const delayMs = scenario?.reversed ? statuses.length * (2 * this.processingMs() + 500) : 0;
		return { copies: scenario?.copies, delayMs };
	}

	private advance(step: Step): void {
		const { stored, statuses } = step;
		if (stored.paymentId === undefined) {
			stored.paymentId = this.payments.fromTransaction(stored.transaction, this.mannerOf(step)).id;
			this.changes.touch('transactions');
		} else if (this.payments.canBecome(stored.paymentId, statuses[0])) {
			const status = statuses.shift()!;
			this.payments.setStatus(stored.paymentId, status, this.mannerOf(step));
		} else {
			// A person has set another status, which stays.
			statuses.length = 0;
		}
		if (statuses.length > 0) this.wait(step);
		else this.counts().processing--;
	}
}
