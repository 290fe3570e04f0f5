// Decides the result of each payment that was sent. Whatever isn't certain is in doubt.
const now = $now.toUTC().toISO();
const sent = $('To Send').all().map(({ json }) => json);
return sent.map((row, index) => {
	const { outcome, message, fix } = $input.all()[index]?.json ?? {};
	const said = [message, fix].filter(Boolean).join(' ');
	const isFirst = row.firstSentAt === row.sentAt;
	const [result, explanation] = ['created', 'duplicate'].includes(outcome) ? ['accepted', '']
		: outcome === 'notSent' && isFirst ? ['not sent', said]
		: ['rejected', 'invalid'].includes(outcome) && isFirst ? ['rejected', said]
		: ['rejected', 'invalid'].includes(outcome) ? ['needs attention', `The answer to an earlier attempt was lost. Look up ${row.externalId} at the service before anything else. ${said}`]
		: ['in doubt', said || 'There is no answer.'];
	const counts = !['not sent', 'rejected'].includes(result);
	return { json: { ...row, result, explanation, day: counts ? row.day : '', firstSentAt: result === 'not sent' ? '' : row.firstSentAt, acceptedAt: result === 'accepted' ? now : row.acceptedAt, previous: row.seal, history: `${row.history}\n${now} ${result}: ${outcome ?? 'no answer'}` } };
});
