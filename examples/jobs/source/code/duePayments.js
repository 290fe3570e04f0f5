// Decides what is due: each period of each standing order that nobody asked for yet.
const PERIODS = { week: "kkkk-'W'WW", month: 'yyyy-MM', quarter: "yyyy-'Q'q", year: 'yyyy' };
const MOST = 12; // open periods of one order: with more, a person must look at its dates
const { today } = $('Today').first().json;
const orders = $('Standing Orders').all().map(({ json }) => json).filter(({ order }) => order);
const isAsked = (invoice) => $('Payments So Far').all().some(({ json }) =>
	json.invoice === invoice && json.decision !== 'expired');
const stop = (order, why) => { throw new Error(`Standing order ${order}: ${why} Nothing was asked for.`); };
const names = orders.map(({ order }) => order);
const twice = names.find((name, index) => names.indexOf(name) !== index);
if (twice) stop(twice, 'it is in the table twice. Give each order a name of its own.');
const CHECK = "Check 'firstDue'.";
const HOW = "'every' must be week, month, quarter, or year, and 'firstDue' a date such as 2026-11-30.";
return orders.flatMap(({ order, every, firstDue, lastDue, ...more }) => {
	const [first, last] = [DateTime.fromISO(firstDue ?? ''), lastDue && lastDue < today ? lastDue : today];
	if (!first.isValid || !PERIODS[every]) stop(order, HOW);
	const due = [];
	// Counted from the first date, so that the 31st becomes the 28th in February only.
	for (let i = 0, date = first; date.toISODate() <= last; i++, date = first.plus({ [`${every}s`]: i })) {
		const invoice = `${order}-${date.toFormat(PERIODS[every])}`;
		if (!isAsked(invoice)) due.push({ json: { ...more, invoice, row: date.toISODate() } });
		if (due.length > MOST) stop(order, `more than ${MOST} periods since ${firstDue} are open. ${CHECK}`);
	}
	return due;
});
