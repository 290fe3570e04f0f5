// The run that is saved: which job asks for what. It's empty if nothing can be asked for.
const checked = $('Check Payments').all().map(({ json }) => json);
const asked = checked.filter(({ verdict }) => verdict === 'to approve');
const [now, [{ job, requestedBy }]] = [$now.toUTC().toISO(), checked];
/** Amounts are text, and are added as whole numbers of a hundred-thousandth. */
const totalOf = (rows) => {
	const decimals = rows[0].amount.split('.')[1]?.length ?? 0;
	const sum = rows.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n).toString().padStart(decimals + 1, '0');
	return `${rows[0].currency} ${decimals ? `${sum.slice(0, -decimals)}.${sum.slice(-decimals)}` : sum} (${rows.length})`;
};
const currencies = [...new Set(asked.map(({ currency }) => currency))].sort();
return asked.length === 0 ? [] : [{ json: {
	...{ run: $execution.id, job, requestedBy, requestedAt: now },
	payments: String(asked.length),
	totals: currencies.map((name) => totalOf(asked.filter(({ currency }) => currency === name))).join(', '),
	leftOut: String(checked.length - asked.length),
	rows: JSON.stringify(checked.map(({ row, verdict, invoice, supplier, account, country, amount, currency, method, held }) => ({ row, verdict, invoice, supplier, account, country, amount, currency, method, held }))),
	digest: asked.map(({ externalId }) => externalId).sort().join('\n'),
	history: `${now} to approve: asked for by ${requestedBy}`,
} }];
