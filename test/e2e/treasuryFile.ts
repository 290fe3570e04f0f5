// cspell:disable
import { sheetFile } from '../support/builders/payoutFile';
import type { UploadedFile } from '../support/pages/payoutRun';

/*
 * A payment list as people export it from their bookkeeping, and what has to become of each row.
 * Somebody who had read docs/jobs and no code wrote down both, before the list was uploaded.
 */

/** A cell of a spreadsheet: what it has, and what the program writes for it into a CSV file. */
type Cell = string | number | { sheet: Record<string, unknown>; csv: string };
type Payee = [supplier: string, account: string, country: string];

/** What has to become of a row, and what people have to read about it. */
export interface Expected {
	becomes: 'paid' | 'held' | 'not payable' | 'left out' | 'to correct';
	/** The amount as the pages write it, where the row has one. */
	amount?: string;
	says?: RegExp;
	/** The approver ticks it, so it's paid. */
	ticked?: true;
}
export interface ListRow {
	cells: Cell[];
	expected: Expected;
	/** Where a CSV file can't say what a spreadsheet says. */
	inCsv?: Expected;
}

const MUELLER: Payee = ['Müller & Söhne GmbH', 'DE89370400440532013000', 'DE'];
const HANSEN: Payee = ['Bageriet Hansen ApS', 'DK5000400440116243', 'DK'];
const CAFE: Payee = ['Café de Flore SARL', 'FR1420041010050500013M02606', 'FR'];
const THAMES: Payee = ['Thames Cycles Ltd', 'GB82WEST12345698765432', 'GB'];
const KAESE: Payee = ['Zürcher Käse AG', 'CH9300762011623852957', 'CH'];
const TOKYO: Payee = ['Tokyo Trading KK', 'vac_tokyo_trading', 'JP'];
const ACME: Payee = ['eus_acme', 'vac_acme_eur', 'NL'];
const STAL: Payee = ['Polska Stal', 'PL61109010140000071219812874', 'PL'];
const OBRIEN: Payee = ["O'Brien & Co", 'IE29AIBK93115212345678', 'IE'];
const FLEURS: Payee = ['Fleurs 🌷 Belgique', 'BE68539007547034', 'BE'];
const PAPER: Payee = ['Göteborgs Papper AB', 'SE4550000000058398257466', 'SE'];

/** The suppliers that were paid before, as the first list of payees has them. */
export const PAID_BEFORE = [
	...[MUELLER, HANSEN, CAFE, THAMES, KAESE, TOKYO, ACME, STAL, OBRIEN, FLEURS],
];
/** The second list: another company's, with one that is known, and one without an account. */
export const SECOND_LIST: Payee[] = [PAPER, THAMES, ['Gulf Freight', '', 'AE']];

/** A cell with a date that shows its month only: 1 November 2026 and 1 January 2025. */
const month = (serial: number, csv: string): Cell => ({
	sheet: { t: 'n', v: serial, z: 'mmm yy' },
	csv,
});
const formula = (f: string, value: string | number, csv: string): Cell => ({
	sheet: { t: typeof value === 'number' ? 'n' : 's', v: value, f },
	csv,
});

const paid = (amount: string): Expected => ({ becomes: 'paid', amount });
const held = (amount: string, says: RegExp, ticked?: true): Expected => ({
	...{ becomes: 'held', amount, says },
	...(ticked && { ticked }),
});
/** Nobody can approve it now, so there's no checkbox. */
const notPayable = (amount: string, says: RegExp): Expected => ({
	...{ becomes: 'not payable', amount, says },
});
const toCorrect = (says: RegExp): Expected => ({ becomes: 'to correct', says });

const list: ListRow[] = [];
const row = (
	invoice: Cell,
	[supplier, account, country]: Payee,
	amount: Cell,
	[currency, method]: [currency: string, method: string],
	expected: Expected,
	{ more = [], inCsv }: { more?: Cell[]; inCsv?: Expected } = {},
) =>
	list.push({
		cells: ['1000', invoice, supplier, account, country, amount, currency, method, ...more],
		expected,
		inCsv,
	});
