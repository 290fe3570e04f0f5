import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nInstallation } from '../../host/n8n/installation';

/** The part of SheetJS, which n8n brings, that makes and reads a spreadsheet. */
interface SheetJs {
	read: (file: Buffer) => { SheetNames: string[]; Sheets: Record<string, object> };
	write: (workbook: object, options: object) => Buffer;
	utils: {
		book_new: () => object;
		book_append_sheet: (workbook: object, sheet: object) => void;
		aoa_to_sheet: (rows: unknown[][]) => object;
		sheet_to_json: (sheet: object) => Array<Record<string, unknown>>;
	};
}
const inNodes = join(n8nInstallation().folder, 'node_modules/n8n-nodes-base/package.json');
const { read, write, utils } = createRequire(inNodes)('@e965/xlsx') as SheetJs;

/** A spreadsheet with these rows, as a browser uploads it. */
export function xlsx(name: string, rows: unknown[][]) {
	const workbook = utils.book_new();
	utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows));
	const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
	return { name, mimeType, buffer: write(workbook, { type: 'buffer', bookType: 'xlsx' }) };
}

export const csv = (name: string, rows: unknown[][]) => ({
	name,
	mimeType: 'text/csv',
	buffer: Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n')),
});

/** The rows of the first sheet, by the names of its columns. */
export function rowsOf(file: Buffer): Array<Record<string, unknown>> {
	const { SheetNames: names, Sheets: sheets } = read(file);
	return utils.sheet_to_json(sheets[names[0]]);
}
