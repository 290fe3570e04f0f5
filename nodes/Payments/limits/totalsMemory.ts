import { BoundedMap } from '../../shared/BoundedMap';
import { addDecimals, subtractDecimals } from '../decimals';
import { canonical } from '../eventId';
import type { Transaction } from '../Transaction';
import type { ExecutionTotals } from './checkLimits';

/** An execution that has sent nothing for so long has ended. */
const maxAgeMs = 24 * 3_600_000;

/** What an execution has sent. */
interface Sent {
	/** Another one if the execution was forgotten, so that nothing from before counts. */
	id: number;
	sums: Map<string, string>;
}

/** A custom Event ID can come with another amount, which then counts on its own. */
const keyOf = ({ id }: Sent, { eventId, amount, currency }: Transaction) =>
	JSON.stringify([id, canonical(eventId), amount, currency]);

/**
 * Remembers, in this process, what each execution has sent, because the node can run several times
 * in one: as the tool of an agent, in a loop, and with *Retry On Fail*. Beyond the bound, it
 * forgets the execution that has sent nothing for the longest time. Old transactions are forgotten
 * earlier, but stay in the sum: if they're sent again, they count again, so the limit may be
 * reached early.
 */
export class TotalsMemory {
	private readonly executions: BoundedMap<string, Sent>;

	/** How often each transaction was sent and is, or may be, recorded. */
	private readonly times: BoundedMap<string, number>;

	private nextId = 0;

	constructor(maxExecutions = 10_000, maxTransactions = 100_000) {
		this.executions = new BoundedMap({ maxSize: maxExecutions, maxAgeMs });
		this.times = new BoundedMap({ maxSize: maxTransactions, maxAgeMs });
	}

	of(nodeInExecution: string): ExecutionTotals {
		const sent = this.executions.get(nodeInExecution);
		return {
			totalOf: (currency) => sent?.sums.get(currency) ?? '0',
			has: (transaction) => sent !== undefined && this.times.has(keyOf(sent, transaction)),
		};
	}

	/**
	 * Counts transactions that are about to be sent.
	 *
	 * @returns takes back those that were certainly not recorded. One that was sent another time,
	 *   too, stays counted, and so does one that is forgotten.
	 */
	add(nodeInExecution: string, transactions: Transaction[]): (notRecorded: Transaction[]) => void {
		const known = this.executions.get(nodeInExecution);
		const sent = known ?? { id: this.nextId++, sums: new Map<string, string>() };
		if (transactions.length > 0) this.executions.set(nodeInExecution, sent);
		for (const transaction of transactions) this.count(sent, transaction, 1);
		return (notRecorded) => {
			for (const transaction of notRecorded) this.count(sent, transaction, -1);
		};
	}

	/** The amount counts once. It's taken back only if it's in the sum, so no sum is below zero. */
	private count(sent: Sent, transaction: Transaction, change: 1 | -1): void {
		const { amount, currency } = transaction;
		const key = keyOf(sent, transaction);
		const before = this.times.get(key) ?? 0;
		const after = before + change;
		if (after > 0) this.times.set(key, after);
		else this.times.delete(key);
		const sum = sent.sums.get(currency) ?? '0';
		if (before === 0 && after === 1) sent.sums.set(currency, addDecimals(sum, amount));
		if (after === 0) sent.sums.set(currency, subtractDecimals(sum, amount));
	}
}
