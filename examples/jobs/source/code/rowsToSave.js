// The payments that are saved: each one waits for an approval.
const { run, requestedBy, requestedAt, job } = $('Run').first().json;
return $('Summary').first().json.rows.filter(({ verdict }) => verdict === 'to approve').map(({ externalId, invoice, supplier, account, country, amount, currency, method, senderEntity, senderAccount, senderCountry, ...row }) => ({ json: {
	...{ externalId, invoice, supplier, account, country, amount, currency, method },
	...{ senderEntity, senderAccount, senderCountry },
	row: String(row.row),
	job,
	run,
	requestedBy,
	reasons: [...row.obstacles, ...row.held].join('\n'),
	result: 'to approve',
	explanation: 'Waits for an approval.',
	history: `${requestedAt} to approve: asked for by ${requestedBy}`,
} }));
