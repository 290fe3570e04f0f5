// Decides what each pair of a payment and an entry of the statement is.
const DAYS = 3; // so long may it take from sending to the entry
const day = (date) => Math.floor(Date.parse(date) / 86_400_000);
function findingOn(pair) {
	const { paid, currency, booked, entryCurrency, result } = pair;
	if (!pair.isGenuine) return ['Different', 'Somebody changed the row of this payment in the data table.'];
	const isInStatement = pair.isCredit || pair.cameBack;
	if (isInStatement || result === 'returned')
		return ['Came back', `${isInStatement ? 'The statement' : 'An event'} says so.`];
	if (pair.isDead) return ['Different', `The statement has it, and its result is ${result}.`];
	if (paid !== booked || currency !== entryCurrency) return ['Different', 'Another amount or currency.'];
	const took = day(pair.date) - day(pair.day);
	if (took > DAYS) return ['Different', `${took} days after it was sent.`];
	return ['Matched', result === 'paid' || result === 'accepted' ? '' : `Its result is ${result}.`];
}
const rows = $input.all().map(({ json }) => json).filter(({ externalId, entry }) => externalId || entry);
return rows.map((row) => {
	const [list, finding] = row.entry && row.supplier ? findingOn(row) : [];
	return { json: list ? { ...row, list, finding } : row };
});
