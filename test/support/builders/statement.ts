import { randomSequence } from '../../../sandbox/faults/randomSequence';
import { paymentRow, type TextRow } from './paymentRows';

/* Payments that were sent, and a bank statement that differs from them in known places. */

export interface Entry {
	reference: string;
	/** Without a sign. */
	amount: string;
	currency: string;
	/** YYYY-MM-DD */
	date: string;
	isCredit: boolean;
}

/** What is to be found: the list, the invoice or text, what was sent, and what was booked. */
export type Difference = [list: string, reference: string, sent: string, happened: string];

const dateOf = (day: number) => new Date(Date.UTC(2026, 9, 1 + day)).toISOString().slice(0, 10);
const toAmount = (cents: number) =>
	`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/**
 * Makes payments and their statement, the same for the same seed. A tenth of the payments shares
 * its invoice with another one, and the statement names External IDs, or invoices in other words
 * and letters, up to three days later. It also has money that others paid in.
 *
 * @param count of the payments; three in a hundred differ
 */
export function statementWithDifferences(count: number, seed: number) {
	const random = randomSequence(seed);
	const below = (limit: number) => Math.floor(random() * limit);
	const sent: TextRow[] = [];
	const entries: Entry[] = [];
	const differences: Difference[] = [];
	const text = ({ amount, currency }: TextRow | Entry) => `${amount} ${currency}`;
	const differing = Math.round(count * 0.03);
	for (let i = 0; i < count; i++) {
		const isTwin = i % 10 === 9;
		const invoice = `INV-${seed}-${isTwin ? i - 1 : i}`;
		// Twins differ by more than any difference does.
		const cents = 100 + below(5_000_000) + (isTwin ? 10_000_000 : 0);
		const day = 5 + below(20);
		const payment = paymentRow({
			invoice,
			amount: toAmount(cents),
			currency: i % 4 === 0 ? 'GBP' : 'EUR',
			firstSentAt: `${dateOf(day)}T07:00:00.000Z`,
		});
		sent.push(payment);
		const { externalId, amount, currency } = payment;
		const words = [externalId, invoice, `Invoice ${invoice}`, ` ${invoice.toLowerCase()} `];
		const entry = {
			reference: words[below(words.length)],
			...{ amount, currency },
			date: dateOf(day + below(4)),
			isCredit: false,
		};
		const kind =
			i % Math.floor(count / differing) === 0 && i / Math.floor(count / differing) < differing
				? below(6)
				: -1;
		if (kind === 0) {
			differences.push(['Missing', invoice, text(payment), '']);
			continue;
		}
		if (kind === 1) entry.amount = toAmount(cents + 100);
		if (kind === 2) entry.currency = 'CHF';
		if (kind === 3) entry.date = dateOf(day + 9);
		if (kind >= 1 && kind <= 3)
			differences.push(['Different', invoice, text(payment), text(entry)]);
		entries.push(entry);
		if (kind === 4) {
			entries.push({ ...entry });
			differences.push(['Unexpected', entry.reference.trim(), '', text(entry)]);
		}
		if (kind === 5) {
			const stray = { ...entry, reference: `=UNKNOWN ${i}` };
			entries.push(stray);
			differences.push(['Unexpected', stray.reference, '', text(stray)]);
		}
		if (i % 50 === 0) entries.push({ ...entry, reference: 'A customer', isCredit: true });
	}
	// The days around, so that nothing is too early or too late to be in the statement.
	for (const date of [dateOf(0), dateOf(40)])
		entries.push({
			reference: 'A customer',
			amount: '5.00',
			currency: 'EUR',
			date,
			isCredit: true,
		});
	for (let i = entries.length - 1; i > 0; i--) {
		const j = below(i + 1);
		[entries[i], entries[j]] = [entries[j], entries[i]];
	}
	return { sent, entries, differences: differences.sort() };
}

/** Rows as a bank gives them in German: a sign, a decimal comma, and days first. */
export const toRows = (entries: Entry[]) =>
	entries.map(({ reference, amount, currency, date, isCredit }) => ({
		Date: date.split('-').reverse().join('.'),
		Text: 'a "text"; more',
		Amount: `${isCredit ? '' : '-'}${amount.replace('.', ',')}`,
		Currency: currency,
		Reference: reference,
	}));

/** The same rows as CSV, with semicolons. */
export const toCsvStatement = (entries: Entry[]) =>
	[
		'Date;Text;Amount;Currency;Reference',
		...toRows(entries).map((row) =>
			Object.values(row)
				.map((cell) => `"${cell.replaceAll('"', '""')}"`)
				.join(';'),
		),
	].join('\r\n');

/**
 * ISO 20022 camt.053.001.08: half of the entries name the payment by its end-to-end ID, half in the
 * remittance information.
 */
export const toCamt053 = (entries: Entry[]) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>${entries
	.map(
		({ reference, amount, currency, date, isCredit }, i) =>
			`<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${isCredit ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${date}</Dt></BookgDt><NtryDtls><TxDtls>${
				i % 2
					? `<Refs><EndToEndId>${reference}</EndToEndId></Refs>`
					: `<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf><Ustrd>${reference}</Ustrd></RmtInf>`
			}</TxDtls></NtryDtls></Ntry>`,
	)
	.join('')}</Stmt></BkToCstmrStmt></Document>`;
