// What the page and the email show: each list with its count and its totals.
//: money
const LISTS = ['Changed', 'Open', 'Not paid', 'Missing', 'Different', 'Came back', 'Unexpected',
	'May still come', 'Matched'];
const SHOWN = 50; // rows of each list on the page; the file has all
const zone = $('Settings').all().find(({ json }) => json.setting === 'time zone')?.json.value || 'UTC';
const findings = $('Findings').all().map(({ json }) => json).filter(({ list }) => list);
const totals = $('Totals').first().json;
const header = ['Invoice', 'Supplier', 'Sent', 'Sent on', 'Booked', 'Booked on', 'Finding'];
const money = (amount, currency) => (amount ? moneyOf({ amount, currency }) : '');
const cellsOf = (one) => [
	...[one.invoice ?? one.text, one.supplier, money(one.amount, one.currency), one.day],
	...[money(one.entryAmount, one.entryCurrency), one.date, one.finding],
];
const lists = LISTS.map((name) => [name, findings.filter(({ list }) => list === name)])
	.filter(([, own]) => own.length > 0);
const tables = lists.map(([name, own]) => {
	const more = own.length > SHOWN ? `. ${own.length - SHOWN} more are in the file.` : '';
	const [heading, rows] = [`${name}: ${own.length}`, own.slice(0, SHOWN).map(cellsOf)];
	return { heading, says: `${totals[name]}${more}`, header, rows };
});
const title = lists.map(([name, own]) => `${own.length} ${name.toLowerCase()}`).join(', ');
const json = { title: title || 'Nothing to report', date: $now.setZone(zone).toISODate(), top: [], tables };
return [{ json: { ...json, text: `Days are those of ${zone}.` }, binary: $input.first().binary }];
