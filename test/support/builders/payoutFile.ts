import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nInstallation } from '../../../host/n8n/installation';
import type { UploadedFile } from '../pages/payoutRun';

/** A cell as the user typed it. */
type Cell = string | number;

export const COLUMNS = [
	'Invoice',
	'Supplier',
	'Supplier Account',
	'Country',
	'Amount',
	'Currency',
	'Method',
	'Note',
] as const;
type Row = Record<(typeof COLUMNS)[number], Cell>;

/** A payout file, and what is true of it. */
export interface PayoutFile {
	/** The rows below the header. `undefined` is a blank row. */
	rows: Array<Cell[] | undefined>;
	/**
	 * Number in the file and column of each value that has to be corrected, and what the page says.
	 */
	wrong: Array<{ row: number; column: string; says: RegExp }>;
	/** The invoices that can be paid, in the order of the file. */
	payable: string[];
	/** Currency, number of payments, and total, as the page shows them. */
	totals: string[][];
}

const CURRENCIES = ['EUR', 'GBP', 'USD', 'JPY'] as const;

/** What users get wrong. Each changes one row, whose first cell stays. */
const MISTAKES: Array<{ column: string; says: RegExp; make: (row: Row, first: Row) => Cell[] }> = [
	{
		column: 'Amount',
		says: /only digits: 1250\./,
		make: (row) => cells({ ...row, Amount: '1.250' }),
	},
	{ column: 'Amount', says: /n\/a/, make: (row) => cells({ ...row, Amount: 'n/a' }) },
	{ column: 'Amount', says: /is 0/, make: (row) => cells({ ...row, Amount: '0,00' }) },
	{ column: 'Amount', says: /negative/i, make: (row) => cells({ ...row, Amount: '-5,00' }) },
	{ column: 'Amount', says: /is empty/, make: (row) => cells({ ...row, Amount: '' }) },
	{ column: 'Amount', says: /currency sign/, make: (row) => cells({ ...row, Amount: '€ 5,00' }) },
	{ column: 'Currency', says: /EURO/, make: (row) => cells({ ...row, Currency: 'EURO' }) },
	{ column: 'Country', says: /XX/, make: (row) => cells({ ...row, Country: 'XX' }) },
	{ column: 'Supplier', says: /is empty/, make: (row) => cells({ ...row, Supplier: '' }) },
	{ column: 'Invoice', says: /same payment is in row 2\b/, make: (_, first) => cells(first) },
	{ column: '', says: /more cells than the header/, make: (row) => [...cells(row), 'one more'] },
];

const cells = (row: Row): Cell[] => COLUMNS.map((name) => row[name]);

/** The decimal comma, and dots between groups of three digits, as in 1.250,00. */
const withComma = (units: number, decimals: number) => {
	const digits = String(units).padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, '.');
	return decimals === 0 ? whole : `${whole},${digits.slice(-decimals)}`;
};
const withDot = (text: string) =>
	text.replace(/[.,]/g, (character) => (character === '.' ? ',' : '.'));

/**
 * Makes a payout file.
 * @param prefix of the invoice numbers
 * @param count of rows with values; one more row is blank
 * @param mistakes how many of them have something to correct
 */