const SCT: [string, string] = ['EUR', 'SCT'];
const FPS: [string, string] = ['GBP', 'FPS'];
const SIC: [string, string] = ['CHF', 'SIC'];
const ZENGIN: [string, string] = ['JPY', 'ZENGIN'];
const as = ([supplier, account, country]: Payee, changes: Partial<Record<0 | 1 | 2, string>>) =>
	[changes[0] ?? supplier, changes[1] ?? account, changes[2] ?? country] as Payee;

// Amounts and accounts as people write them.
row(
	'RE-2026-1001',
	MUELLER,
	'1.250,50',
	SCT,
	held('EUR 1,250.50', /possible duplicate.*row 28/is, true),
);
row(
	'RE-2026-1002',
	as(MUELLER, { 1: 'DE89 3704 0044 0532 0130 00' }),
	980,
	SCT,
	paid('EUR 980.00'),
);
row('INV-77', THAMES, '1,250.50', FPS, paid('GBP 1,250.50'));
row('000123', ACME, '311,10', SCT, held('EUR 311.10', /possible duplicate.*invoice 123,/is, true));
row('123', ACME, '313,30', SCT, held('EUR 313.30', /possible duplicate.*000123/is));
row('INV-77', ACME, '312,20', SCT, paid('EUR 312.20'));
row('RE-1004', as(KAESE, { 1: 'CH93 0076 2011 6238 5295 7' }), 91.35, SIC, paid('CHF 91.35'));
row('JP-1', TOKYO, 125000, ZENGIN, paid('JPY 125,000'));
row('FACT-1', CAFE, '25.000,00', SCT, paid('EUR 25,000.00'));
row('RE-9000', HANSEN, formula('1000+234.5', 1234.5, '1.234,50'), SCT, paid('EUR 1,234.50'));
row(
	formula('HYPERLINK("https://dms.example/9001","RE-9001")', 'RE-9001', 'RE-9001'),
	HANSEN,
	'77,70',
	SCT,
	paid('EUR 77.70'),
);
row('FACT-2', as(FLEURS, { 1: 'BE68 5390 0754 7034' }), '45,6', SCT, paid('EUR 45.60'));
row(
	'PL-1',
	as(STAL, { 1: 'pl61 1090 1014 0000 0712 1981 2874' }),
	'701,10',
	SCT,
	paid('EUR 701.10'),
);
row(
	'RE-2026-1003',
	as(MUELLER, { 0: ' Müller & Söhne GmbH  ' }),
	'433,00',
	SCT,
	paid('EUR 433.00'),
);
row('IE-1', as(OBRIEN, { 2: 'ie' }), '345,60', ['eur', 'SCT'], paid('EUR 345.60'));
row('RE-2026-1005', MUELLER, '87,20', SCT, paid('EUR 87.20'), {
	more: ['Zwei Zeilen;\nund "Anführung"'],
});
row(
	'SE-1',
	PAPER,
	'660,00',
	SCT,
	held('EUR 660.00', /approved less than (5|five) days ago/i, true),
);

