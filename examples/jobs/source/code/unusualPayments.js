// Decides which amounts are unusual for a supplier, and which cells of the file looked like a date.
const earlier = $('Earlier Payments').all().map(({ json }) => json);
const factor = $('Settings').all().find(({ json }) => json.setting === 'unusual factor')?.json.value ?? 10;
//: units
//: money
const isPaid = (row) => (one) => one.run !== row.run && one.supplier === row.supplier
	&& one.currency === row.currency && ['accepted', 'paid'].includes(one.result);
return $input.all().map(({ json: row }) => {
	if (row.verdict !== 'to approve') return { json: row };
	const [most] = earlier.filter(isPaid(row)).map(({ amount }) => amount)
		.sort((a, b) => (units(a) < units(b) ? 1 : -1));
	const isUnusual = most !== undefined && units(row.amount) >= units(most) * BigInt(factor);
	const unusual = isUnusual ? [`Unusual amount: until now at most ${moneyOf({ ...row, amount: most })}.`] : [];
	// Only the file has its cells: of a saved payment, the reason is in its row.
	const saved = String(row.reasons ?? '').split('\n').filter((line) => line.endsWith(' looks like a date.'));
	return { json: { ...row, held: [...row.held, ...unusual, ...(row.cellReasons ?? saved)] } };
});
