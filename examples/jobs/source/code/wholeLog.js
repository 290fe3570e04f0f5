// Decides what is wrong with each entry of the log, and which entry has the last seal of a run.
const added = $('Add to Log').isExecuted ? $('Add to Log').all().map(({ json }) => json) : [];
const known = $('Log Seals').all().map(({ json }) => json).filter(({ seal }) => seal);
const log = [...known, ...added.map((one) => ({ ...one, check: one.seal }))].sort((a, b) => a.id - b.id);
const seals = new Set(log.map(({ seal }) => seal));
const remarkOn = ({ seal, check, previous }) =>
	seal !== check ? 'This entry was changed in the table.'
	: previous.split(' ').some((one) => one && !seals.has(one)) ? 'Entries before this one are missing.' : '';
const isOfRun = ({ seal, check, what }) => seal === check && what.startsWith('payout run: ');
// Two people can decide at the same moment, so the order of their entries says nothing.
const replaced = new Set(log.filter(isOfRun).map(({ from }) => from));
const entries = log.map((one) =>
	({ json: { ...one, remark: remarkOn(one), isLast: isOfRun(one) && !replaced.has(one.to) } }));
return entries.length > 0 ? entries : [{ json: {} }];
