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
const tests = { 'Open items': isOpen, 'A run': isRun, 'A day': (one) => dayOf(one) === which };
const inZone = (text) => String(text).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, timeOf);
const withTimes = (one) => ({
	...{ ...one, history: inZone(one.history), why: [one.explanation, one.reasons].filter(Boolean).join(' ') },
	...{ decidedTime: timeOf(one.decidedAt), sentTime: timeOf(one.sentAt) },
});
const listed = allOf('Seals', 'externalId').filter(tests[Show]).map(withTimes);
const isChosen = ({ run }) => (Show === 'A run' ? isRun({ run }) : listed.some((one) => one.run === run));
const chosen = allOf('Run Seals', 'run').filter(isChosen).map(withTimes);
const isAt = ({ at }) => timeOf(at).slice(0, 10) === which;
const isAbout = { 'A run': isRun, 'A day': isAt };
const entries = allOf('Log', 'what').filter(isAbout[Show] ?? (() => false));
const log = entries.map((one) => ({ ...one, time: timeOf(one.at) }));
return [{ json: { listed, chosen, log, zone, title: which ? `${Show} ${which}` : Show } }];
