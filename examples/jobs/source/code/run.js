// The run that is saved: who asks for what, and every row of the file as it was read.
//: money
//: totals
const { job, requestedBy, fileName, fileHash, rows: text } = $('Payout Run Asked For').first().json;
const rows = JSON.parse(text);
const asked = rows.filter(({ verdict }) => verdict === 'to approve');
const [now, user] = [$now.toUTC().toISO(), requestedBy.toLowerCase()];
const NAMES = ['row', 'verdict', 'invoice', 'supplier', 'name', 'account', 'country', 'amount', 'currency',
	'method', 'advice', 'held'];
const kept = (row) => Object.fromEntries(NAMES.map((name) => [name, row[name]]));
return [{ json: {
	...{ run: $execution.id, job, requestedBy: user, requestedAt: now, fileName, fileHash },
	...{ payments: String(asked.length), totals: totalsOf(asked).join(', ') },
	...{ leftOut: String(rows.length - asked.length), rows: JSON.stringify(rows.map(kept)) },
	digest: asked.map(({ externalId }) => externalId).sort().join('\n'),
	history: `${now} to approve: asked for by ${user}`,
} }];
