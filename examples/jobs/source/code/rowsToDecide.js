// Decides which payments can be decided, and why a run can only be declined.
const allOf = (node) => $(node).all().map(({ json }) => json);
const chosen = $('Choose Run').first().json.Run;
const run = allOf('Run Seals').find((one) => one.run && one.run === chosen) ?? {};
const all = $input.all().map(({ json }) => json).filter((one) => one.run && one.run === chosen);
const days = Number(allOf('Settings').find(({ setting }) => setting === 'approve within days')?.value ?? 3);
const isChanged = ({ seal, check }) => seal !== check;
const isLogged = allOf('Log').some(({ isLast, to }) => isLast && to === run.seal);
const digest = all.map(({ externalId }) => externalId).sort().join('\n');
const oldest = $now.toUTC().minus({ days }).toISO();
const doubts = [
	isChanged(run) && 'The run was changed in the table, not by a job. It can only be declined.',
	!isChanged(run) && !isLogged && "The run isn't as the log says: it was put back. It can only be declined.",
	run.digest !== digest && 'Payments of this run are missing, or were added. It can only be declined.',
	oldest > run.requestedAt && `It waited longer than ${days} days. It can only be declined. Upload it again.`,
	...all.filter(isChanged).map(({ row, supplier }) =>
		`Row ${row} (${supplier}) was changed in the table, not by a job. It's never paid.`),
].filter(Boolean);
const rows = all.filter((one) => one.result === 'to approve' && !isChanged(one));
const none = [{ json: { fileRemark: 'There is nothing to decide.', doubts } }];
return rows.length > 0 ? rows.map((row) => ({ json: { ...row, doubts } })) : none;
