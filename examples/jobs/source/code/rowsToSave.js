// The payments that are saved. The agent's are counted until its limits are checked.
const { run, requestedBy, requestedAt, job } = $('Run').first().json;
const rows = JSON.parse($('Payout Run Asked For').first().json.rows);
const COLUMNS = ['externalId', 'invoice', 'supplier', 'name', 'payeeName', 'account', 'country', 'amount',
	'currency', 'method', 'senderEntity', 'senderAccount', 'senderCountry'];
return rows.filter(({ verdict }) => verdict === 'to approve').map((row) => ({ json: {
	...Object.fromEntries(COLUMNS.map((name) => [name, row[name]])),
	...{ row: String(row.row), job, run, requestedBy },
	reasons: [...row.obstacles, ...row.held].join('\n'),
	result: 'to approve',
	explanation: job === 'agent' ? 'The limits of the agent are checked.' : 'Waits for an approval.',
	history: `${requestedAt} to approve: asked for by ${requestedBy}`,
} }));
