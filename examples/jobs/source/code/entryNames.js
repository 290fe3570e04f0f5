// Decides which payments the text of each entry names: by External ID or invoice, as whole words.
const folded = (text) => String(text ?? '').toLowerCase().split(/[\s,;]+/).filter(Boolean);
const payments = $input.all().map(({ json }) => json).filter(({ externalId }) => externalId);
const byName = new Map();
for (const { externalId, invoice } of payments) {
	// A bank can shorten an External ID to 35 characters.
	const names = [externalId.slice(0, 35), externalId, invoice].map((text) => folded(text).join(' '));
	for (const name of new Set(names)) byName.set(name, [...(byName.get(name) ?? []), externalId]);
}
const longest = Math.max(1, ...[...byName.keys()].map((name) => name.split(' ').length));
const lengths = Array.from({ length: longest }, (_, index) => index + 1);
/** A name is one word of the text, or several of them in a row. */
const namedAt = (words, start) =>
	lengths.flatMap((length) => byName.get(words.slice(start, start + length).join(' ')) ?? []);
return $('Entries').all().map(({ json }) => {
	const words = folded(json.text);
	return { json: { ...json, named: words.flatMap((_, start) => namedAt(words, start)) } };
});
