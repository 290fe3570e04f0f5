// Decides which approved payments fit into what is left of the limits per day.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') =>
	settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value;
//: units
const day = $now.setZone(valueOf('time zone') || 'UTC').toISODate();
const sums = new Map();
const keysOf = ({ currency, supplier }) => [currency, `${currency} ${supplier}`];
const sumWith = (one, key) => (sums.get(key) ?? 0n) + units(one.amount);
const add = (one) => keysOf(one).forEach((key) => sums.set(key, sumWith(one, key)));
$('Payments of the Day').all().map(({ json }) => json).filter((one) => one.day === day).forEach(add);
const limitsOf = ({ currency }) =>
	['per day', 'per day and payee'].map((name) => valueOf(name, currency)); // as the keys
const fits = (one) => limitsOf(one).every((limit, index) =>
	limit === undefined || sumWith(one, keysOf(one)[index]) <= units(limit));
const rows = $('Still Approved').all().map(({ json }) => json)
	.filter(({ result, decision }) => result === 'not sent' && decision === 'approved');
return rows.sort((a, b) => (a.decidedAt < b.decidedAt ? -1 : 1)).map((row) => {
	const isWithin = fits(row);
	if (isWithin) add(row);
	return { json: { ...row, isWithin, today: day } };
});
