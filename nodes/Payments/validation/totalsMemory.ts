import { addDecimals, subtractDecimals } from '../../shared/decimals';
import type { ExecutionTotals } from './paymentLimits';
import type { Transaction } from '../Transaction';

const MAX_EXECUTIONS = 10_000;
/** An execution that has sent nothing for so long is taken to have ended. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_PAYMENTS = 100_000;

interface Execution {
	totals: Map<string, string>;
	/** How often each payment was sent and is, or may be, recorded. */
	payments: Map<string, number>;
	/** When it last sent something, in ms since the epoch. */
	usedAt: number;
}

/** A custom Event ID can come with another amount, which then counts on its own. */
const keyOf = ({ eventId, amount, currency }: Transaction) =>
	JSON.stringify([eventId, amount, currency]);

/**
 * Remembers, in this process, what each execution has sent, because the node can run several times in one: as the tool of an agent, in a loop,
 * and with *Retry On Fail*.
 *
 * Bounded, and no total of an execution that may still run is forgotten: beyond the bound, no further execution is counted. Which payments an
 * execution has sent is forgotten earlier, the oldest execution's first: if they're retried, they count again. So the limit is never
 * exceeded, but it can be reached early.
 */
export class TotalsMemory {
	private readonly executions = new Map<string, Execution>();
	private payments = 0;

	constructor(
		private readonly maxExecutions = MAX_EXECUTIONS,
		private readonly maxPayments = MAX_PAYMENTS,
		private readonly now: () => number = Date.now,
	) {}

	/** Says whether an execution can't be counted, because too many others are. */
	isFull(execution: string): boolean {
		this.forgetEnded();
		return !this.executions.has(execution) && this.executions.size >= this.maxExecutions;
	}

	/** @param execution what identifies the node in its execution */
	of(execution: string): ExecutionTotals {
		const known = this.executions.get(execution);
		return {
			totalOf: (currency) => known?.totals.get(currency) ?? '0',
			has: (transaction) => known?.payments.has(keyOf(transaction)) ?? false,
		};
	}

	/** Counts payments that are about to be sent. */
	add(execution: string, transactions: Transaction[]): void {
		const known: Execution = this.executions.get(execution) ?? {
			totals: new Map(),
			payments: new Map(),
			usedAt: 0,
		};
		known.usedAt = this.now();
		// The last in a Map is the one that was used last.
		this.executions.delete(execution);
		this.executions.set(execution, known);
		for (const transaction of transactions) {
			const { amount, currency } = transaction;
			const key = keyOf(transaction);
			const times = known.payments.get(key) ?? 0;
			known.payments.set(key, times + 1);
			if (times > 0) continue;
			this.payments++;
			known.totals.set(currency, addDecimals(known.totals.get(currency) ?? '0', amount));
		}
		this.forgetOldestPayments();
	}

	/**
	 * Takes back payments whose sending certainly recorded nothing. One that was sent another time, too, stays counted, and so do those that
	 * are forgotten.
	 */
	remove(execution: string, transactions: Transaction[]): void {
		const known = this.executions.get(execution);
		if (!known) return;
		for (const transaction of transactions) {
			const { amount, currency } = transaction;
			const key = keyOf(transaction);
			const times = known.payments.get(key);
			if (times === undefined) continue;
			if (times > 1) {
				known.payments.set(key, times - 1);
				continue;
			}
			known.payments.delete(key);
			this.payments--;
			known.totals.set(currency, subtractDecimals(known.totals.get(currency)!, amount));
		}
	}

	private forgetOldestPayments(): void {
		for (const { payments } of this.executions.values()) {
			if (this.payments <= this.maxPayments) return;
			this.payments -= payments.size;
			payments.clear();
		}
	}

	private forgetEnded(): void {
		for (const [oldest, { payments, usedAt }] of this.executions) {
			if (this.now() - usedAt < MAX_AGE_MS) return;
			this.payments -= payments.size;
			this.executions.delete(oldest);
		}
	}
}
