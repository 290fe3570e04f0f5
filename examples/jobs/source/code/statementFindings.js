// Decides what each payment and each entry is that has no partner.
const DAYS = 3; // so long may it take from sending to the entry
//: day
const days = $('Entries').all().map(({ json }) => day(json.date)).filter(Number.isFinite);
const [first, last = Infinity] = [Math.min(...days), days.length > 0 ? Math.max(...days) : undefined];
const LATE = 'It was sent in the last days of the statement, or after it.';
const NONE = 'Not in the statement.';
function missing({ day: sent, result, isDead }) {
	if (isDead || (days.length > 0 && day(sent) < first)) return {}; // it isn't there, rightly
	if (day(sent) + DAYS >= last) return { list: 'May still come', finding: LATE };
	return { list: result === 'returned' ? 'Came back' : 'Missing', finding: NONE };
}
function unexpected({ isNamed, booked, date }) {
	const why = isNamed ? 'A second entry for a payment.' : 'No payment has this reference.';
	const isRead = /^\d+(\.\d+)?$/.test(booked) && Number.isFinite(day(date));
	return { list: 'Unexpected', finding: isRead ? why : "Its amount or its date can't be read." };
}
return $input.all().map(({ json }) => json).filter((row) => row.externalId || row.entry).flatMap((row) => {
	if (row.list) return [{ json: row }];
	const found = row.entry ? unexpected(row) : missing(row);
	return found.list ? [{ json: { ...row, ...found } }] : [];
});
