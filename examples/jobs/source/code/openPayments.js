// Decides what is open: all but what was decided and isn't sent.
const valueOf = (name) => $('Settings').all().find(({ json }) => json.setting === name)?.json.value;
const rows = $('Calculate Seals').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const open = rows.filter(({ result, decision }) => result !== 'not sent' || decision === 'approved')
	.map((row) => ({ ...row, isGenuine: row.seal === row.check }));
return [{ json: { open, isStopped: valueOf('stopped') !== 'no', zone: valueOf('time zone') || 'UTC' } }];
