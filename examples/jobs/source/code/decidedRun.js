// What is kept of the decision with the run: who, when, the comment, and the settings at that time.
const { run, me } = $('Review').first().json;
const { Decision, Comment } = $('Decide').first().json;
const saved = $input.all().map(({ json }) => json).filter(({ id }) => id);
const asked = $('Decision').all().length;
const count = (test) => saved.filter(test).length;
const now = $now.toUTC().toISO();
const settings = $('Settings').all().map(({ json }) => [json.setting, json.currency, json.value].map((text) => String(text ?? '')));
const says = [
	[count(({ decision }) => decision === 'approved'), 'approved, and sent within a minute'],
	[count(({ result, decidedBy }) => result === 'to approve' && decidedBy), 'approved, and somebody else must approve them, too'],
	[count(({ decision }) => ['declined', 'withdrawn'].includes(decision)), 'not paid'],
	[asked - saved.length, 'not changed, because somebody else decided or changed them meanwhile'],
].filter(([number]) => number > 0).map(([number, what]) => `${number} ${number === 1 ? 'payment is' : 'payments are'} ${what}.`).join(' ');
const { check, ...columns } = run;
return [{ json: { ...columns, decidedBy: [run.decidedBy, me].filter(Boolean).join(' '), decidedAt: now, comment: [run.comment, Comment].filter(Boolean).join('\n'), settings: JSON.stringify(settings), previous: run.seal, history: `${run.history}\n${now} ${Decision} by ${me}: ${says}` } }];
