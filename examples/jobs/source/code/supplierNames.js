// Decides if the name in the file is the approved one. Case, blanks, and punctuation don't matter.
const folded = (name) => String(name ?? '').normalize('NFKC').toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
return $input.all().map(({ json: row }) => {
	const [now, before] = [folded(row.name), folded(row.payeeName)];
	if (!row.held || !now || !before || now === before) return { json: row };
	const reason = `Another name of the supplier: now ${row.name}, until now ${row.payeeName}.`;
	return { json: { ...row, held: [...row.held, reason] } };
});
