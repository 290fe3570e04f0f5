// What is shown: open items, a run, or a day, with what doesn't have its seal on top.
const { Show, Which = '' } = $('Show Payments').first().json;
const zone = $('Settings').all().map(({ json }) => json).find(({ setting }) => setting === 'time zone')?.value || 'UTC';
const timeOf = (text) => (text ? DateTime.fromISO(text, { zone }).toFormat('yyyy-MM-dd HH:mm') : '');
const dayOf = (one) => timeOf(one.sentAt || one.decidedAt || one.createdAt).slice(0, 10);
const all = $('Seals').all().map(({ json }) => json).filter(({ externalId }) => externalId);
const runs = $('Run Seals').all().map(({ json }) => json).filter(({ run }) => run);
const isOpen = ({ result, decision }) => ['to approve', 'sent', 'in doubt', 'accepted', 'needs attention'].includes(result) || (result === 'not sent' && decision === 'approved');
const tests = { 'Open items': isOpen, 'A run': ({ run }) => run === Which.trim(), 'A day': (one) => dayOf(one) === Which.trim() };
const listed = all.filter(tests[Show]);
const chosen = runs.filter(({ run }) => (Show === 'A run' ? run === Which.trim() : listed.some((one) => one.run === run)));
const isGenuine = ({ seal, check }) => seal === check;
const digestOf = ({ run }) => all.filter((one) => one.run === run).map(({ externalId }) => externalId).sort().join('\n');
const warnings = [
	...listed.filter((one) => !isGenuine(one)).map((one) => `${one.externalId}, row ${one.row} of run ${one.run}, was changed in the table, not by a job.`),
	...chosen.filter((one) => !isGenuine(one)).map(({ run }) => `Run ${run} was changed in the table, not by a job.`),
	...chosen.filter((one) => digestOf(one) !== one.digest).map(({ run }) => `Payments of run ${run} are missing, or were added.`),
];
const lines = listed.map((one) => ({ Run: one.run, Row: Number(one.row) || one.row, Supplier: one.supplier, Account: one.account, Invoice: one.invoice, Amount: Number(one.amount), Currency: one.currency, Result: one.result, Decision: one.decision, Explanation: one.explanation, Held: one.reasons, 'Asked For By': one.requestedBy, 'Decided By': one.decidedBy, [`Decided At (${zone})`]: timeOf(one.decidedAt), [`Sent At (${zone})`]: timeOf(one.sentAt), 'External ID': one.externalId, Status: one.status, 'Seal Is Right': isGenuine(one) ? 'yes' : 'NO', History: one.history }));
return [{ json: { warnings, lines: lines.length > 0 ? lines : [{ Result: 'Nothing was found.' }], listed, chosen, title: `${Show}${Which && Show !== 'Open items' ? ` ${Which.trim()}` : ''}` } }];
