// Decides what each payment is this morning: over since yesterday, or open for too long.
const DAYS = 3; // so long may it take from sending to the event that says COMPLETED
const LISTS = { paid: 'Matched', rejected: 'Not paid', failed: 'Not paid', returned: 'Came back' };
const since = $now.minus({ days: 1 }).toMillis();
return $input.all().map(({ json }) => json).filter(({ externalId }) => externalId).flatMap((one) => {
	const { result, isGenuine, statusAt, acceptedAt, sentAt, decidedAt, firstSentAt } = one;
	const explanation = one.explanation ?? '';
	const of = (list, finding) => [{ json: { ...one, list, finding } }];
	const changedAt = Number(statusAt) || Date.parse(acceptedAt || sentAt || decidedAt);
	if (!isGenuine) return of('Changed', 'Somebody changed the row of this payment in the data table.');
	if (['in doubt', 'needs attention'].includes(result)) return of('Open', explanation);
	const isLate = Date.parse(firstSentAt) < $now.minus({ days: DAYS }).toMillis();
	if (['sent', 'accepted'].includes(result))
		return isLate ? of('Missing', `No event said that it was paid, for more than ${DAYS} days.`) : [];
	const finding = result === 'paid' ? '' : `It was ${result}. ${explanation}`.trim();
	return LISTS[result] && changedAt >= since ? of(LISTS[result], finding) : [];
});
