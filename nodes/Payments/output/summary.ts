import { addDecimals } from '../../shared/decimals';

/** What became of one item. */
export interface ItemOutcome {
	outcome: string;
	/** Missing when the item is invalid. */
	transaction?: { amount: string; currency: string };
}

/** Shown even when there are none, so that the line always reads the same. */
const ALWAYS_SHOWN: Record<string, string> = {
	created: 'created',
	duplicate: 'duplicate',
	rejected: 'rejected',
};
const SHOWN_IF_ANY: Record<string, string> = {
	unknown: 'unknown',
	notSent: 'not sent',
	invalid: 'invalid',
};
const RECORDED = new Set(['created', 'duplicate']);

/** Adds amounts by currency, exactly; the currencies in the order in which they first appear. */
export function sumByCurrency(
	transactions: ReadonlyArray<{ amount: string; currency: string }>,
): Map<string, string> {
	const sums = new Map<string, string>();
	for (const { amount, currency } of transactions) {
		const sum = sums.get(currency);
		sums.set(currency, sum === undefined ? amount : addDecimals(sum, amount));
	}
	return sums;
}

/** Puts a comma between thousands: `4200.00` becomes `4,200.00`. */
export function groupThousands(amount: string): string {
	const [whole, ...decimals] = amount.split('.');
	return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

/**
 * Says in one line how many items had which outcome, and what the recorded ones, duplicates included, come to.
 *
 * @example '3 created, 1 duplicate, 0 rejected · EUR 4,200.00'
 */
export function summarize(items: readonly ItemOutcome[]): string {
	const count = (outcome: string) => items.filter((item) => item.outcome === outcome).length;
	const always = Object.entries(ALWAYS_SHOWN).map(
		([outcome, label]) => `${count(outcome)} ${label}`,
	);
	const ifAny = Object.entries(SHOWN_IF_ANY)
		.filter(([outcome]) => count(outcome) > 0)
		.map(([outcome, label]) => `${count(outcome)} ${label}`);
	const recorded = items.flatMap(({ outcome, transaction }) =>
		transaction && RECORDED.has(outcome) ? [transaction] : [],
	);
	const totals = [...sumByCurrency(recorded)].map(
		([currency, sum]) => `${currency} ${groupThousands(sum)}`,
	);
	const counts = [...always, ...ifAny].join(', ');
	return totals.length > 0 ? `${counts} · ${totals.join(', ')}` : counts;
}
