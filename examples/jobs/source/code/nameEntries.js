// Decides which payment each entry is about: by its External ID, or else by its invoice.
const folded = (text) => String(text ?? '').toLowerCase().split(/[\s,;]+/).filter(Boolean);
const payments = $input.all().map(({ json }) => json).filter(({ externalId }) => externalId);
const byName = new Map();
for (const payment of payments)
	for (const name of new Set([payment.externalId.slice(0, 35), payment.externalId, payment.invoice].map((text) => folded(text).join(' '))))
		byName.set(name, [...(byName.get(name) ?? []), payment]);
const longest = Math.max(1, ...[...byName.keys()].map((name) => name.split(' ').length));
/** The payments that a text names: as its words, or as several of them in a row. */
const namedIn = (text) => folded(text).flatMap((_, start, words) =>
	Array.from({ length: longest }, (_, more) => byName.get(words.slice(start, start + more + 1).join(' ')) ?? []).flat());
const daysApart = (entry, payment) => Math.abs(Date.parse(entry.date) - Date.parse(payment.day)) || 0;
const isSame = (entry, payment) => entry.booked === payment.paid && entry.entryCurrency === payment.currency;
const entries = $('Entries').all().map(({ json }) => ({ ...json, named: namedIn(json.text) }));
const used = { true: new Set(), false: new Set() };
const take = (entry, canBe) => {
	const open = entry.named.filter((payment) => canBe(entry, payment) && !used[entry.isCredit].has(payment.externalId));
	const [best] = open.sort((a, b) => a.isDead - b.isDead || daysApart(entry, a) - daysApart(entry, b));
	if (best) used[entry.isCredit].add((entry.externalId = best.externalId));
};
for (const entry of entries) take(entry, isSame); // the best first, so that no payment loses its entry to another one
for (const entry of entries) if (!entry.externalId) take(entry, () => true);
const cameBack = (entry) => !entry.isCredit && used.true.has(entry.externalId);
const isShown = ({ isCredit, externalId, named }) => !isCredit || (named.length > 0 && !used.false.has(externalId)); // money from others isn't
return entries.filter(isShown).map(({ named, ...entry }) => ({ json: { ...entry, isNamed: named.length > 0, cameBack: cameBack(entry) } }));
