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
//: stopped
const { Show, Which = '' } = $('Show Payments').first().json;
const isDay = DateTime.fromFormat(Which.trim(), 'yyyy-MM-dd').isValid;
const noRun = Show === 'A payout run' && $('Evidence').first().json.chosen.length === 0;
const unclear = noRun ? [`There is no payout run "${Which}". Enter its number in Which.`]
	: Show === 'A day' && !isDay ? [`"${Which}" is no day. Enter it in Which, such as 2026-11-24.`] : [];
const { isKept, warnings } = $('Run Warnings').first().json;
const { tables: totals } = $('Totals').first().json;
const all = [...unclear, ...warnings, ...wrong];
return [{ json: { isKept, stopped: STOPPED, warnings: all, leftOut: table, totals } }];
