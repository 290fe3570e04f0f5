// Decides what becomes of each payment: it's approved when as many people approved it as it needs.
const form = $('Decide').first().json;
const { me, clean, held, rows, decisions } = $('Review').first().json;
if (String(form.user?.email ?? '').toLowerCase() !== me || !decisions.includes(form.Decision)) return [];
const [now, comment] = [$now.toUTC().toISO(), String(form.Comment ?? '').trim()];
const changed = (row, change, what) => {
	const { check, held, obstacles, needs, verdict, attempt, approvals, why, advice, ...columns } = row;
	const history = `${row.history}\n${now} ${change.result ?? 'to approve'}: ${what} by ${me}. ${comment}`;
	return { json: { ...columns, ...change, decidedAt: now, previous: row.seal, history } };
};
const reject = (row, decision) =>
	changed(row, { decision, decidedBy: me, result: 'not sent', explanation: comment }, decision);
const approve = (row) => {
	const [people, missing] = [[...row.approvals, me], row.needs - row.approvals.length - 1];
	const change = { decidedBy: people.join(' '), reasons: row.held.join('\n') };
	const half = `Approved by ${people.join(', ')}. ${missing} more must approve.`;
	if (missing > 0) return changed(row, { ...change, explanation: half }, 'approved (not yet by all)');
	const explanation = 'Approved. It is sent with the next batch.';
	return changed(row, { ...change, decision: 'approved', result: 'not sent', explanation }, 'approved');
};
const isTicked = ({ row }) => (form.Held ?? []).some((text) => text.startsWith(`Pay row ${row}:`));
const isLeftOut = (row) => row.held.length > 0 && !isTicked(row);
if (form.Decision === 'Approve')
	return [...clean, ...held].map((row) => (isLeftOut(row) ? reject(row, 'declined') : approve(row)));
return rows.map((row) => reject(row, form.Decision === 'Decline all' ? 'declined' : 'withdrawn'));
