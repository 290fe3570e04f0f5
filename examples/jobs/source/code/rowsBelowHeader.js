// Decides which row is the header, and gives each row below it its number in the file.
const FIELDS = ['invoice', 'supplier', 'account', 'country', 'amount', 'currency', 'method', 'name'];
const wanted = Object.keys($('Columns').first().json); // in this order; the last needn't be there
const folded = (cell) => String(cell ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
const table = $input.all().map(({ json }, index) => ({ number: index + 1, cells: json.cells ?? [] }));
const needed = wanted.slice(0, $('Settings').all().some(({ json }) => json.setting === 'method') ? -2 : -1);
const missingIn = ({ cells }) => needed.filter((name) => !cells.map(folded).includes(folded(name)));
const top = table.slice(0, 20).filter(({ cells }) => cells.some(folded));
const [header] = top.sort((a, b) => missingIn(a).length - missingIn(b).length);
const stop = (why) => [{ json: { fileRemark: `This file can't be used. ${why}` } }];
if ($input.first().json.fileRemark) return stop($input.first().json.fileRemark);
if (!header) return stop('It has no rows.');
const [missing, own] = [missingIn(header).join(', '), header.cells.filter(folded).join(', ')];
const names = header.cells.map(folded);
const HOW = 'Rename them, or get the template: submit the form without a file.';
if (missing) return stop(`It has no column ${missing}. Its columns are ${own}. ${HOW}`);
const twice = wanted.find((name) => names.filter((one) => one === folded(name)).length > 1);
if (twice) return stop(`It has the column ${twice} twice. Hidden columns count, too.`);
const rows = table.filter(({ number, cells }) => number > header.number && cells.some(folded));
const MORE = 'This row has more cells than the header. Quote a value that contains the separator.';
return rows.length === 0 ? stop('It has no rows below its header.') : rows.map(({ number, cells }) => {
	const values = FIELDS.map((field, index) => [field, cells[names.indexOf(folded(wanted[index]))] ?? '']);
	const remark = cells.slice(names.length).some(folded) ? MORE : '';
	return { json: { row: number, remark, ...Object.fromEntries(values) } };
});
