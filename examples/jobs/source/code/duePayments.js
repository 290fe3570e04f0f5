// Decides what is due: each period of each standing order that nobody asked for yet.
const PERIODS = { week: "kkkk-'W'WW", month: 'yyyy-MM', quarter: "yyyy-'Q'q", year: 'yyyy' };
const MOST = 12; // open periods of one order: with more, a person must look at its dates
const { today } = $('Today').first().json;
const orders = $('Standing Orders').all().map(({ json }) => json).filter(({ order }) => order);
//: expired
const isAsked = (invoice) => $('Payments So Far').all().some(({ json }) =>
	json.invoice === invoice && withExpiry(json).decision !== 'expired');
const stop = (order, why) => { throw new Error(`Standing order ${order}: ${why} Nothing was asked for.`); };
const twice = orders.find(({ order }, index) => orders.findIndex((one) => one.order === order) !== index);
if (twice) stop(twice.order, 'it is in the table twice. Give each order a name of its own.');
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid;
const HOW = "'every' must be week, month, quarter, or year, and the dates such as 2026-11-30.";
return orders.flatMap(({ order, every, firstDue, lastDue, ...more }) => {
	const [first, last] = [DateTime.fromISO(firstDue ?? ''), lastDue && lastDue < today ? lastDue : today];
	if (!isDate(firstDue) || !isDate(lastDue || today) || !PERIODS[every]) stop(order, HOW);
	const due = [];
	// Counted from the first date, so that the 31st becomes the 28th in February only.
	for (let i = 0, date = first; date.toISODate() <= last; i++, date = first.plus({ [`${every}s`]: i })) {
		const invoice = `${order}-${date.toFormat(PERIODS[every])}`;
		if (!isAsked(invoice)) due.push({ json: { ...more, invoice, due: date.toISODate() } });
		if (due.length > MOST) stop(order, `more than ${MOST} periods since ${firstDue} wait. Check 'firstDue'.`);
	}
	return due;
}).map(({ json }, index) => ({ json: { ...json, row: String(index + 1) } }));