export function payoutFile(prefix: string, count: number, mistakes: number): PayoutFile {
	const file: PayoutFile = { rows: [], wrong: [], payable: [], totals: [] };
	const units = new Map<string, { payments: number; sum: number }>();
	const every = mistakes === 0 ? Infinity : Math.floor(count / mistakes);
	// The same supplier with the same amount would be a possible duplicate of another file.
	const salt = [...prefix].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 0) % 500_000;
	const rowOf = (index: number): Row & { units: number; Currency: string } => {
		const currency = CURRENCIES[index % CURRENCIES.length];
		const amount = ((index * 7919 + salt) % 500_000) + 1;
		return {
			Invoice: `${prefix}-${String(index + 1).padStart(4, '0')}`,
			Supplier: `eus_supplier_${index % 40}`,
			'Supplier Account': `vac_supplier_${index % 40}`,
			Country: ['BE', 'DE', 'FR', 'GB'][index % 4],
			// A whole amount with dots could be a thousand times smaller, so it has none.
			Amount: currency === 'JPY' ? String(amount) : withComma(amount, 2),
			Currency: currency,
			Method: currency === 'GBP' ? 'FPS' : 'SCT',
			Note: index % 50 === 7 ? 'Two lines;\nand "quotes"' : '',
			units: amount,
		};
	};
	const first = rowOf(0);
	for (let index = 0; index < count; index++) {
		if (index === Math.floor(count / 2)) file.rows.push(undefined);
		const number = file.rows.length + 2;
		const row = rowOf(index);
		const mistake =
			index % every === every - 1 ? MISTAKES[file.wrong.length % MISTAKES.length] : undefined;
		if (mistake && file.wrong.length < mistakes) {
			file.rows.push(mistake.make(row, first));
			file.wrong.push({ row: number, column: mistake.column, says: mistake.says });
			continue;
		}
		file.rows.push(cells(row));
		file.payable.push(row.Invoice as string);
		const { payments, sum } = units.get(row.Currency) ?? { payments: 0, sum: 0 };
		units.set(row.Currency, { payments: payments + 1, sum: sum + row.units });
	}
	file.totals = [...units]
		.sort()
		.map(([currency, { payments, sum }]) => [
			currency,
			String(payments),
			withDot(withComma(sum, currency === 'JPY' ? 0 : 2)),
		]);
	return file;
}

/**
 * The file as CSV from a spreadsheet program: semicolons, a byte order mark, and line breaks of
 * Windows.
 */
export function toCsv({ rows }: PayoutFile, name: string): UploadedFile {
	const quoted = (cell: Cell) =>
		/[";\n]/.test(String(cell)) ? `"${String(cell).replace(/"/g, '""')}"` : String(cell);
	const lines = [[...COLUMNS], ...rows].map((row) => (row ?? []).map(quoted).join(';'));
	return { name, mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`) };
}

/** A sheet of the library: cells by address, and what is true of its columns. */
export type Sheet = Record<string, unknown> & { '!cols'?: Array<{ hidden?: boolean } | undefined> };

interface Xlsx {
	utils: {
		aoa_to_sheet: (rows: unknown[][]) => Sheet;
		book_new: () => object;
		book_append_sheet: (book: object, sheet: object, name: string) => void;
		sheet_to_json: <T>(sheet: object) => T[];
	};
	write: (book: object, options: object) => Buffer;
	read: (content: Buffer) => { SheetNames: string[]; Sheets: Record<string, object> };
}
/** The library by which n8n itself reads and writes spreadsheets. */
const xlsx = () =>
	createRequire(join(n8nInstallation().folder, 'package.json'))('@e965/xlsx') as Xlsx;

/** Rows as a spreadsheet; `change` gets its first sheet. */
export function sheetFile(
	rows: unknown[][],
	name: string,
	change: (sheet: Sheet) => void = () => {},
): UploadedFile {
	const { utils, write } = xlsx();
	const book = utils.book_new();
	const sheet = utils.aoa_to_sheet(rows);
	change(sheet);
	utils.book_append_sheet(book, sheet, 'Payouts');
	const mimeType = 'application/octet-stream';
	return { name, mimeType, buffer: write(book, { type: 'buffer', bookType: 'xlsx' }) };
}

/** The file as a spreadsheet, where most amounts are numbers. */
export function toXlsx({ rows }: PayoutFile, name: string): UploadedFile {
	const amount = COLUMNS.indexOf('Amount');
	const asNumber = (row: Cell[], index: number) =>
		row.map((cell, column) =>
			column === amount && index % 3 > 0 && /^\d{1,3}(\.\d{3})*,\d\d$/.test(String(cell))
				? Number(String(cell).replace(/\./g, '').replace(',', '.'))
				: cell,
		);
	const all = rows.map((row, index) => (row ? asNumber(row, index) : []));
	return sheetFile([[...COLUMNS], ...all], name);
}

/** Reads the first sheet of a spreadsheet, one object for each row. */
export function readXlsx<T>(content: Buffer): T[] {
	const { utils, read } = xlsx();
	const { SheetNames, Sheets } = read(content);
	return utils.sheet_to_json<T>(Sheets[SheetNames[0]]);
}