// What somebody has to look at.
row('RE-2026-1006', as(MUELLER, { 1: 'DE88370400440532013000' }), '210,00', SCT, {
	...toCorrect(/check digits/i),
});
row('RE-2026-1007', as(MUELLER, { 1: 'DE75512108001245126199' }), '220,00', SCT, {
	...notPayable('EUR 220.00', /changed account.*DE89 ?3704/is),
});
row('PL-2', as(STAL, { 1: CAFE[1], 2: 'FR' }), '230,00', SCT, {
	...notPayable('EUR 230.00', /another supplier|Café de Flore/i),
});
row('ACME-1', as(ACME, { 1: 'vac_harbour_bakery_eur' }), '240,00', SCT, {
	...notPayable('EUR 240.00', /our own|your own/i),
});
row('IE-2', as(OBRIEN, { 2: 'RU' }), '250,00', SCT, held('EUR 250.00', /IBAN.*(country|RU|IE)/is));
row('NEU-1', ['Neuer Lieferant', 'vac_neu', 'AT'], '260,00', SCT, {
	...notPayable('EUR 260.00', /new supplier/i),
});
row('AE-1', ['Gulf Freight', 'AE070331234567890123456', 'AE'], '265,00', SCT, {
	...notPayable('EUR 265.00', /new supplier/i),
});
row('RE-2026-1001', MUELLER, '1.260,50', SCT, held('EUR 1,260.50', /possible duplicate/i, true));
row('re 2026 1001', MUELLER, '1.270,50', SCT, held('EUR 1,270.50', /possible duplicate/i));
row('RE-2026-1008', MUELLER, '1.250,50', SCT, held('EUR 1,250.50', /possible duplicate/i));
row('2610-5', HANSEN, '515,25', SCT, held('EUR 515.25', /possible duplicate.*OCT-4/is));
row('ACME-2', ACME, '8.000,00', SCT, held('EUR 8,000.00', /unusual amount/i, true));
row('OCT-11 TEST_REJECTED', STAL, '70,10', SCT, {
	...held('EUR 70.10', /second try.*rejected/is, true),
});
row('OCT-12', OBRIEN, '300,00', SCT, held('EUR 300.00', /declined.*amir\.khan.*credit note/is));
row(month(46327, 'Nov 26'), HANSEN, '15,00', SCT, held('EUR 15.00', /date/i));
row('RE-9002', HANSEN, month(45658, 'Jan 25'), SCT, held('EUR 45,658.00', /date/i), {
	inCsv: toCorrect(/Jan 25/),
});
row('RE-2026-1009', MUELLER, '1.234.567,89', SCT, {
	...notPayable('EUR 1,234,567.89', /above the limit/i),
});
row('INV-78', THAMES, '98,765,432.10', FPS, {
	...notPayable('GBP 98,765,432.10', /above the limit/i),
});

// The same payment once more.
row('RE-2026-1001', as(MUELLER, { 1: 'DE89 3704 0044 0532 0130 00' }), 1250.5, SCT, {
	...{ becomes: 'left out', says: /same payment.*row 4\b/is },
});

// Amounts that can't be used. No advice may have the same digits with another meaning.
/** Of `12,345` and `12.345`: never to write one of them. */
const TWO_READINGS = /^(?!.*write[^.]*\b12[.,]345\b).*\b12345\b/is;
row('B-1', ACME, '12,345', SCT, toCorrect(TWO_READINGS));
row('B-2', ACME, '12.345', SCT, toCorrect(TWO_READINGS));
row('B-3', ACME, '1.250,505', SCT, toCorrect(/decimals/i));
row('B-4', ACME, 0, SCT, toCorrect(/is 0|zero/i));
row('B-5', ACME, '-150,00', SCT, toCorrect(/negative/i));
row('B-6', ACME, '150,00-', SCT, toCorrect(/150,00-/));
row('B-7', ACME, '(150,00)', SCT, toCorrect(/\(150,00\)/));
row('B-8', ACME, '', SCT, toCorrect(/empty/i));
row('B-9', ACME, '€ 500,00', SCT, toCorrect(/currency sign|€/i));
row('B-10', ACME, 'EUR 99,00', SCT, toCorrect(/EUR 99,00/));
row('B-11', ACME, '1,5E+3', SCT, toCorrect(/1,5E\+3/));
row('B-12', ACME, 'laut Vertrag', SCT, toCorrect(/laut Vertrag/));
row('JP-2', TOKYO, '125.50', ZENGIN, toCorrect(/decimals.*JPY|JPY.*decimals/is));
row('JP-3', TOKYO, '125.000', ZENGIN, toCorrect(/\b125000\b/));
row('CH-1', KAESE, "4'321.00", SIC, held('CHF 4,321.00', /unusual amount/i));

