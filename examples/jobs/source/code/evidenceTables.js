// What the page shows: what was changed on top, the totals, the runs, the payments, and the log.
//: money
const { listed, chosen, log, zone, title } = $('Evidence').first().json;
const SHOWN = 100;
const text = `${listed.length} payments. The file has each of them with its history.`;
const pick = (...names) => (one) => names.map((name) => (name === 'amount' ? moneyOf(one) : one[name]));
const changed = listed.filter(({ seal, check }) => seal !== check).map(({ externalId, run, row }) =>
	`${externalId}, row ${row} of run ${run}, was changed in the table, not by a job.`);
const { leftOut, totals, warnings, isKept } = $('Left Out').first().json;
const tables = [...totals, {
	heading: 'Runs',
	header: ['Run', 'File', 'SHA-256 of the file', 'Uploaded by', 'Decided by', 'Comment', 'What happened'],
	rows: chosen.map(pick('run', 'fileName', 'fileHash', 'requestedBy', 'decidedBy', 'comment', 'history')),
}, {
	heading: listed.length > SHOWN ? `The first ${SHOWN} payments. The file has all.` : 'Payments',
	header: ['Run', 'Row', 'Supplier', 'Name in file', 'Name in payees', 'Invoice', 'Amount', 'Result', 'Why',
		'Decided by', 'External ID'],
	rows: listed.slice(0, SHOWN).map(pick('run', 'row', 'supplier', 'name', 'payeeName', 'invoice',
		...['amount', 'result', 'why', 'decidedBy', 'externalId'])),
}, leftOut, {
	heading: 'Log',
	header: [`At (${zone})`, 'Who', 'What', 'From', 'To', 'Run'],
	rows: log.map(pick('time', 'who', 'what', 'from', 'to', 'run')),
}];
return [{ json: { title, isKept, listed, top: [...changed, ...warnings], text, tables } }];
