import { BoundedMap } from '../shared/BoundedMap';
import { addDecimals, subtractDecimals } from './decimals';
import type { Transaction } from './Transaction';
import type { ExecutionTotals } from './validation/limits';

const MAX_EXECUTIONS = 10_000;
const MAX_PAYMENTS = 100_000;
/** An execution that has sent nothing for so long has ended. */
const MAX_AGE_MS = 24 * 3_600_000;

/** A custom Event ID can come with another amount, which then counts on its own. */
const keyOf = (nodeInExecution: string, { eventId, amount, currency }: Transaction) =>
	JSON.stringify([nodeInExecution, eventId, amount, currency]);

/**
 * Remembers, in this process, what each execution has sent, because the node can run several times
 * in one: as the tool of an agent, in a loop, and with *Retry On Fail*. Beyond 10,000 executions,
 * it forgets the one that has sent nothing for the longest time. Old payments are forgotten
 * earlier: if they're retried, they count again, so the limit may be reached early.
 */
export class TotalsMemory {
	/** Sums by currency, by execution. */
	private readonly totals: BoundedMap<string, Map<string, string>>;

	/** How often each payment was sent and is, or may be, recorded. */
	private readonly payments: BoundedMap<string, number>;

	constructor(
		maxExecutions = MAX_EXECUTIONS,
		maxPayments = MAX_PAYMENTS,
		now: () => number = Date.now,
	) {
		this.totals = new BoundedMap({ maxSize: maxExecutions, maxAgeMs: MAX_AGE_MS }, now);
		this.payments = new BoundedMap({ maxSize: maxPayments, maxAgeMs: MAX_AGE_MS }, now);
	}

	of(nodeInExecution: string): ExecutionTotals {
		const totals = this.totals.get(nodeInExecution);
		return {
			totalOf: (currency) => totals?.get(currency) ?? '0',
			has: (transaction) => this.payments.has(keyOf(nodeInExecution, transaction)),
		};
	}

	/** Counts payments that are about to be sent. */
	add(nodeInExecution: string, transactions: Transaction[]): void {
		if (transactions.length === 0) return;
		const totals = this.totals.get(nodeInExecution) ?? new Map<string, string>();
		for (const transaction of transactions) {
			const { amount, currency } = transaction;
			const key = keyOf(nodeInExecution, transaction);
			const times = this.payments.get(key) ?? 0;
			this.payments.set(key, times + 1);
			if (times === 0) totals.set(currency, addDecimals(totals.get(currency) ?? '0', amount));
		}
		this.totals.set(nodeInExecution, totals);
	}

	/**
	 * Takes back payments that were certainly not recorded. One that was sent another time, too,
	 * stays counted, and so does one that is forgotten.
	 */
	remove(nodeInExecution: string, transactions: Transaction[]): void {
		const totals = this.totals.get(nodeInExecution);
		if (!totals) return;
		for (const transaction of transactions) {
			const { amount, currency } = transaction;
			const key = keyOf(nodeInExecution, transaction);
			const times = this.payments.get(key);
			if (times === undefined) continue;
			if (times > 1) {
				this.payments.set(key, times - 1);
				continue;
			}
			this.payments.delete(key);
			totals.set(currency, subtractDecimals(totals.get(currency) ?? amount, amount));
		}
	}
}
