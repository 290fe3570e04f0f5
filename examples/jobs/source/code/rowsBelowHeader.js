// Decides which row is the header, and gives each row below it its number in the file.
// If your columns have other names, change the names on the right.
const COLUMNS = { invoice: 'Invoice', supplier: 'Supplier', account: 'Supplier Account', country: 'Country', amount: 'Amount', currency: 'Currency', method: 'Method' };
const wanted = Object.values(COLUMNS);
const folded = (cell) => String(cell ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
const table = $input.all().map(({ json }, index) => ({ number: index + 1, cells: json.cells ?? [] }));
const missingIn = ({ cells }) => wanted.filter((name) => !cells.some((cell) => folded(cell) === folded(name)));
const top = table.slice(0, 20).filter(({ cells }) => cells.some((cell) => folded(cell)));
const [header] = [...top].sort((a, b) => missingIn(a).length - missingIn(b).length);
const stop = (why) => [{ json: { fileRemark: `This file can't be used. ${why}` } }];
if ($input.first().json.fileRemark) return stop($input.first().json.fileRemark);
if (!header) return stop('It has no rows.');
if (missingIn(header).length > 0) return stop(`It has no column ${missingIn(header).join(', ')}. Its columns are ${header.cells.filter(folded).join(', ')}.`);
const names = header.cells.map(folded);
const twice = wanted.find((name) => names.filter((one) => one === folded(name)).length > 1);
if (twice) return stop(`It has the column ${twice} twice. Hidden columns count, too.`);
const rows = table.filter(({ number, cells }) => number > header.number && cells.some(folded));
if (rows.length === 0) return stop('It has no rows below its header.');
return rows.map(({ number, cells }) => {
	const fields = Object.entries(COLUMNS).map(([field, name]) => [field, cells[names.indexOf(folded(name))] ?? '']);
	const more = cells.slice(names.length).some(folded) ? `This row has more cells than the header (${names.length}). Put a value that contains the separator in quotation marks.` : '';
	return { json: { row: number, remark: more, ...Object.fromEntries(fields) } };
});
