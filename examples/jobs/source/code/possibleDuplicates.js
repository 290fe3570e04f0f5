// Decides which payments can be a second payment of one bill: related, with its invoice or amount.
const earlier = $('Earlier Payments').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const days = $('Settings').all().find(({ json }) => json.setting === 'duplicate days')?.json.value ?? 25;
const since = $now.minus({ days: Number(days) }).toISO();
const rows = $input.all().map(({ json }) => json);
const folded = (invoice) => String(invoice).toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
	.replace(/O/g, '0').replace(/[IL]/g, '1').replace(/(?<!\d)0+(?=\d)/g, '');
const isSame = (a, b) => ['supplier', 'account', 'invoice', 'amount', 'currency']
	.every((name) => String(a[name]) === String(b[name]));
const isRelated = (a, b) => (a.supplier === b.supplier || a.account === b.account) && !isSame(a, b);
const isBill = (a, b) => folded(a.invoice) === folded(b.invoice)
	|| (a.amount === b.amount && a.currency === b.currency && String(a.createdAt ?? since) >= since);
const OVER = ['rejected', 'failed', 'returned', 'declined', 'withdrawn', 'expired'];
const known = earlier.filter(({ result, decision }) => ![result, decision].some((one) => OVER.includes(one)));
const inFile = rows.filter(({ advice }) => !advice?.length);
const sinceOf = (one) => String(one.sentAt || one.decidedAt || one.createdAt).slice(0, 10);
const whereOf = (one) => (one.result ? `run ${one.run}, row ${one.row}, ${one.result} since ${sinceOf(one)}`
	: `row ${one.row}, in this file`);
const nameOf = (one) => `${one.currency} ${one.amount}, invoice ${one.invoice}, ${whereOf(one)}`;
return rows.map((row) => {
	const others = [...known.filter(({ run }) => run !== row.run), ...inFile.filter((one) => one !== row)];
	const twins = others.filter((one) => isRelated(one, row) && isBill(one, row));
	const reasons = twins.map((one) => `Possible duplicate: ${nameOf(one)}.`);
	return { json: row.verdict === 'to approve' ? { ...row, held: [...row.held, ...reasons] } : row };
});
