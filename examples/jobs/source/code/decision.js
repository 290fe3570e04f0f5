// Decides what becomes of each payment: it's approved when as many people approved it as it needs.
const form = $('Decide').first().json;
const { me, rows, decisions } = $('Review').first().json;
const { unknown, paid, leftOut, comment, by } = $('Approved Rows').first().json;
if (String(form.user?.email ?? '').toLowerCase() !== me || !decisions.includes(form.Decision)) return [];
if (form.Decision === 'Approve' && unknown.length > 0) return [];
const now = $now.toUTC().toISO();
const changed = (row, change, what) => {
	const { check, held, obstacles, needs, verdict, attempt, approvals, why, advice, ...columns } = row;
	const history = `${row.history}\n${now} ${change.result ?? 'to approve'}: ${what} by ${me}. ${comment}`;
	return { json: { ...columns, ...change, decidedAt: now, previous: row.seal, history } };
};
const reject = (row, decision) => changed(row, { decision, decidedBy: me, result: 'not sent',
	explanation: `${decision[0].toUpperCase()}${decision.slice(1)} ${by}` }, decision);
const approve = (row) => {
	const [people, missing] = [[...row.approvals, me], row.needs - row.approvals.length - 1];
	const change = { decidedBy: people.join(' '), reasons: row.held.join('\n') };
	const half = `Approved by ${people.join(', ')}. ${missing} more must approve.`;
	if (missing > 0) return changed(row, { ...change, explanation: half }, 'approved (not yet by all)');
	const explanation = 'Approved. It is sent with the next batch.';
	return changed(row, { ...change, decision: 'approved', result: 'not sent', explanation }, 'approved');
};
if (form.Decision === 'Approve')
	return [...paid.map(approve), ...leftOut.map((row) => reject(row, 'declined'))];
return rows.map((row) => reject(row, form.Decision === 'Decline all' ? 'declined' : 'withdrawn'));
