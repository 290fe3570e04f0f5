// Decides which payments can be a second payment of one bill: related, with its invoice or amount.
//: money
//: earlier
const earlier = $('Earlier Payments').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const days = $('Settings').all().find(({ json }) => json.setting === 'duplicate days')?.json.value ?? 25;
const since = $now.minus({ days: Number(days) }).toISO();
const rows = $input.all().map(({ json }) => json);
const folded = (invoice) => String(invoice).toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
	.replace(/O/g, '0').replace(/[IL]/g, '1').replace(/(?<!\d)0+(?=\d)/g, '');
const isRelated = (a, b) => (a.supplier === b.supplier || a.account === b.account) && !isSame(a, b);
const isBill = (a, b) => folded(a.invoice) === folded(b.invoice)
	|| (a.amount === b.amount && a.currency === b.currency && String(a.createdAt ?? since) >= since);
const known = earlier.filter((one) => !isOver(one));
const inFile = rows.filter(({ advice }) => !advice?.length);
return rows.map((row) => {
	const others = [...known.filter(({ run }) => run !== row.run), ...inFile.filter((one) => one !== row)];
	const twins = others.filter((one) => isRelated(one, row) && isBill(one, row));
	const reasons = twins.map((one) => `Possible duplicate: ${nameOf(one)}.`);
	return { json: row.verdict === 'to approve' ? { ...row, held: [...row.held, ...reasons] } : row };
});
