// Decides what an event changes. Of several rows with one External ID, the one that was sent counts.
const RESULTS = { COMPLETED: 'paid', REJECTED: 'rejected', FAILED: 'failed', RETURNED: 'returned' };
const { data, createdAt } = $('Payments Trigger').first().json;
const rows = $input.all().map(({ json }) => json).filter(({ externalId, firstSentAt }) => externalId && firstSentAt);
const row = rows.sort((a, b) => b.id - a.id)[0];
if (!row || Number(row.statusAt || 0) > Number(createdAt)) return [];
if (row.statusAt === String(createdAt) && (row.status === data.status || !RESULTS[data.status])) return [];
const result = RESULTS[data.status] ?? (['sent', 'in doubt', 'needs attention'].includes(row.result) ? 'accepted' : row.result);
const at = new Date(Number(createdAt)).toISOString();
const explanation = ['rejected', 'failed', 'returned'].includes(result) ? `${data.status}${data.reason ? `: ${data.reason}` : ''}. It can be paid again: upload its row again, and have it approved.` : '';
return [{ json: { ...row, result, explanation, day: ['rejected', 'failed'].includes(result) ? '' : row.day, paymentId: data.id, status: data.status, statusAt: String(createdAt), acceptedAt: row.acceptedAt || at, previous: row.seal, history: `${row.history}\n${at} ${result}: ${data.status}` } }];
