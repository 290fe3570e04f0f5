// Decides what a finding of an approver changes. It needs a reason.
const { Payment, Finding, user, ...form } = $('Show List').first().json;
const reason = String(form['How do you know'] ?? '').trim();
const who = String(user?.email ?? '').toLowerCase();
const approvers = $('Settings').all().map(({ json }) => json).filter(({ setting }) => setting === 'approver').map(({ value }) => value.toLowerCase());
const row = $('Open Payments').first().json.open.find((one) => one.result === 'needs attention' && one.isGenuine && `${one.externalId} (${one.currency} ${one.amount})` === Payment);
const RESULTS = { 'The service has it': 'accepted', "The service doesn't have it": 'failed' };
const now = $now.toUTC().toISO();
if (!row || !RESULTS[Finding] || reason === '' || !approvers.includes(who)) return [];
const { isGenuine, check, ...values } = row;
const result = RESULTS[Finding];
const explanation = result === 'failed' ? `${Finding} (${who}: ${reason}). It can be paid again: upload its row again, and have it approved.` : `${Finding} (${who}: ${reason}).`;
return [{ json: { ...values, result, explanation, day: result === 'failed' ? '' : row.day, acceptedAt: result === 'accepted' ? now : row.acceptedAt, previous: row.seal, history: `${row.history}\n${now} ${result}: ${Finding.toLowerCase()}, found out by ${who}: ${reason}` } }];
