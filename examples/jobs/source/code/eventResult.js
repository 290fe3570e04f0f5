// Decides what events change. Of several rows with one External ID, the one that was sent counts.
const RESULTS = { COMPLETED: 'paid', REJECTED: 'rejected', FAILED: 'failed', RETURNED: 'returned' };
const AGAIN = 'It can be paid again: upload its row again, and have it approved.';
const rows = $input.all().filter(({ json }) => json.externalId && json.firstSentAt).map(({ json }) => json);
const known = new Map(rows.sort((a, b) => a.id - b.id).map((row) => [row.externalId, row]));
const changed = new Map();
// An event without a time in milliseconds or ISO 8601 counts from its arrival.
const timeOf = ({ createdAt }) => Number(createdAt) || Date.parse(createdAt) || Date.now();
const events = $('Payments Trigger').all().map(({ json }) => ({ data: json.data, time: timeOf(json) }));
for (const { data, time } of events.sort((a, b) => a.time - b.time)) {
	// If your service names the External ID elsewhere, change this here and in Payments of Events.
	const id = data.metadata?.externalId;
	const row = changed.get(id) ?? known.get(id);
	if (!row || Number(row.statusAt || 0) > time) continue;
	if (row.statusAt === String(time) && (row.status === data.status || !RESULTS[data.status])) continue;
	const isOpen = ['sent', 'in doubt', 'needs attention'].includes(row.result);
	const result = RESULTS[data.status] ?? (isOpen ? 'accepted' : row.result);
	const at = new Date(time).toISOString(), acceptedAt = row.acceptedAt || at;
	const explanation = ['rejected', 'failed', 'returned'].includes(result) ? `${data.status}. ${AGAIN}` : '';
	const day = ['rejected', 'failed'].includes(result) ? '' : row.day;
	const event = { result, explanation, day, paymentId: data.id, status: data.status, statusAt: `${time}` };
	const history = `${row.history}\n${at} ${result}: ${data.status}`;
	changed.set(id, { ...row, ...event, acceptedAt, history, previous: known.get(id).seal });
}
return [...changed.values()].map((json) => ({ json }));
