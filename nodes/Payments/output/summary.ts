import { asText } from '../../shared/values';
import { addDecimals } from '../decimals';
import { listed } from './messages';

/** An output item: its outcome, its External ID, and its amount, which is one if it's valid. */
interface ItemJson {
	outcome?: unknown;
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
}

const idsOf = (items: readonly ItemJson[]): string =>
	listed(items.map(({ externalId }) => asText(externalId) || 'no External ID'));

/** Adds amounts by currency, exactly. The currencies are in the order of their first amounts. */
function totalsOf(items: readonly ItemJson[]): string {
	const sums = new Map<string, string>();
	for (const item of items) {
		const currency = asText(item.currency);
		sums.set(currency, addDecimals(sums.get(currency) ?? '0', asText(item.amount)));
	}
	return [...sums].map(([currency, sum]) => `, ${currency} ${groupThousands(sum)}`).join('');
}

/** Adds commas between thousands: `4200.00` becomes `4,200.00`. */
function groupThousands(amount: string): string {
	const [whole, ...decimals] = amount.split('.');
	return [BigInt(whole).toLocaleString('en-US'), ...decimals].join('.');
}

/**
 * Summarizes in one line what became of the items, first what needs somebody. What wasn't sent
 * this time can be recorded since an earlier execution. Only what is new has a total, because of
 * anything else, the service may have recorded another amount.
 *
 * @param host where they were sent, if that is known
 * @example '2 not sent: INV-7, INV-9 · 13 created, EUR 5,079.68 new · at 127.0.0.1:8480'
 */
export function summarize(items: readonly ItemJson[], host?: string): string {
	const having = (...outcomes: string[]) =>
		items.filter(({ outcome }) => outcomes.includes(asText(outcome)));
	const parts: Array<[ItemJson[], (found: ItemJson[]) => string]> = [
		[having('unknown'), (found) => `maybe recorded: ${idsOf(found)}`],
		[having('rejected'), (found) => `rejected: ${idsOf(found)}`],
		[having('invalid', 'notSent'), (found) => `not sent: ${idsOf(found)}`],
		[having('dryRun'), (found) => `would be sent${totalsOf(found)}. Dry run: nothing was sent`],
		[having('created'), (found) => `created${totalsOf(found)} new`],
		[having('duplicate'), () => 'duplicate'],
	];
	const said = parts
		.filter(([found]) => found.length > 0)
		.map(([found, words]) => `${found.length} ${words(found)}`);
	return [...said, ...(host === undefined ? [] : [`at ${host}`])].join(' · ');
}
