// The run that is saved: who asks for what, and every row of the file as it was read.
const { job, requestedBy, fileName, fileHash, rows: text } = $('Payout Run Asked For').first().json;
const rows = JSON.parse(text);
const asked = rows.filter(({ verdict }) => verdict === 'to approve');
const [now, user] = [$now.toUTC().toISO(), requestedBy.toLowerCase()];
const grouped = (amount) => amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
const totalOf = ([currency, own]) => {
	const decimals = own[0].amount.split('.')[1]?.length ?? 0;
	const sum = own.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
	const digits = String(sum).padStart(decimals + 1, '0');
	const total = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
	return `${currency} ${grouped(total)} (${own.length})`;
};
const byCurrency = [...new Set(asked.map(({ currency }) => currency))].sort()
	.map((name) => [name, asked.filter(({ currency }) => currency === name)]);
const NAMES = ['row', 'verdict', 'invoice', 'supplier', 'account', 'country', 'amount', 'currency', 'method',
	'advice', 'held'];
const kept = (row) => Object.fromEntries(NAMES.map((name) => [name, row[name]]));
return [{ json: {
	...{ run: $execution.id, job, requestedBy: user, requestedAt: now, fileName, fileHash },
	...{ payments: String(asked.length), totals: byCurrency.map(totalOf).join(', ') },
	...{ leftOut: String(rows.length - asked.length), rows: JSON.stringify(rows.map(kept)) },
	digest: asked.map(({ externalId }) => externalId).sort().join('\n'),
	history: `${now} to approve: asked for by ${user}`,
} }];
