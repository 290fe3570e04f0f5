// The rows of the files that weren't asked for: those that were left out or are to correct.
const rows = $('Evidence').first().json.chosen.flatMap(({ run, rows: text }) =>
	JSON.parse(text || '[]').map((one) => ({ run, ...one })));
const whyOf = ({ held, advice }) => [...(held ?? []), ...(advice ?? []).map(([, says]) => says)].join(' ');
const table = {
	heading: 'Rows that were left out, or are to correct',
	header: ['Run', 'Row', 'Supplier', 'Invoice', 'Amount', '', 'Why'],
	rows: rows.filter(({ verdict }) => verdict !== 'to approve').slice(0, 100).map((one) =>
		[one.run, one.row, one.supplier, one.invoice, one.amount, one.currency, whyOf(one)]),
};
const warnings = $('Run Warnings').first().json;
return [{ json: { ...warnings, leftOut: table, totals: $('Totals').first().json.tables } }];
