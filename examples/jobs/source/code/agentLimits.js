// Decides which payments are above what the agent may pay alone, and why.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') =>
	settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value;
//: units
const dayOf = (time) => time.setZone(valueOf('time zone') || 'UTC').toISODate();
const isOfToday = ({ createdAt }) => dayOf(DateTime.fromISO(String(createdAt))) === dayOf($now);
const isUndecided = ({ explanation }) => explanation === 'The limits of the agent are checked.';
const isItsOwn = ({ result, decision, decidedBy }) =>
	decision === 'approved' && decidedBy === 'agent' && result !== 'rejected';
// What another execution has just added counts, too: of two at once, at least one sees both.
const counted = $input.all().map(({ json }) => json)
	.filter((row) => isOfToday(row) && (isUndecided(row) || isItsOwn(row)));
return $('Save Payout Run').all().map(({ json: row }) => {
	const sum = counted.filter(({ currency }) => currency === row.currency)
		.reduce((total, { amount }) => total + units(amount), 0n);
	const limit = units(row.amount) > units(valueOf('agent up to', row.currency) ?? 0) ? 'alone'
		: sum > units(valueOf('agent per day', row.currency) ?? 0) ? 'alone in a day' : '';
	const above = limit && `More than the agent may pay ${limit} in ${row.currency}.`;
	return { json: { ...row, why: row.reasons || above } };
});
