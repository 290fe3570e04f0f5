// Decides if each approval still holds: with the rules, accounts, and limits of now, and its age.
const settings = Object.fromEntries($('Settings').all().map(({ json }) => [json.setting, json.value]));
const now = $now.toUTC().toISO();
const oldest = $now.toUTC().minus({ days: Number(settings['approve within days'] ?? 3) }).toISO();
const columnsOf = ({ check, held, obstacles, needs, verdict, attempt, advice, ...columns }) => columns;
const change = (row, values, what) => ({ json: { ...columnsOf(row), ...values, explanation: what, previous: row.seal, history: `${row.history}\n${now} ${values.result ?? row.result}: ${what}` } });
return $input.all().map(({ json }) => json).filter(({ fileRemark }) => !fileRemark).map((row) => {
	const advice = row.verdict === 'to approve' ? [] : [...row.held, ...(row.advice ?? []).map(([, text]) => text)];
	const missing = row.needs - row.decidedBy.split(' ').length;
	const why = [...row.obstacles, ...advice, ...(missing > 0 ? [`Now it needs ${row.needs} approvals.`] : [])].join(' ');
	if (row.verdict === 'left out') return change(row, { decision: 'withdrawn' }, why);
	if (row.decidedAt < oldest) return change(row, { decision: 'expired' }, 'The approval has expired. Upload its row again.');
	if (why) return change(row, { result: 'to approve', decision: '', decidedBy: '' }, `Asked again after its approval. ${why}`);
	return { json: columnsOf(row) };
});
