// What is shown: open items, a run, or a day, with the runs and the entries of the log about it.
const { Show, Which = '' } = $('Show Payments').first().json;
const which = Which.trim();
const zone = $('Settings').all().find(({ json }) => json.setting === 'time zone')?.json.value || 'UTC';
const timeOf = (text) => (text ? DateTime.fromISO(text, { zone }).toFormat('yyyy-MM-dd HH:mm') : '');
const allOf = (node, key) => $(node).all().map(({ json }) => json).filter((one) => one[key]);
const OPEN = ['to approve', 'sent', 'in doubt', 'accepted', 'needs attention'];
const isOpen = ({ result, decision }) =>
	OPEN.includes(result) || (result === 'not sent' && decision === 'approved');
const dayOf = (one) => timeOf(one.sentAt || one.decidedAt || one.createdAt).slice(0, 10);
const isRun = ({ run }) => run === which;
const tests = { 'Open items': isOpen, 'A payout run': isRun, 'A day': (one) => dayOf(one) === which };
const inZone = (text) => String(text).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, timeOf);
const withTimes = (one) => ({ ...one, history: inZone(one.history), decidedTime: timeOf(one.decidedAt),
	sentTime: timeOf(one.sentAt), why: [one.explanation, one.reasons].filter(Boolean).join(' ') });
const listed = allOf('Seals', 'externalId').filter(tests[Show]).map(withTimes);
const isChosen = (one) => (Show === 'A payout run' ? isRun(one) : listed.some(({ run }) => run === one.run));
const chosen = allOf('Run Seals', 'run').filter(isChosen).map(withTimes);
const isAt = ({ at }) => timeOf(at).slice(0, 10) === which;
// An entry about a file has its hash, and one about what was sent has External IDs, each in a line.
const keys = [...listed.map(({ externalId }) => externalId), ...chosen.map(({ fileHash }) => fileHash)];
const isOfRun = ({ run, to }) => run === which || to.split(/[\n ]/).some((key) => key && keys.includes(key));
const isAbout = { 'Open items': () => false, 'A payout run': isOfRun, 'A day': isAt };
const log = allOf('Log', 'what').filter(isAbout[Show]).map((one) => ({ ...one, time: timeOf(one.at) }));
return [{ json: { listed, chosen, log, zone, title: which ? `${Show} ${which}` : Show } }];
