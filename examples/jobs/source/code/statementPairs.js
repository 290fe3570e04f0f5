// Decides what each pair of a payment and an entry of the statement is.
const DAYS = 3; // so long may it take from sending to the entry
//: day
const different = (finding) => ({ list: 'Different', finding });
function findingOn(pair) {
	const { paid, currency, booked, entryCurrency, result } = pair;
	if (!pair.isGenuine) return different('Somebody changed the row of this payment in the data table.');
	const isInStatement = pair.isCredit || pair.cameBack;
	if (isInStatement || result === 'returned')
		return { list: 'Came back', finding: `${isInStatement ? 'The statement' : 'An event'} says so.` };
	if (pair.isDead) return different(`The statement has it, and its result is ${result}.`);
	if (paid !== booked || currency !== entryCurrency) return different('Another amount or currency.');
	const took = day(pair.date) - day(pair.day);
	if (Number.isNaN(took)) return different("Its date can't be read.");
	// A day earlier can be the bank's time zone.
	if (took < -1) return different(`${-took} days before it was sent.`);
	if (took > DAYS) return different(`${took} days after it was sent.`);
	const isExpected = result === 'paid' || result === 'accepted';
	return { list: 'Matched', finding: isExpected ? '' : `Its result is ${result}.` };
}
const rows = $input.all().map(({ json }) => json).filter(({ externalId, entry }) => externalId || entry);
return rows.map((row) => ({ json: { ...row, ...(row.entry && row.supplier ? findingOn(row) : {}) } }));
