import { addDecimals } from '../../shared/decimals';

/** What became of one item. */
export interface ItemOutcome {
	outcome: string;
	/** Missing when the item is invalid. */
	transaction?: { amount: string; currency: string };
}

/** Shown even if there are none, so that the line always begins alike. */
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

/** Adds amounts by currency, exactly. The currencies are in the order of their first amounts. */
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

/** Adds commas between thousands: `4200.00` becomes `4,200.00`. */
export function groupThousands(amount: string): string {
	const [whole, ...decimals] = amount.split('.');
	return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}

const formatTotals = (items: readonly ItemOutcome[], outcome: string): string =>
	[...sumByCurrency(transactionsWith(items, outcome))]
		.map(([currency, sum]) => `${currency} ${groupThousands(sum)}`)
		.join(', ');

const transactionsWith = (items: readonly ItemOutcome[], outcome: string) =>
	items.flatMap((item) => (item.transaction && item.outcome === outcome ? [item.transaction] : []));

/** Summarizes a dry run. Totals are of what would be sent. */
export function summarizeDryRun(items: readonly ItemOutcome[]): string {
	const invalid = items.filter(({ outcome }) => outcome === 'invalid').length;
	const totals = formatTotals(items, 'dryRun');
	const counts = `Dry run: ${items.length - invalid} would be sent`;
	const ofInvalid = invalid > 0 ? `, ${invalid} invalid` : '';
	return `${counts}${ofInvalid}${totals && ` · ${totals}`}. Nothing was sent.`;
}

/**
 * Summarizes in one line how many items had which outcome, and the totals of what is recorded.
 * What was recorded before has a total of its own, so that it doesn't read as paid now.
 *
 * @example '3 created, 0 duplicate, 0 rejected · EUR 4,200.00'
 * @example '0 created, 1 duplicate, 0 rejected · recorded before: EUR 1,250.50'
 */
export function summarize(items: readonly ItemOutcome[]): string {
	const count = (outcome: string) => items.filter((item) => item.outcome === outcome).length;
	const always = Object.entries(ALWAYS_SHOWN).map(
		([outcome, label]) => `${count(outcome)} ${label}`,
	);
	const ifAny = Object.entries(SHOWN_IF_ANY)
		.filter(([outcome]) => count(outcome) > 0)
		.map(([outcome, label]) => `${count(outcome)} ${label}`);
	const counts = [...always, ...ifAny].join(', ');
	const created = formatTotals(items, 'created');
	const before = formatTotals(items, 'duplicate');
	if (!before) return created ? `${counts} · ${created}` : counts;
	return `${counts} · ${created && `new: ${created}, `}recorded before: ${before}`;
}
