// Decides which runs aren't as the log says: changed, put back, deleted, or without their file.
const { chosen, title } = $('Evidence').first().json;
const allOf = (node, key) => $(node).all().map(({ json }) => json).filter((one) => one[key]);
const runs = allOf('Run Seals', 'run');
const last = allOf('Log', 'isLast');
const idsOf = ({ run }) => allOf('Seals', 'externalId').filter((one) => one.run === run)
	.map(({ externalId }) => externalId).sort().join('\n');
const { fileHash } = $('Hash of File').first().json;
const isAlone = ({ run }) => title === `A payout run ${run}`;
const isOtherFile = (one) => isAlone(one) && one.fileHash && one.fileHash !== fileHash;
const remarkOn = (one) =>
	one.seal !== one.check ? 'was changed in the table, not by a job.'
	: last.some(({ run, to }) => run === one.run && to === one.seal) ? ''
	: "isn't as the log says: its row was put back, or n8n stopped while it was saved.";
const warnings = chosen.flatMap((one) => [
	remarkOn(one),
	idsOf(one) === one.digest ? '' : 'has other payments now: some are missing, or were added.',
	isOtherFile(one) ? 'has no file with its SHA-256 anymore.' : '',
].filter(Boolean).map((what) => `Run ${one.run} ${what}`));
const deleted = last.filter(({ run }) => !runs.some((one) => one.run === run));
const isKept = chosen.some((one) => isAlone(one) && one.fileHash && one.fileHash === fileHash);
const all = [...warnings, ...deleted.map(({ run }) => `Run ${run} was deleted.`)];
return [{ json: { isKept, warnings: all } }];
