// Decides what is saved and sent now: what isn't approved anymore, lost answers, and what fits.
const BATCH = 50;
const settings = $('Settings').all().map(({ json }) => json);
const isStopped = settings.find(({ setting }) => setting === 'stopped')?.value !== 'no';
// The lock holds for 15 minutes. Nothing is begun in the last seven of them.
const isLate = $('Take Lock').first().json.value < $now.toUTC().plus({ minutes: 7 }).toISO();
if (isStopped || isLate) return [];
const now = $now.toUTC().toISO();
const change = (row, values, what) => {
	const history = `${row.history}\n${now} ${values.result ?? row.result}: ${what}`;
	return { json: { ...row, ...values, previous: row.seal, history } };
};
const WAITS = 'Waits for tomorrow: the limit per day is reached.';
const approved = $('Within Limits').all().filter(({ json }) => json.externalId);
const sends = approved.flatMap(({ json: { isWithin, today, ...row } }) => {
	const times = { day: today, firstSentAt: row.firstSentAt || now, sentAt: now };
	if (isWithin)
		return [change(row, { result: 'sent', explanation: '', ...times }, 'on its way to the service')];
	return row.explanation === WAITS ? [] : [change(row, { explanation: WAITS }, WAITS)];
});
const isOther = ({ json: { externalId, result, decision } }) =>
	externalId && !(result === 'not sent' && decision === 'approved');
const others = [...$('Lost Answers').all(), ...$('Still Approved').all()].filter(isOther);
return [...others.map(({ json }) => ({ json })), ...sends].slice(0, BATCH);
