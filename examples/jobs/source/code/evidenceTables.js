// What the page shows: what was changed on top, the totals, the runs, the payments, and the log.
//: money
const { listed, chosen, log, zone, title } = $('Evidence').first().json;
const [SHOWN, now] = [100, $now.setZone(zone).toFormat('yyyy-MM-dd HH:mm')];
const pick = (...names) => (one) => names.map((name) => (name === 'amount' ? moneyOf(one) : one[name]));
const { leftOut, totals, stopped, warnings, isKept } = $('Left Out').first().json;
const top = [...listed.filter(({ seal, check }) => seal !== check).map(({ externalId, run, row }) =>
	`${externalId}, row ${row} of run ${run}, was changed in the table, not by a job.`), ...warnings];
const text = `${listed.length} payments. ${now}: ${top.length ? 'not all is right' : 'all seals are right'}.`;
const tables = [...totals, {
	heading: 'Runs',
	header: ['Run', 'File', 'SHA-256 of the file', 'Uploaded by', 'Decided by', 'Comment', 'What happened'],
	rows: chosen.map(pick('run', 'fileName', 'fileHash', 'requestedBy', 'decidedBy', 'comment', 'history')),
}, {
	heading: listed.length > SHOWN ? `The first ${SHOWN} payments. The file has all.` : 'Payments',
	header: ['Run', 'Row', 'Supplier', 'Name in file', 'Name in payees', 'Account', 'Invoice', 'Amount',
		'Result', 'Why', 'Decided by', 'External ID'],
	rows: listed.slice(0, SHOWN).map(pick('run', 'row', 'supplier', 'name', 'payeeName', 'account',
		...['invoice', 'amount', 'result', 'why', 'decidedBy', 'externalId'])),
}, leftOut, {
	heading: 'Log',
	header: [`At (${zone})`, 'Who', 'What', 'From', 'To', 'Run'],
	rows: log.map(pick('time', 'who', 'what', 'from', 'to', 'run')),
}];
return [{ json: { title, isKept, listed, top: [...stopped, ...top], text, tables } }];
