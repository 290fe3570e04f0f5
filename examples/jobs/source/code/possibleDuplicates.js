// Decides which payments can be a second payment of one bill: related, with its invoice or amount.
//: money
//: expired
//: earlier
const valueOf = (name) => $('Settings').all().find(({ json }) => json.setting === name)?.json.value;
const [days, zone] = [Number(valueOf('duplicate days') ?? 25), valueOf('time zone') || 'UTC'];
const rows = $input.all().map(({ json }) => json);
const dayOf = (one) => DateTime.fromISO(String(one.createdAt ?? $now)).setZone(zone).startOf('day');
const daysApart = (a, b) => Math.abs(dayOf(a).diff(dayOf(b), 'days').days);
/** Who approved the payee can have said that it gets equal payments so many days apart. */
const atLeast = (a, b) => (a.supplier === b.supplier && a.account === b.account
	&& Math.min(days, Number(b.equalEvery))) || days;
const folded = (invoice) => String(invoice).toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
	.replace(/O/g, '0').replace(/[IL]/g, '1').replace(/(?<!\d)0+(?=\d)/g, '');
const isRelated = (a, b) => (a.supplier === b.supplier || a.account === b.account) && !isSame(a, b);
const isBill = (a, b) => folded(a.invoice) === folded(b.invoice)
	|| (a.amount === b.amount && a.currency === b.currency && daysApart(a, b) < atLeast(a, b));
return rows.map((row) => {
	const saved = earlier.filter((one) => one.run !== row.run && !isOver(one));
	const others = [...saved, ...rows.filter((one) => one !== row && !one.advice?.length)];
	const twins = others.filter((one) => isRelated(one, row) && isBill(one, row));
	const reasons = twins.map((one) => `Possible duplicate: ${nameOf(one)}.`);
	const { equalEvery, ...json } = row;
	return { json: row.verdict === 'to approve' ? { ...json, held: [...row.held, ...reasons] } : json };
});
