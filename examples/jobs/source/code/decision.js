// Decides what becomes of each payment: it's approved when as many people approved it as it needs.
const form = $('Decide').first().json;
const { me, clean, held, rows, decisions } = $('Review').first().json;
const now = $now.toUTC().toISO();
const isStillMe = String(form.user?.email ?? '').toLowerCase() === me;
if (!isStillMe || !decisions.includes(form.Decision)) return [];
const comment = String(form.Comment ?? '').trim();
const columnsOf = ({ check, held, obstacles, needs, verdict, attempt, approvals, why, advice, ...columns }) => columns;
const changed = (row, change, what) => ({ json: { ...columnsOf(row), decidedAt: now, ...change, previous: row.seal, history: `${row.history}\n${now} ${what}` } });
if (form.Decision !== 'Approve') {
	const decision = form.Decision === 'Decline all' ? 'declined' : 'withdrawn';
	return rows.map((row) => changed(row, { decision, decidedBy: me, result: 'not sent', explanation: comment }, `not sent: ${decision} by ${me}. ${comment}`));
}
const ticked = new Set((form.Held ?? []).map((text) => /^Pay row (\S+):/.exec(text)[1]));
return [...clean, ...held].map((row) => {
	if (row.held.length > 0 && !ticked.has(row.row)) return changed(row, { decision: 'declined', decidedBy: me, result: 'not sent', explanation: comment }, `not sent: declined by ${me}. ${comment}`);
	const decidedBy = [...row.approvals, me];
	const missing = row.needs - decidedBy.length;
	const reasons = row.held.join('\n');
	if (missing > 0) return changed(row, { decidedBy: decidedBy.join(' '), reasons, explanation: `Approved by ${decidedBy.join(', ')}. ${missing} more must approve.` }, `to approve: approved by ${me}, ${missing} more must approve. ${comment}`);
	return changed(row, { decision: 'approved', decidedBy: decidedBy.join(' '), reasons, result: 'not sent', explanation: 'Approved. It is sent with the next batch.' }, `not sent: approved by ${me}. ${comment}`);
});
