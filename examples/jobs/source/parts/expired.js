/** A payout run that nobody decided in time can only be declined, so its payments have expired. */
const decideDays = $('Settings').all().find(({ json }) => json.setting === 'approve within days')?.json.value;
const lastDecision = $now.minus({ days: Number(decideDays ?? 3) }).toMillis();
const withExpiry = (one) => (one.result === 'to approve' && Date.parse(one.createdAt) < lastDecision
	? { ...one, result: 'not sent', decision: 'expired' } : one);
