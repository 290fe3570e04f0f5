// Decides what events change. Of several rows with one External ID, the one that was sent counts.
const RESULTS = { COMPLETED: 'paid', REJECTED: 'rejected', FAILED: 'failed', RETURNED: 'returned' };
const CAME_BACK = ['rejected', 'failed', 'returned'];
const rows = $input.all().map(({ json }) => json).filter(({ externalId, firstSentAt }) => externalId && firstSentAt).sort((a, b) => a.id - b.id);
const known = new Map(rows.map((row) => [row.externalId, row]));
const changed = new Map();
const events = $('Payments Trigger').all().map(({ json }) => json).sort((a, b) => a.createdAt - b.createdAt);
for (const { data, createdAt } of events) {
	// If your service names the External ID elsewhere, change this here and in Payments of Events.
	const id = data.metadata?.externalId;
	const row = changed.get(id) ?? known.get(id);
	if (!row || Number(row.statusAt || 0) > Number(createdAt)) continue;
	if (row.statusAt === String(createdAt) && (row.status === data.status || !RESULTS[data.status])) continue;
	const result = RESULTS[data.status] ?? (['sent', 'in doubt', 'needs attention'].includes(row.result) ? 'accepted' : row.result);
	const at = new Date(Number(createdAt)).toISOString();
	const explanation = CAME_BACK.includes(result) ? `${data.status}. It can be paid again: upload its row again, and have it approved.` : '';
	const day = ['rejected', 'failed'].includes(result) ? '' : row.day;
	changed.set(id, { ...row, result, explanation, day, paymentId: data.id, status: data.status, statusAt: String(createdAt), acceptedAt: row.acceptedAt || at, previous: known.get(id).seal, history: `${row.history}\n${at} ${result}: ${data.status}` });
}
return [...changed.values()].map((json) => ({ json }));
