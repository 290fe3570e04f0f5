// Decides which payment each entry is about. Each is used once, so a second entry is unexpected.
const payments = new Map($('Payments').all().map(({ json }) => [json.externalId, json]));
const daysApart = (entry, payment) => Math.abs(Date.parse(entry.date) - Date.parse(payment.day)) || 0;
const isSame = (entry, payment) =>
	entry.booked === payment.paid && entry.entryCurrency === payment.currency;
const entries = $input.all().map(({ json }) => ({ ...json }));
const used = { true: new Set(), false: new Set() };
const take = (entry, canBe) => {
	const isFree = (payment) => canBe(entry, payment) && !used[entry.isCredit].has(payment.externalId);
	const open = entry.named.map((id) => payments.get(id)).filter(isFree);
	const [best] = open.sort((a, b) => a.isDead - b.isDead || daysApart(entry, a) - daysApart(entry, b));
	if (best) used[entry.isCredit].add((entry.externalId = best.externalId));
};
// The best ones first, so that no payment loses its entry to another one.
for (const entry of entries) take(entry, isSame);
for (const entry of entries) if (!entry.externalId) take(entry, () => true);
// Money from others that names no payment isn't shown.
const isShown = ({ isCredit, externalId, named }) =>
	!isCredit || (named.length > 0 && !used.false.has(externalId));
return entries.filter(isShown).map(({ named, ...entry }) => {
	const cameBack = !entry.isCredit && used.true.has(entry.externalId);
	return { json: { ...entry, isNamed: named.length > 0, cameBack } };
});
