// Decides which payments can be approved now, and which of them are held: those need a tick each.
const { me, isApprover } = $('Run List').first().json;
const settings = Object.fromEntries($('Settings').all().map(({ json }) => [json.setting, json.value]));
const chosen = $('Choose Run').first().json.Run;
const run = $('Run Seals').all().map(({ json }) => json).find((one) => one.run && one.run === chosen) ?? {};
const all = $('Seals').all().map(({ json }) => json).filter((one) => one.run);
const rows = $input.all().map(({ json }) => json).filter(({ fileRemark }) => !fileRemark).map((row) => {
	const approvals = String(row.decidedBy ?? '').split(' ').filter(Boolean);
	const mine = approvals.includes(me) ? ['You approved it. Somebody else has to approve it, too.'] : [];
	const other = row.verdict === 'to approve' ? mine : [...row.held, ...(row.advice ?? []).map(([, text]) => text), ...mine];
	return { ...row, approvals, why: [...row.obstacles, ...other] };
});
const days = Number(settings['approve within days'] ?? 3);
const warnings = [
	...(run.seal !== run.check ? ['The run was changed in the table, not by a job. It can only be declined.'] : []),
	...(run.digest !== all.map(({ externalId }) => externalId).sort().join('\n') ? ['Payments of this run are missing, or were added. It can only be declined.'] : []),
	...all.filter(({ seal, check }) => seal !== check).map(({ row, supplier }) => `Row ${row} (${supplier}) was changed in the table, not by a job. It's never paid.`),
	...($now.toUTC().minus({ days }).toISO() > run.requestedAt ? [`It waited longer than ${days} days. It can only be declined. Upload it again.`] : []),
];
const isOwn = run.requestedBy === me;
const mayApprove = isApprover && !isOwn && warnings.length === 0;
const open = mayApprove ? rows.filter(({ why }) => why.length === 0) : [];
const decisions = [...(open.length > 0 ? ['Approve'] : []), ...(isApprover && !isOwn ? ['Decline all'] : []), ...(isOwn ? ['Withdraw all'] : [])];
return [{ json: { run, me, warnings, decisions: rows.length > 0 ? decisions : [], rows, clean: open.filter(({ held }) => held.length === 0), held: open.filter(({ held }) => held.length > 0), others: rows.filter((one) => !open.includes(one)) } }];