// Other cells that can't be used.
row('C-1', ACME, '10,10', ['EURO', 'SCT'], toCorrect(/EURO/));
row('C-2', as(ACME, { 2: 'Deutschland' }), '10,20', SCT, toCorrect(/Deutschland/));
row('C-3', as(ACME, { 2: 'XX' }), '10,30', SCT, toCorrect(/XX/));
row('C-4', as(ACME, { 0: '' }), '10,40', SCT, toCorrect(/Supplier.*empty/is));
row('C-5', as(ACME, { 1: '' }), '10,50', SCT, toCorrect(/Supplier Account.*empty/is));
row('', ACME, '10,60', SCT, toCorrect(/Invoice.*empty/is));
row('C-7', ACME, '10,70', ['EUR', ''], toCorrect(/Method.*empty/is));
row('C-8', ACME, '10,80', SCT, toCorrect(/more cells than the header/i), {
	more: ['', 'one more'],
});
row('Summe EUR', ['', '', ''], formula('SUM(F4:F60)', 99_999.99, '99.999,99'), ['EUR', ''], {
	...toCorrect(/empty/i),
});
row('', ['', '', ''], '', ['', ''], toCorrect(/empty/i), { more: ['Übertrag: 99.999,99'] });

export const LIST: readonly ListRow[] = list;

const HEADER = ['Buchungskreis', 'Invoice', 'Supplier', 'Supplier Account', 'Country', 'Amount'];
/** A title, and a blank row in the middle: rows have the numbers of the sheet. */
const LINES: Array<Array<Cell | null>> = [
	['Zahlungsvorschlag November 2026'],
	[],
	[...HEADER, 'Currency', 'Method', 'Notiz'],
	...list.slice(0, 30).map(({ cells }) => cells),
	[],
	...list.slice(30).map(({ cells }) => cells),
];
/** The number of a row in the sheet. */
export const numberOf = (index: number) => index + 4 + (index < 30 ? 0 : 1);

/** The list as a spreadsheet. */
export const asXlsx = (name: string): UploadedFile =>
	sheetFile(
		LINES.map((cells) =>
			cells.map((cell) => (typeof cell === 'object' && cell ? cell.sheet : cell)),
		),
		name,
	);

const inCsv = (cell: Cell | null) => {
	if (cell === null) return '';
	const text =
		typeof cell === 'object'
			? cell.csv
			: typeof cell === 'number'
				? String(cell).replace('.', ',')
				: cell;
	return /[";\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
};
/** The list as the CSV file of a German spreadsheet program. */
export const asCsv = (name: string): UploadedFile => ({
	name,
	mimeType: 'text/csv',
	buffer: Buffer.from(`\uFEFF${LINES.map((cells) => cells.map(inCsv).join(';')).join('\r\n')}\r\n`),
});

const october = (
	invoice: string,
	[supplier, account, country]: Payee,
	amount: string,
	currency: string,
) =>
	[invoice, supplier, account, country, amount, currency, 'SCT']
		.map((cell) => `"${cell}"`)
		.join(',');
/** What was paid the month before, in English; the last one has to be declined. */
export const OCTOBER: UploadedFile = {
	name: 'october.csv',
	mimeType: 'text/csv',
	buffer: Buffer.from(
		[
			'Invoice,Supplier,Supplier Account,Country,Amount,Currency,Method',
			october('OCT-1', MUELLER, '1,820.00', 'EUR'),
			october('OCT-2', THAMES, '640.00', 'GBP'),
			october('OCT-3', ACME, '400.00', 'EUR'),
			october('OCT-4', HANSEN, '515.25', 'EUR'),
			october('OCT-5', CAFE, '9,000.00', 'EUR'),
			october('OCT-6', KAESE, '150.00', 'CHF'),
			october('OCT-7', TOKYO, '90000', 'JPY'),
			october('OCT-8', STAL, '700.00', 'EUR'),
			october('OCT-9', OBRIEN, '300.00', 'EUR'),
			october('OCT-10', FLEURS, '60.00', 'EUR'),
			october('OCT-11 TEST_REJECTED', STAL, '70.10', 'EUR'),
			october('OCT-12', OBRIEN, '300.00', 'EUR'),
		].join('\r\n'),
	),
};
