import type { Manner } from '../deliveries/webhookDispatcher';
import type { PaymentStatus, Scenario, StoredTransaction, Transaction } from '../types';
import { DelayQueue } from './delayQueue';
import { Log } from './log';
import type { SandboxState } from './sandboxState';

/** A transaction that is being processed: its payment gets these statuses, one after the other. */
interface Step {
	stored: StoredTransaction;
	statuses: PaymentStatus[];
	scenario?: Scenario;
}

/** The IDs of the sender, the recipient, and their accounts. */
export const partiesOf = ({ sender, recipient }: Transaction): string[] =>
	[sender, recipient].flatMap((one) => [one.externalEntityId, one.externalPaymentChannelId]);

/** The statuses of a payment that no scenario changes. */
const USUAL_STATUSES: PaymentStatus[] = ['PROCESSING', 'COMPLETED'];

/** Whether a transaction was recorded, or what kept it from being recorded. */
export type Acceptance = 'created' | 'eventExists' | 'inProgress';

/** The recorded transactions, and what follows the 202 (docs/interface.md, 10.4). */
export class Transactions {
	readonly log = new Log<StoredTransaction>('transaction');
	/** All that were recorded, also those that aren't kept anymore. */
	readonly eventIds = new Set<string>();
	/** Those that are recorded later, by eventId. */
	readonly inProgress = new Map<string, Step>();
	/** Those whose payment isn't at its end. */
	readonly steps = new Set<Step>();
	private readonly processing: DelayQueue<Step>;

	constructor(private readonly state: SandboxState) {
		this.processing = new DelayQueue<Step>(
			state.clock,
			() => state.faults.current.processingMs,
			(step) => this.advance(step),
		);
	}

	/**
	 * Records a transaction, unless its eventId is recorded or in progress: then that one's `seen` is
	 * counted up, whatever else the body says.
	 *
	 * @param scenario what its payment does, and whether the transaction is in progress first
	 */
	accept(transaction: Transaction, scenario?: Scenario): Acceptance {
		const { eventId } = transaction;
		const { forgetEventIdsAfterMs = Infinity } = this.state.faults.current;
		const known = this.log.get(eventId);
		if (known && this.state.clock.now() - known.firstSeenAt > forgetEventIdsAfterMs) {
			this.recordAgain(known, transaction, scenario);
			return 'created';
		}
		if (known) known.seen++;
		if (this.eventIds.has(eventId)) {
			this.state.counts.transactions.duplicates++;
			return 'eventExists';
		}
		const waiting = this.inProgress.get(eventId);
		if (waiting) {
			waiting.stored.seen++;
			return 'inProgress';
		}
		const stored = { eventId, transaction, firstSeenAt: this.state.clock.now(), seen: 1 };
		this.state.counts.transactions.processing++;
		if (scenario?.inProgressMs === undefined) {
			this.record(stored, scenario);
			return 'created';
		}
		this.inProgress.set(eventId, { stored, statuses: [], scenario });
		this.state.clock.setTimer(() => this.endProgress(eventId), scenario.inProgressMs);
		return 'inProgress';
	}

	/** Goes on with the transactions of a sandbox that was stopped. */
	resume(): void {
		for (const eventId of this.inProgress.keys()) this.endProgress(eventId);
		for (const step of this.steps) this.wait(step);
	}

	/** Applies a changed processing time to the transactions that wait. */
	restart(): void {
		this.processing.restart();
	}

	clear(): void {
		this.log.clear();
		this.eventIds.clear();
		this.inProgress.clear();
		this.steps.clear();
		this.processing.clear();
	}

	private endProgress(eventId: string): void {
		const { stored, scenario } = this.inProgress.get(eventId)!;
		this.inProgress.delete(eventId);
		this.record(stored, scenario);
	}

	private record(stored: StoredTransaction, scenario?: Scenario): void {
		this.log.add(stored.eventId, stored);
		this.eventIds.add(stored.eventId);
		this.process(stored, scenario);
	}

	/** It becomes another payment. */
	private recordAgain(
		known: StoredTransaction,
		transaction: Transaction,
		scenario?: Scenario,
	): void {
		known.seen++;
		known.firstSeenAt = this.state.clock.now();
		this.state.counts.transactions.processing++;
		this.process({ ...known, transaction, paymentId: undefined }, scenario);
	}

	private process(stored: StoredTransaction, scenario?: Scenario): void {
		this.state.counts.transactions.created++;
		if (this.state.faults.current.recordsOnly) {
			this.state.counts.transactions.processing--;
			return;
		}
		this.wait({ stored, statuses: [...(scenario?.statuses ?? USUAL_STATUSES)], scenario });
	}

	private wait(step: Step): void {
		this.steps.add(step);
		const stepMs = step.scenario?.stepMs;
		if (stepMs === undefined) this.processing.add(step);
		else this.state.clock.setTimer(() => this.advance(step), stepMs);
	}

	/**
	 * How the next event of a payment is delivered. In reverse order, each waits for those after it.
	 */
	private mannerOf({ scenario, statuses }: Step): Manner {
		const delayMs = scenario?.reversed
			? statuses.length * (2 * this.state.faults.current.processingMs + 500)
			: 0;
		return { copies: scenario?.copies, delayMs };
	}

	private advance(step: Step): void {
		const { stored, statuses } = step;
		if (stored.paymentId === undefined) {
			stored.paymentId = this.state.payments.fromTransaction(
				stored.transaction,
				this.mannerOf(step),
			).id;
		} else if (this.state.payments.canBecome(stored.paymentId, statuses[0])) {
			const status = statuses.shift()!;
			this.state.payments.setStatus(stored.paymentId, status, this.mannerOf(step));
		} else {
			// A person has set another status, which stays.
			statuses.length = 0;
		}
		if (statuses.length > 0) return this.wait(step);
		this.steps.delete(step);
		this.state.counts.transactions.processing--;
	}
}
