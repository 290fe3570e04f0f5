// Decides which payments are sent now, within the limits per day, and which ones a person must see.
const [BATCH, RETRY_AFTER_MINUTES, MAX_MINUTES] = [50, 5, 8];
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') => settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value;
const units = (amount) => { const [whole, part = ''] = String(amount).split('.'); return BigInt(whole + part.padEnd(5, '0')); };
const now = $now.toUTC().toISO();
const day = $now.setZone(valueOf('time zone') || 'UTC').toISODate();
const before = (amount) => $now.toUTC().minus(amount).toISO();
if (valueOf('stopped') !== 'no' || $('Take Lock').first().json.value < before({ minutes: MAX_MINUTES - 15 })) return [];
const sums = new Map();
const add = (one, sign) => [one.currency, `${one.currency} ${one.supplier}`].forEach((key) => sums.set(key, (sums.get(key) ?? 0n) + sign * units(one.amount)));
$('Payments of the Day').all().map(({ json }) => json).filter((one) => one.day === day).forEach((one) => add(one, 1n));
const fits = (one) => [['per day', one.currency], ['per day and payee', `${one.currency} ${one.supplier}`]].every(([name, key]) => valueOf(name, one.currency) === undefined || sums.get(key) <= units(valueOf(name, one.currency)));
const columnsOf = ({ check, held, obstacles, needs, verdict, attempt, advice, ...columns }) => columns;
const change = (row, values, what) => ({ json: { ...columnsOf(row), ...values, previous: row.seal, history: `${row.history}\n${now} ${values.result ?? row.result}: ${what}` } });
const lost = $('Seals').all().map(({ json }) => json).filter(({ seal, check, result }) => seal && seal === check && ['sent', 'in doubt'].includes(result));
const retries = lost.map((row) => (row.firstSentAt < before({ hours: Number(valueOf('retry hours') ?? 24) }) ? change(row, { result: 'needs attention', explanation: `The answer was lost, and the service may not know its Event ID anymore. Look up ${row.externalId} at the service. It isn't sent again.` }, 'too late to send it again')
	: row.result === 'in doubt' && row.sentAt > before({ minutes: RETRY_AFTER_MINUTES }) ? undefined : change(row, { result: 'sent', sentAt: now }, 'sent again with the same Event ID')));
const checked = $input.all().map(({ json }) => json).filter(({ fileRemark }) => !fileRemark).sort((a, b) => (a.decidedAt < b.decidedAt ? -1 : 1));
const sends = checked.map((row) => {
	const why = [...row.obstacles, ...(row.verdict === 'to approve' ? [] : [...row.held, ...(row.advice ?? []).map(([, text]) => text)]), ...(row.decidedBy.split(' ').length < row.needs ? [`Now it needs ${row.needs} approvals.`] : [])].join(' ');
	if (row.verdict === 'left out') return change(row, { decision: 'withdrawn', explanation: why }, why);
	if (why) return change(row, { result: 'to approve', decision: '', decidedBy: '', explanation: why }, `asked again. ${why}`);
	if (row.decidedAt < before({ days: Number(valueOf('approve within days') ?? 3) })) return change(row, { decision: 'expired', explanation: 'Not sent in time after its approval. Upload it again.' }, 'the approval expired');
	add(row, 1n);
	if (fits(row)) return change(row, { result: 'sent', day, firstSentAt: row.firstSentAt || now, sentAt: now, explanation: '' }, 'on its way to the service');
	add(row, -1n);
	const waits = 'Waits for tomorrow: the limit per day is reached.';
	return row.explanation === waits ? undefined : change(row, { explanation: waits }, waits);
});
return [...retries, ...sends].filter(Boolean).slice(0, BATCH);
