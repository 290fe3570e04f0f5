// Decides if each approval still holds: with the rules, accounts, and limits of now, and its age.
const setting = $('Settings').all().find(({ json }) => json.setting === 'approve within days');
const now = $now.toUTC().toISO();
const oldest = $now.toUTC().minus({ days: Number(setting?.json.value ?? 3) }).toISO();
const columnsOf = ({ check, held, obstacles, needs, verdict, attempt, advice, ...columns }) => columns;
const change = (row, values, what) => {
	const history = `${row.history}\n${now} ${values.result ?? row.result}: ${what}`;
	return { json: { ...columnsOf(row), ...values, explanation: what, previous: row.seal, history } };
};
const senderOf = (one) => [one.senderEntity, one.senderAccount, one.senderCountry].join(', ');
const senders = new Map($('Payments to Pay').all().map(({ json }) => [json.id, senderOf(json)]));
const OLD = 'The approval has expired. Upload its row again.';
const isKnown = ({ json }) => !json.fileRemark && json.verdict !== 'not yet';
return $input.all().filter(isKnown).map(({ json: row }) => {
	const rules = [...row.held, ...(row.advice ?? []).map(([, text]) => text)];
	const missing = row.needs - row.decidedBy.split(' ').length;
	const more = missing > 0 ? [`Now it needs ${row.needs} approvals.`] : [];
	const moved = senders.get(row.id) === senderOf(row) ? [] : [`Now it's paid from ${senderOf(row)}.`];
	const why = [...row.obstacles, ...moved, ...(row.verdict === 'to approve' ? [] : rules), ...more].join(' ');
	if (row.verdict === 'left out') return change(row, { decision: 'withdrawn' }, why);
	if (row.decidedAt < oldest) return change(row, { decision: 'expired' }, OLD);
	const again = { result: 'to approve', decision: '', decidedBy: '' };
	if (why) return change(row, again, `Asked again after its approval. ${why}`);
	return { json: columnsOf(row) };
});
