// Decides what is said about the payments that were found.
//: money
const { reference } = $('Question').first().json;
const zone = $('Settings').all().find(({ json }) => json.setting === 'time zone')?.json.value || 'UTC';
const CHANGED = 'The row of this payment was changed by nobody of these jobs, so what it says may be wrong.'
	+ ' Ask who can write to the data table payments.';
const UNKNOWN = `No payment has "${reference}" as its invoice, its supplier, or its External ID. Write it`
	+ " exactly as it stands in the file. If it's right, nobody asked for this payment.";
//: stopped
const stopOf = ({ result, decision }) => (result === 'not sent' && decision === 'approved' ? STOPPED : []);
const payments = $input.all().map(({ json }) => json).filter(({ externalId }) => externalId).map((row) => {
	const { externalId, invoice, supplier, amount, currency, result, status, paymentId } = row;
	const at = Number(row.statusAt) || Date.parse(row.acceptedAt || row.sentAt || row.decidedAt);
	const since = at ? DateTime.fromMillis(at).setZone(zone).toFormat(`yyyy-MM-dd HH:mm '(${zone})'`) : '';
	const isGenuine = row.seal === row.check;
	const explanation = [isGenuine ? (row.explanation ?? '') : CHANGED, ...stopOf(row)].join(' ');
	const about = { externalId, invoice, supplier, amount, currency, result, since, explanation };
	const what = `${invoice} of ${supplier}, ${moneyOf(row)}: ${result}${since && ` since ${since}`}`;
	return { ...about, status, paymentId, isGenuine, says: `${what}. ${explanation}`.trim() };
});
const lines = payments.length > 0 ? payments.map(({ says }) => says) : [UNKNOWN];
const many = payments.length > 1 ? `${payments.length} payments` : '';
const answer = `${many && `${many} have "${reference}". `}${lines.join(' ')}`;
const [found, title] = [payments.length > 0, many || (payments[0]?.result ?? 'Not found')];
return [{ json: { reference, found, title, answer, payments, lines } }];
