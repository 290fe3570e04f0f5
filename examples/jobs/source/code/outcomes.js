// Decides the result of each payment that was sent. Whatever isn't certain is in doubt.
const now = $now.toUTC().toISO();
const LOST = 'The answer to an earlier attempt was lost, so the service may have it.';
const sent = $('To Send').all().map(({ json }) => json);
return sent.map((row, index) => {
	const { outcome, message, fix } = $input.all()[index]?.json ?? {};
	const said = [message, fix].filter(Boolean).join(' ');
	const isFirst = row.firstSentAt === row.sentAt;
	const [result, explanation] = ['created', 'duplicate'].includes(outcome) ? ['accepted', '']
		: outcome === 'notSent' && isFirst ? ['not sent', said]
		: ['rejected', 'invalid'].includes(outcome) && isFirst ? ['rejected', said]
		: ['rejected', 'invalid'].includes(outcome)
			? ['needs attention', `${LOST} Look up ${row.externalId} at the service. ${said}`]
		: ['in doubt', said || 'There is no answer.'];
	const counts = !['not sent', 'rejected'].includes(result);
	const [day, firstSentAt] = [counts ? row.day : '', result === 'not sent' ? '' : row.firstSentAt];
	const acceptedAt = result === 'accepted' ? now : row.acceptedAt;
	const history = `${row.history}\n${now} ${result}: ${outcome ?? 'no answer'}`;
	const change = { result, explanation, day, firstSentAt, acceptedAt, previous: row.seal, history };
	return { json: { ...row, ...change } };
});
