// Decides what each pair of a payment and an entry is, and each one that has no partner.
const DAYS = 3; // so long may it take from sending to the entry
const day = (date) => Math.floor(Date.parse(date) / 86_400_000);
const days = $('Entries').all().map(({ json }) => day(json.date)).filter(Number.isFinite).sort((a, b) => a - b);
function alone({ day: sent, result, isDead }) {
	if (isDead || day(sent) < days[0]) return []; // it isn't in the statement, rightly
	if (day(sent) + DAYS >= (days.at(-1) ?? Infinity)) return ['May still come', 'It was sent in the last days of the statement, or after it.'];
	return result === 'returned' ? ['Came back', 'Not in the statement.'] : ['Missing', 'Not in the statement.'];
}
function unexpected({ isNamed, booked, date }) {
	if (!/^\d+(\.\d+)?$/.test(booked) || !Number.isFinite(day(date))) return ['Unexpected', "Its amount or its date can't be read."];
	return ['Unexpected', isNamed ? 'A second entry for a payment.' : 'No payment has this reference.'];
}
function pair({ paid, currency, booked, entryCurrency, day: sent, date, result, isDead, isGenuine, isCredit, cameBack }) {
	if (!isGenuine) return ['Different', 'Somebody changed the row of this payment in the data table.'];
	if (isCredit || cameBack || result === 'returned') return ['Came back', `${isCredit || cameBack ? 'The statement' : 'An event'} says so.`];
	if (isDead) return ['Different', `The statement has it, and its result is ${result}.`];
	if (paid !== booked || currency !== entryCurrency) return ['Different', 'Another amount or currency.'];
	if (day(date) > day(sent) + DAYS) return ['Different', `${day(date) - day(sent)} days after it was sent.`];
	return ['Matched', result === 'paid' || result === 'accepted' ? '' : `Its result is ${result}.`];
}
return $input.all().map(({ json }) => json).filter(({ externalId, entry }) => externalId || entry).flatMap((one) => {
	const [list, finding] = !one.entry ? alone(one) : one.supplier ? pair(one) : unexpected(one);
	return list ? [{ json: { ...one, list, finding } }] : [];
});
