// Decides what a person must know at once. Each alert has a key, to be sent once.
//: money
const { open } = $input.first().json;
const nameOf = (one) => `${one.invoice} of ${one.supplier}, ${moneyOf(one)} (External ID ${one.externalId})`;
const anHourAgo = $now.minus({ hours: 1 }).toMillis();
const isOld = ({ firstSentAt }) => Boolean(firstSentAt) && Date.parse(firstSentAt) < anHourAgo;
const alertsOn = (one) => {
	const [name, about] = [nameOf(one), `${one.externalId} ${one.firstSentAt}`];
	const [is, why] = [(result) => one.result === result, one.explanation ?? ''];
	return [
		one.isGenuine ? [] : [`changed ${one.seal}`, `Changed in the table by nobody of the jobs: ${name}.`],
		is('needs attention') ? [`attention ${about}`, `Needs attention: ${name}. ${why}`] : [],
		is('in doubt') && isOld(one) ? [`doubt ${about}`, `In doubt for more than an hour: ${name}.`] : [],
	];
};
const wrong = $('Log').all().map(({ json }) => json).filter(({ remark }) => remark)
	.map(({ seal, at, what, remark }) => [`log ${seal}`, `The log, ${what} at ${at}: ${remark}`]);
const failed = $('When an Execution Fails').isExecuted ? $('When an Execution Fails').all() : [];
const stops = failed.map(({ json: { execution, trigger, workflow } }) => {
	const why = execution?.error?.message ?? trigger?.error?.message;
	const key = `execution ${execution?.id ?? $now.toMillis()}`;
	return [key, `The workflow ${workflow.name} stopped: ${why} ${execution?.url ?? ''}`];
});
const pairs = [...open.flatMap(alertsOn), ...wrong, ...stops].filter(([key]) => key);
return [{ json: { ...$input.first().json, alerts: pairs.map(([key, text]) => ({ key, text })) } }];
