// Decides what is open, and what a person must know. Each alert has a key, to be sent once.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name) => settings.find(({ setting }) => setting === name)?.value;
const since = (text, amount) => Boolean(text) && Date.parse(text) < $now.minus(amount).toMillis();
const [zone, due] = [valueOf('time zone') || 'UTC', Number(valueOf('events due within hours') ?? 24)];
const [today, isStopped] = [$now.setZone(zone).toISODate(), valueOf('stopped') !== 'no'];
const rows = $('Calculate Seals').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const open = rows.filter(({ result, decision }) => result !== 'not sent' || decision === 'approved').map((row) => ({ ...row, isGenuine: row.seal === row.check }));
const nameOf = (one) => `${one.invoice} of ${one.supplier}, ${one.currency} ${one.amount} (External ID ${one.externalId})`;
const is = (...results) => open.filter(({ result }) => results.includes(result));
const alerts = [
	...open.filter((one) => !one.isGenuine).map((one) => ({ key: `changed ${one.seal}`, text: `Changed in the table by nobody of the jobs: ${nameOf(one)}.` })),
	...is('needs attention').map((one) => ({ key: `attention ${one.externalId} ${one.firstSentAt}`, text: `Needs attention: ${nameOf(one)}. ${one.explanation ?? ''}` })),
	...is('in doubt').filter((one) => since(one.firstSentAt, { hours: 1 })).map((one) => ({ key: `doubt ${one.externalId} ${one.firstSentAt}`, text: `In doubt for more than an hour: ${nameOf(one)}.` })),
];
const daily = (key, some, text) => { if (some.length > 0) alerts.push({ key: `${key} ${today}`, text: `${some.length} ${text} The first is ${nameOf(some[0])}.` }); };
const waits = is('not sent').filter((one) => since(one.decidedAt, { hours: 1 }) && !one.explanation?.startsWith('Waits for tomorrow'));
daily('silence', is('accepted').filter((one) => !one.statusAt && since(one.acceptedAt, { hours: due })), `accepted payments had no event for more than ${due} hours. Check that the service has the URL of Payments Trigger in the job that follows payments, and that the job is published.`);
daily('stopped', isStopped ? is('not sent', 'sent', 'in doubt') : [], 'payments wait, or were on their way, and sending is stopped (the setting stopped).');
daily('idle', isStopped ? [] : waits, "approved payments weren't sent for more than an hour. Check that the job that pays is published.");
const runs = is('to approve').map(({ run }) => run);
for (const run of new Set(runs)) daily(`approve ${run}`, is('to approve').filter((one) => one.run === run), `payments of payout run ${run} wait for an approval.`);
if ($('When an Execution Fails').isExecuted) { const { execution, trigger, workflow } = $('When an Execution Fails').first().json; alerts.push({ key: `execution ${execution?.id ?? $now.toMillis()}`, text: `The workflow ${workflow.name} stopped: ${execution?.error?.message ?? trigger?.error?.message} ${execution?.url ?? ''}` }); }
return [{ json: { open, alerts, isStopped, zone } }];
