// The payments that are saved. The agent's are counted until its limits are checked.
const { run, requestedBy, requestedAt, job } = $('Run').first().json;
const explanation = job === 'agent' ? 'The limits of the agent are checked.' : 'Waits for an approval.';
return $('Check Payments').all().map(({ json }) => json).filter(({ verdict }) => verdict === 'to approve').map(({ externalId, invoice, supplier, account, country, amount, currency, method, senderEntity, senderAccount, senderCountry, ...row }) => ({ json: {
	...{ externalId, invoice, supplier, account, country, amount, currency, method },
	...{ senderEntity, senderAccount, senderCountry },
	row: String(row.row),
	reasons: [...row.obstacles, ...row.held].join('\n'),
	result: 'to approve',
	explanation,
	...{ job, run, requestedBy, history: `${requestedAt} to approve: asked for by ${requestedBy}` },
} }));
