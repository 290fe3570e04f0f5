// Decides what a finding of an approver changes. It needs a reason.
//: money
const { Payment, Finding, user, ...form } = $('Show List').first().json;
const reason = String(form['How do you know'] ?? '').trim();
const who = String(user?.email ?? '').toLowerCase();
const isApprover = $('Settings').all().some(({ json }) =>
	json.setting === 'approver' && json.value.trim().toLowerCase() === who);
const row = $('Open Payments').first().json.open.find((one) => one.result === 'needs attention'
	&& one.isGenuine && `${one.externalId} (${moneyOf(one)})` === Payment);
const RESULTS = { 'The service has it': 'accepted', "The service doesn't have it": 'failed' };
const now = $now.toUTC().toISO();
if (!row || !RESULTS[Finding] || reason === '' || !isApprover) return [];
const { isGenuine, check, ...values } = row;
const result = RESULTS[Finding];
const says = `${Finding} (${who}: ${reason}).`;
const AGAIN = 'It can be paid again: upload its row again, and have it approved.';
const change = result === 'failed' ? { result, explanation: `${says} ${AGAIN}`, day: '' }
	: { result, explanation: says, acceptedAt: now };
const line = `${now} ${result}: ${Finding.toLowerCase()}, found out by ${who}: ${reason}`;
return [{ json: { ...values, ...change, previous: row.seal, history: `${row.history}\n${line}` } }];
