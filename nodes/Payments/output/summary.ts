import { asText } from '../../shared/values';
import { addDecimals } from '../decimals';
import { listed } from '../lists';
import type { Outcome } from './itemJson';
import { isName } from './messages';

/** What the summary counts: an outcome, an External ID, and an amount, which is one if valid. */
export interface SummaryItem {
	outcome: Outcome;
	isRecorded?: boolean;
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
}

/** What is true of all items. */
export interface SummaryNotes {
	/** Where they were sent. */
	host?: string;
	/** In which dates without an offset were read, if there were any. */
	timeZone?: string;
}

const MAX_LISTED_IDS = 3;

const idsOf = (items: readonly SummaryItem[]): string =>
	listed(
		items.map(({ externalId }) => (isName(externalId) ? String(externalId) : 'no External ID')),
		MAX_LISTED_IDS,
	);

/** Adds amounts by currency, exactly. The currencies are in the order of their first amounts. */
function totalsOf(items: readonly SummaryItem[]): string {
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
 * Summarizes in one line what became of the items in this run, first what needs somebody, and then
 * what is true of all of them. Only what is created has a total, because of anything else, the
 * service may have recorded another amount.
 *
 * @example '2 not sent: INV-7, INV-9 · 13 created, EUR 5,079.68 · at 127.0.0.1:8480'
 */
export function summarize(
	items: readonly SummaryItem[],
	{ host, timeZone }: SummaryNotes = {},
): string {
	const having = (outcome: Outcome) => items.filter((one) => one.outcome === outcome);
	const [created, duplicates, dryRun] = [having('created'), having('duplicate'), having('dryRun')];
	const parts: Array<[SummaryItem[], (found: SummaryItem[]) => string]> = [
		[having('unknown'), (found) => `unknown: ${idsOf(found)}`],
		[having('rejected'), (found) => `rejected: ${idsOf(found)}`],
		[having('invalid'), (found) => `invalid: ${idsOf(found)}`],
		[having('notSent'), (found) => `not sent: ${idsOf(found)}`],
		[dryRun, (found) => `would be sent${totalsOf(found)}`],
		[created, (found) => `created${totalsOf(found)}`],
		[duplicates, () => 'duplicate'],
	];
	const said = parts
		.filter(([found]) => found.length > 0)
		.map(([found, words]) => `${found.length} ${words(found)}`);
	const notes = [
		timeZone !== undefined && `Dates without a time zone were read in ${timeZone}.`,
		dryRun.length > 0 && "Nothing was sent: turn off the option 'Dry Run' to send.",
		duplicates.length > 0 &&
			'A duplicate keeps its first values. Another transaction needs another External ID.',
		created.some(({ isRecorded }) => isRecorded === false) &&
			'The service processes later what it has accepted.',
	].filter((note) => note !== false);
	const line = [...said, ...(host === undefined ? [] : [`at ${host}`])].join(' · ');
	return notes.length === 0 ? line : `${line}. ${notes.join(' ')}`;
}
