// Decides which approved payments are sent now, within the limits per day.
const BATCH = 50;
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') => settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value;
const units = (amount) => { const [whole, part = ''] = String(amount).split('.'); return BigInt(whole + part.padEnd(5, '0')); };
const now = $now.toUTC().toISO();
const day = $now.setZone(valueOf('time zone') || 'UTC').toISODate();
// The lock holds for 15 minutes. Nothing is begun in the last seven of them.
if (valueOf('stopped') !== 'no' || $('Take Lock').first().json.value < $now.toUTC().plus({ minutes: 7 }).toISO()) return [];
const sums = new Map();
const add = (one, sign) => [one.currency, `${one.currency} ${one.supplier}`].forEach((key) => sums.set(key, (sums.get(key) ?? 0n) + sign * units(one.amount)));
$('Payments of the Day').all().map(({ json }) => json).filter((one) => one.day === day).forEach((one) => add(one, 1n));
const fits = (one) => [['per day', one.currency], ['per day and payee', `${one.currency} ${one.supplier}`]].every(([name, key]) => valueOf(name, one.currency) === undefined || sums.get(key) <= units(valueOf(name, one.currency)));
const change = (row, values, what) => ({ json: { ...row, ...values, previous: row.seal, history: `${row.history}\n${now} ${values.result ?? row.result}: ${what}` } });
const rows = $('Still Approved').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const isApproved = ({ result, decision }) => result === 'not sent' && decision === 'approved';
const sends = rows.filter(isApproved).sort((a, b) => (a.decidedAt < b.decidedAt ? -1 : 1)).map((row) => {
	add(row, 1n);
	if (fits(row)) return change(row, { result: 'sent', day, firstSentAt: row.firstSentAt || now, sentAt: now, explanation: '' }, 'on its way to the service');
	add(row, -1n);
	const waits = 'Waits for tomorrow: the limit per day is reached.';
	return row.explanation === waits ? undefined : change(row, { explanation: waits }, waits);
});
const others = [...$input.all().map(({ json }) => json), ...rows].filter((row) => row.externalId && !isApproved(row)).map((json) => ({ json }));
return [...others, ...sends.filter(Boolean)].slice(0, BATCH);
