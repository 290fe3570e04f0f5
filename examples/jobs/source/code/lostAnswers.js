// Decides which payments are sent again because their answer was lost, and for which it's too late.
const RETRY_AFTER_MINUTES = 5;
const settings = $('Settings').all().map(({ json }) => json);
const hours = Number(settings.find(({ setting }) => setting === 'retry hours')?.value ?? 23);
const now = $now.toUTC().toISO();
const before = (amount) => $now.toUTC().minus(amount).toISO();
const change = ({ check, ...row }, values, what) => {
	const history = `${row.history}\n${now} ${values.result}: ${what}`;
	return [{ json: { ...row, ...values, previous: row.seal, history } }];
};
const lost = $('Seals').all().map(({ json }) => json).filter(({ seal, check, result }) =>
	seal && seal === check && ['sent', 'in doubt'].includes(result));
return lost.flatMap((row) => {
	const late = `The answer was lost, and after ${hours} hours the service may forget its Event ID.`
		+ ` It isn't sent again. Look up ${row.externalId} at the service.`;
	if (row.firstSentAt < before({ hours }))
		return change(row, { result: 'needs attention', explanation: late }, 'too late to send it again');
	// Nobody else sends while the lock is held: a stopped execution left what is only sent.
	if (row.result === 'in doubt' && row.sentAt > before({ minutes: RETRY_AFTER_MINUTES })) return [];
	return change(row, { result: 'sent', sentAt: now }, 'sent again with the same Event ID');
});
