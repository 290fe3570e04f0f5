// Decides which payments the agent may make alone. All others wait for a person.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') => settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value;
const units = (amount) => { const [whole, part = ''] = String(amount ?? '0').split('.'); return BigInt(whole + part.padEnd(5, '0')); };
const zone = valueOf('time zone') || 'UTC';
const now = $now.toUTC().toISO();
const isOfToday = ({ createdAt }) => DateTime.fromISO(String(createdAt)).setZone(zone).toISODate() === $now.setZone(zone).toISODate();
const isUndecided = ({ result, explanation }) => result === 'to approve' && explanation === 'The limits of the agent are checked.';
const isItsOwn = ({ result, decision, decidedBy }) => decision === 'approved' && decidedBy === 'agent' && result !== 'rejected';
// What another execution has just added counts, too: of two at once, at least one sees both.
const counted = $input.all().map(({ json }) => json).filter((row) => isOfToday(row) && (isUndecided(row) || isItsOwn(row)));
return $('Save Payments').all().map(({ json: row }) => {
	const sum = counted.filter(({ currency }) => currency === row.currency).reduce((total, { amount }) => total + units(amount), 0n);
	const why = row.reasons !== '' ? row.reasons
		: units(row.amount) > units(valueOf('agent up to', row.currency)) ? `More than the agent may pay alone in ${row.currency}.`
		: sum > units(valueOf('agent per day', row.currency)) ? `More than the agent may pay alone in a day in ${row.currency}.` : '';
	const decided = why ? { explanation: `Waits for an approval. ${why}`, reasons: why } : { decision: 'approved', decidedBy: 'agent', decidedAt: now, result: 'not sent', explanation: 'Approved within the limits of the agent. It is sent with the next batch.' };
	const next = { ...row, ...decided, previous: row.seal };
	return { json: { ...next, history: `${row.history}\n${now} ${next.result}: ${why ? 'waits for a person' : 'approved within the limits of the agent'}` } };
});
