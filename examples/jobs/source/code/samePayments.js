// Decides which payments were asked for before. The first one counts, and isn't paid a second time.
//: money
//: expired
//: earlier
const rows = $input.all().map(({ json }) => json);
const reasonOf = (one) =>
	one.result !== 'not sent' ? `Second try. The first was ${one.result}: ${nameOf(one)}. ${one.explanation}`
	: one.decision === 'declined' ? `${one.explanation} (${sinceOf(one)})` : '';
return rows.map((row) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, verdict: 'to correct' } };
	// Of two that are open, the one that was saved first counts, and doesn't know the other one.
	const isFirst = (one) => isOver(one) || one.id < (row.id ?? Infinity);
	const same = earlier.filter((one) => one.run !== row.run && isSame(one, row) && isFirst(one));
	const isBefore = (one) => !one.advice?.length && isSame(one, row) && Number(one.row) < Number(row.row);
	const open = same.find((one) => !isOver(one)) ?? rows.find(isBefore);
	const twice = [`The same payment: ${open && nameOf(open)}. It isn't paid a second time.`];
	if (open) return { json: { ...row, verdict: 'left out', held: twice } };
	const attempt = 1 + same.filter(({ result }) => result !== 'not sent').length;
	const held = [...row.held, ...same.map(reasonOf).filter(Boolean)];
	return { json: { ...row, verdict: 'to approve', attempt, held } };
});
