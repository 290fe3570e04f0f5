// The rows of the files that weren't asked for, and what is wrong with runs and the log.
//: money
const rows = $('Evidence').first().json.chosen.flatMap(({ run, rows: text }) =>
	JSON.parse(text || '[]').map((one) => ({ run, ...one })));
const whyOf = ({ held, advice }) => [...(held ?? []), ...(advice ?? []).map(([, says]) => says)].join(' ');
// What is to correct stands as it is in the file.
const amountOf = (one) => (one.verdict === 'left out' ? moneyOf(one) : one.amount);
const table = {
	heading: 'Rows that were left out, or are to correct',
	header: ['Run', 'Row', 'Supplier', 'Name in file', 'Invoice', 'Amount', 'Why'],
	rows: rows.filter(({ verdict }) => verdict !== 'to approve').slice(0, 100).map((one) =>
		[one.run, one.row, one.supplier, one.name, one.invoice, amountOf(one), whyOf(one)]),
};
const wrong = $('Log').all().filter(({ json }) => json.remark)
	.map(({ json: { at, what, remark } }) => `The log, ${what} at ${at}: ${remark}`);
const { isKept, warnings } = $('Run Warnings').first().json;
const { tables: totals } = $('Totals').first().json;
return [{ json: { isKept, warnings: [...warnings, ...wrong], leftOut: table, totals } }];
