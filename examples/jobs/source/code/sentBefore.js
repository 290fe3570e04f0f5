// Decides by the log which payments were sent, and which approvals aren't saved as a whole (yet).
const log = $('Log').all().map(({ json }) => json);
const entries = log.filter(({ what }) => what === 'payments sent');
const sent = new Map(entries.flatMap(({ to, at }) => to.split('\n').map((id) => [id, at])));
const WHY = 'and its row was deleted or changed in the table. Look up the External ID at the service.';
const HALF = "Its approval wasn't saved as a whole.";
const anHourAgo = $now.toUTC().minus({ hours: 1 }).toISO();
// The entry is the last that is saved of an approval. The agent's own has only one payment.
const isSaved = ({ run, decidedBy, decidedAt }) => decidedBy === 'agent' || log.some((one) => !one.remark
	&& one.what === 'payout run: Approve' && one.run === run && one.at >= decidedAt
	&& one.who === decidedBy.split(' ').at(-1));
return $input.all().map(({ json: row }) => {
	const at = sent.get(row.externalId);
	const why = at ? [`The log says that it was sent at ${at}, ${WHY}`] : [];
	const isHalf = row.decision === 'approved' && row.result === 'not sent' && !isSaved(row);
	if (isHalf && row.decidedAt > anHourAgo) return { json: { ...row, verdict: 'not yet' } };
	return { json: { ...row, obstacles: [...(row.obstacles ?? []), ...why, ...(isHalf ? [HALF] : [])] } };
});
