// Decides what can be asked for: what the Payments node would not send is to correct.
const rows = $('External ID').all().map(({ json }) => json);
return $input.all().map(({ json }, index) => {
	const row = rows[index];
	if (row.verdict !== 'to approve' || json.outcome === 'dryRun') return { json: row };
	return { json: { ...row, verdict: 'to correct', advice: [['', [json.message, json.fix].filter(Boolean).join(' ')]] } };
});
