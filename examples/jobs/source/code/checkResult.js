// Decides what can be asked for: what the Payments node would not send is to correct.
const rows = $('Sent Before').all().map(({ json }) => json);
return $input.all().map(({ json }, index) => {
	const row = rows[index];
	if (row.verdict !== 'to approve' || json.outcome === 'dryRun') return { json: row };
	// The clerk knows the row and its cells, and no items.
	const said = [json.message, json.fix].filter(Boolean).join(' ');
	const says = said.replace(/Item \d+: |\s*This item wasn't sent\./g, '');
	return { json: { ...row, verdict: 'to correct', advice: [['', says]] } };
});
