import { asText } from '../../shared/values';
import { addDecimals } from '../decimals';

/** An output item: its outcome, and the amount if the item is valid. */
interface ItemJson {
	outcome?: unknown;
	amount?: unknown;
	currency?: unknown;
}

/** Even without any, the first three are counted, so that the line always begins alike. */
const COUNTED = ['created', 'duplicate', 'rejected', 'unknown', 'notSent', 'invalid'];
const LABELS: Record<string, string> = { notSent: 'not sent' };

const count = (items: readonly ItemJson[], outcome: string) =>
	items.filter((item) => item.outcome === outcome).length;

/**
 * Adds the amounts of the items with an outcome by currency, exactly. The currencies are in the
 * order of their first amounts.
 */
function totalsOf(items: readonly ItemJson[], outcome: string): string {
	const sums = new Map<string, string>();
	for (const item of items) {
		if (item.outcome !== outcome) continue;
		const currency = asText(item.currency);
		sums.set(currency, addDecimals(sums.get(currency) ?? '0', asText(item.amount)));
	}
	return [...sums].map(([currency, sum]) => `${currency} ${groupThousands(sum)}`).join(', ');
}

/** Adds commas between thousands: `4200.00` becomes `4,200.00`. */
function groupThousands(amount: string): string {
	const [whole, ...decimals] = amount.split('.');
	return [BigInt(whole).toLocaleString('en-US'), ...decimals].join('.');
}

/** Summarizes a dry run. Totals are of what would be sent. */
export function summarizeDryRun(items: readonly ItemJson[]): string {
	const invalid = count(items, 'invalid');
	const ofInvalid = invalid > 0 ? `, ${invalid} invalid` : '';
	const totals = totalsOf(items, 'dryRun');
	return `Dry run: ${items.length - invalid} would be sent${ofInvalid}${totals && ` · ${totals}`}. Nothing was sent.`;
}

/**
 * Summarizes in one line how many items had which outcome, and the totals of what was created. What
 * may be recorded has totals of its own. A duplicate has none, because the service may have
 * recorded another amount.
 *
 * @example '3 created, 0 duplicate, 0 rejected · EUR 4,200.00'
 * @example '1 created, 1 duplicate, 0 rejected · new: EUR 5.00'
 */
export function summarize(items: readonly ItemJson[]): string {
	const counts = COUNTED.map((outcome) => [count(items, outcome), LABELS[outcome] ?? outcome])
		.filter(([number], index) => index < 3 || number !== 0)
		.map((counted) => counted.join(' '));
	const created = totalsOf(items, 'created');
	const unknown = totalsOf(items, 'unknown');
	const isAll = !unknown && count(items, 'duplicate') === 0;
	const ofNew = created && !isAll ? `new: ${created}` : created;
	const totals = [ofNew, unknown && `maybe recorded: ${unknown}`].filter(Boolean);
	return [counts.join(', '), ...(totals.length > 0 ? [totals.join(', ')] : [])].join(' · ');
}
