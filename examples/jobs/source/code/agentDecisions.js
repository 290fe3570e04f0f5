// Decides what becomes of each payment of the agent: it's approved, or it waits for a person.
const now = $now.toUTC().toISO();
const APPROVED = {
	...{ decision: 'approved', decidedBy: 'agent', decidedAt: now, result: 'not sent' },
	explanation: 'Approved within the limits of the agent. It is sent with the next batch.',
};
return $input.all().map(({ json: { why, ...row } }) => {
	const decided = why ? { explanation: `Waits for an approval. ${why}`, reasons: why } : APPROVED;
	const next = { ...row, ...decided, previous: row.seal };
	const what = why ? 'waits for a person' : 'approved within the limits of the agent';
	return { json: { ...next, history: `${row.history}\n${now} ${next.result}: ${what}` } };
});
