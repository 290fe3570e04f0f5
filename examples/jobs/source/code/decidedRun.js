// What is kept of the decision with the run: who, when, the comment, and the settings at that time.
const { run: { check, ...run }, me, others } = $('Review').first().json;
const { Decision, Comment } = $('Decide').first().json;
const saved = $input.all().map(({ json }) => json).filter(({ id }) => id);
const now = $now.toUTC().toISO();
const settings = $('Settings').all().map(({ json }) =>
	[json.setting, json.currency, json.value].map((text) => String(text ?? '')));
const count = (test) => saved.filter(test).length;
const changed = $('Decision').all().length - saved.length;
//: stopped
const says = [
	[count(({ decision }) => decision === 'approved'), `approved, and ${SENT}`],
	[count(({ decision }) => !decision), 'approved, and somebody else must approve, too'],
	...['declined', 'withdrawn'].map((is) => [count(({ decision }) => decision === is), is]),
	[Decision === 'Approve' ? others.length : 0, "left as before, and can't be approved now"],
	[changed, 'not changed, because somebody else decided or changed them meanwhile'],
].filter(([number]) => number > 0)
	.map(([number, what]) => `${number} ${number === 1 ? 'payment is' : 'payments are'} ${what}.`).join(' ');
return [{ json: {
	...run,
	...{ decidedBy: [run.decidedBy, me].filter(Boolean).join(' '), decidedAt: now, previous: run.seal },
	comment: [run.comment, Comment].filter(Boolean).join('\n'),
	settings: JSON.stringify(settings),
	history: `${run.history}\n${now} ${Decision} by ${me}: ${says}`,
} }];
