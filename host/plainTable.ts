import Table, { type HorizontalAlignment } from 'cli-table3';

const PARTS = ['top', 'bottom', 'left', 'right', 'mid', 'middle'];
const JOINTS = [
	'top-mid',
	'top-left',
	'top-right',
	'bottom-mid',
	'bottom-left',
	'bottom-right',
	'left-mid',
	'mid-mid',
	'right-mid',
];
const NO_LINES = Object.fromEntries([...PARTS, ...JOINTS].map((part) => [part, '']));

/** Lays out a table for a terminal, without lines. */
export function plainTable(
	head: string[],
	alignment: HorizontalAlignment[],
	rows: Array<Array<string | number>>,
): string {
	const table = new Table({
		head,
		colAligns: alignment,
		chars: NO_LINES,
		style: { head: [], 'padding-left': 0, 'padding-right': 2 },
	});
	table.push(...rows);
	return table.toString();
}
