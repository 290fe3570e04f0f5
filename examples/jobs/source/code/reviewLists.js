// Decides which payments can be approved now, and which of them are held: those need a tick each.
const { me, isApprover } = $('Run List').first().json;
const chosen = $('Choose Run').first().json.Run;
const run = $('Run Seals').all().find(({ json }) => json.run && json.run === chosen)?.json ?? {};
const { doubts: warnings } = $('Payments to Decide').first().json;
const rows = $input.all().filter(({ json }) => !json.fileRemark).map(({ json: { doubts, ...row } }) => {
	const approvals = String(row.decidedBy ?? '').split(' ').filter(Boolean);
	const mine = approvals.includes(me) ? ['You approved it. Somebody else has to approve it, too.'] : [];
	const rules = [...row.held, ...(row.advice ?? []).map(([, text]) => text)];
	const why = [...row.obstacles, ...(row.verdict === 'to approve' ? [] : rules), ...mine];
	return { ...row, approvals, why };
});
//: stopped
const isOwn = run.requestedBy === me;
const mayApprove = isApprover && !isOwn && warnings.length === 0;
const open = mayApprove ? rows.filter(({ why }) => why.length === 0) : [];
const offered = [
	...(open.length > 0 ? ['Approve'] : []),
	...(isApprover && !isOwn ? ['Decline all'] : []),
	...(isOwn ? ['Withdraw all'] : []),
];
const [clean, held] = [true, false].map((is) => open.filter((one) => (one.held.length === 0) === is));
const others = rows.filter((one) => !open.includes(one));
const decisions = rows.length > 0 ? offered : [];
return [{ json: { run, me, warnings: [...STOPPED, ...warnings], decisions, rows, clean, held, others } }];
