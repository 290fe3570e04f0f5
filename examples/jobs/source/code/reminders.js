// Decides who is told: of runs that wait for long, the approvers. Of all else, who gets the alerts.
const { open, zone, alerts } = $input.first().json;
const mailTo = (addresses) => addresses.join(', ') || valuesOf('alert to').join(', ');
const valuesOf = (name) =>
	$('Settings').all().filter(({ json }) => json.setting === name).map(({ json }) => json.value);
const hours = Number(valuesOf('remind after hours')[0] ?? 24);
const before = $now.minus({ hours }).toMillis();
// The approvers had an email when a person or an order asked, but none about the agent.
const isDue = ({ job, createdAt }) => job === 'agent' || Date.parse(createdAt) < before;
const waiting = open.filter((one) => one.result === 'to approve' && isDue(one));
const today = $now.setZone(zone).toISODate();
const reminders = [...new Set(waiting.map(({ run }) => run))].map((run) => {
	const own = waiting.filter((one) => one.run === run);
	const approvers = valuesOf('approver').filter((one) => one.toLowerCase() !== own[0].requestedBy);
	const text = `${own.length} payments of payout run ${run} wait for an approval.`;
	return { key: `approve ${run} ${today}`, text, to: mailTo(approvers) };
});
const others = alerts.map((one) => ({ ...one, to: mailTo([]) }));
return [{ json: { ...$input.first().json, alerts: [...others, ...reminders] } }];
