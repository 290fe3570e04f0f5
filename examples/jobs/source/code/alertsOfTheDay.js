// Decides what is an alert once a day, as long as it lasts.
const { open, isStopped, zone, alerts } = $input.first().json;
const settings = $('Settings').all().map(({ json }) => json);
const due = Number(settings.find(({ setting }) => setting === 'events due within hours')?.value ?? 24);
const since = (text, hours) => Boolean(text) && Date.parse(text) < $now.minus({ hours }).toMillis();
const is = (...results) => open.filter(({ result }) => results.includes(result));
const nameOf = (one) => `${one.invoice} of ${one.supplier} (External ID ${one.externalId})`;
const today = $now.setZone(zone).toISODate();
const alertOn = (key, some, says) => (some.length === 0 ? []
	: [{ key: `${key} ${today}`, text: `${some.length} ${says} The first is ${nameOf(some[0])}.` }]);
const silent = is('accepted').filter(({ statusAt, acceptedAt }) => !statusAt && since(acceptedAt, due));
const waits = ({ explanation }) => explanation?.startsWith('Waits for tomorrow');
const idle = is('not sent').filter((one) => since(one.decidedAt, 1) && !waits(one));
const SILENCE = `accepted payments had no event for more than ${due} hours. Check that the service has`
	+ ' the URL of Payments Trigger in the job that follows payments, and that the job is published.';
const STOPPED = 'payments wait, or were on their way, and sending is stopped (the setting stopped).';
const IDLE = "approved payments weren't sent for more than an hour. Check that Payout run 3 is published.";
const stopped = isStopped ? alertOn('stopped', is('not sent', 'sent', 'in doubt'), STOPPED)
	: alertOn('idle', idle, IDLE);
const more = [...alertOn('silence', silent, SILENCE), ...stopped];
return [{ json: { ...$input.first().json, alerts: [...alerts, ...more] } }];
