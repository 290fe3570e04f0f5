// Decides which payments were asked for before (the first one counts), and which can be doubles. What only the file showed is in the saved reasons.
const settings = Object.fromEntries($('Settings').all().map(({ json }) => [json.setting, json.value]));
const rows = $input.all().map(({ json }) => json);
const earlier = $('Earlier Payments').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const units = (amount) => { const [whole, part = ''] = String(amount).split('.'); return BigInt(whole + part.padEnd(5, '0')); };
const folded = (invoice) => String(invoice).toUpperCase().replace(/[^\p{L}\p{N}]/gu, '').replace(/O/g, '0').replace(/[IL]/g, '1').replace(/(?<!\d)0+(?=\d)/g, '');
const isSame = (a, b) => ['supplier', 'account', 'invoice', 'amount', 'currency'].every((name) => String(a[name]) === String(b[name]));
const isRelated = (a, b) => a.supplier === b.supplier || a.account === b.account;
const nameOf = (one) => `${one.currency} ${one.amount}, invoice ${one.invoice}, ${one.run ? `run ${one.run}, ` : ''}row ${one.row}${one.result ? `, ${one.result} since ${String(one.sentAt || one.decidedAt || one.createdAt).slice(0, 10)}` : ', in this file'}`;
const isOver = ({ result, decision }) => ['rejected', 'failed', 'returned'].includes(result) || ['declined', 'withdrawn', 'expired'].includes(decision);
const since = $now.minus({ days: Number(settings['duplicate days'] ?? 90) }).toISO();
return rows.map((row) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, verdict: 'to correct' } };
	const before = earlier.filter((one) => one.run !== row.run && isRelated(one, row));
	const [same, inFile] = [before.filter((one) => isSame(one, row)), rows.filter((one) => one !== row && !one.advice?.length && isRelated(one, row))];
	const open = same.find((one) => !isOver(one) && one.id < (row.id ?? Infinity)) ?? inFile.find((one) => isSame(one, row) && Number(one.row) < Number(row.row));
	if (open) return { json: { ...row, verdict: 'left out', held: [`The same payment: ${nameOf(open)}. It isn't paid a second time.`] } };
	const others = [...before.filter((one) => !isSame(one, row) && !isOver(one)), ...inFile.filter((one) => !isSame(one, row))];
	const twins = others.filter((one) => folded(one.invoice) === folded(row.invoice) || (one.amount === row.amount && one.currency === row.currency && String(one.createdAt ?? since) >= since));
	const paid = before.filter((one) => one.supplier === row.supplier && one.currency === row.currency && ['accepted', 'paid'].includes(one.result)).map(({ amount }) => units(amount));
	const held = twins.map((one) => `Possible duplicate: ${nameOf(one)}.`);
	for (const one of same) held.push(one.decision === 'declined' ? `Declined ${one.decidedAt.slice(0, 10)} by ${one.decidedBy}${one.explanation && `: ${one.explanation}`}` : one.result === 'not sent' ? '' : `Second try. The first one was ${one.result}: ${nameOf(one)}. ${one.explanation}`);
	if (paid.length > 0 && paid.every((one) => units(row.amount) >= one * BigInt(settings['unusual factor'] ?? 10))) held.push(`Unusual amount: until now at most ${paid.reduce((most, one) => (one > most ? one : most)).toString().replace(/0{3}$/, '').replace(/(..)$/, '.$1')}.`);
	return { json: { ...row, verdict: 'to approve', attempt: 1 + same.filter(({ result }) => result !== 'not sent').length, held: [...row.held, ...held, ...row.cellReasons ?? String(row.reasons ?? '').split('\n').filter((line) => line.endsWith(' looks like a date.'))].filter(Boolean) } };
});
