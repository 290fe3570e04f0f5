import { randomSequence } from '../../../sandbox/faults/randomSequence';

/* Payments that were sent, and a bank statement that differs from them in known places. */

export interface SentPayment {
	eventId: string;
	externalId: string;
	amount: string;
	currency: string;
	sentAt: string;
}

export interface Entry {
	reference: string;
	/** Without a sign. */
	amount: string;
	currency: string;
	/** YYYY-MM-DD */
	date: string;
	isCredit: boolean;
}

/** What is to be found: the list, the reference, what was sent, and what happened. */
export type Difference = [list: string, reference: string, sent: string, happened: string];

const dateOf = (day: number) => new Date(Date.UTC(2026, 9, 1 + day)).toISOString().slice(0, 10);
const toAmount = (cents: number) =>
	`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/**
 * Makes payments and their statement, the same for the same seed. A tenth of the payments shares
 * its reference with another one, the statement has references in other words and letters, up to
 * three days later, and money that others paid in.
 *
 * @param count of the payments; three in a hundred differ
 */
export function statementWithDifferences(count: number, seed: number) {
	const random = randomSequence(seed);
	const below = (limit: number) => Math.floor(random() * limit);
	const sent: SentPayment[] = [];
	const entries: Entry[] = [];
	const differences: Difference[] = [];
	const text = ({ amount, currency }: { amount: string; currency: string }) =>
		`${amount} ${currency}`;
	const differing = Math.round(count * 0.03);
	for (let i = 0; i < count; i++) {
		const isTwin = i % 10 === 9;
		const externalId = `INV-${seed}-${isTwin ? i - 1 : i}`;
		// Twins differ by more than any difference does.
		const cents = 100 + below(5_000_000) + (isTwin ? 10_000_000 : 0);
		const day = 5 + below(20);
		const payment = {
			eventId: `evt-${i}`,
			externalId,
			amount: toAmount(cents),
			currency: i % 4 === 0 ? 'GBP' : 'EUR',
			sentAt: `${dateOf(day)}T09:00:00.000+02:00`,
		};
		sent.push(payment);
		const words = [externalId, `Invoice ${externalId}`, ` ${externalId.toLowerCase()} `];
		const entry = {
			reference: words[below(words.length)],
			amount: payment.amount,
			currency: payment.currency,
			date: dateOf(day + below(4)),
			isCredit: false,
		};
		const kind =
			i % Math.floor(count / differing) === 0 && i / Math.floor(count / differing) < differing
				? below(6)
				: -1;
		if (kind === 0) {
			differences.push(['Missing', externalId, text(payment), '']);
			continue;
		}
		if (kind === 1) entry.amount = toAmount(cents + 100);
		if (kind === 2) entry.currency = 'CHF';
		if (kind === 3) entry.date = dateOf(day + 9);
		if (kind >= 1 && kind <= 3)
			differences.push(['Missing', externalId, text(payment), text(entry)]);
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

/**
 * As a bank gives it to its customers in German: semicolons, a sign, a decimal comma, and days
 * first.
 */
export const toCsvStatement = (entries: Entry[]) =>
	[
		'Date;Text;Amount;Currency;Reference',
		...entries.map(
			({ reference, amount, currency, date, isCredit }) =>
				`${date.split('-').reverse().join('.')};"a ""text""; more";${isCredit ? '' : '-'}${amount.replace('.', ',')};${currency};"${reference}"`,
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
