// What the page shows: what needs a person first, and a choice for what a person found out.
//: money
const ORDER = ['needs attention', 'in doubt', 'sent', 'not sent', 'accepted', 'to approve'];
const SHOWN = 100;
const { open, alerts, isStopped, zone } = $input.first().json;
const timeOf = (text) => (text ? DateTime.fromISO(text, { zone }).toFormat('yyyy-MM-dd HH:mm') : '');
const CHANGED = 'Changed in the table by nobody of the jobs. It is never sent.';
const header = ['Invoice', 'Supplier', 'Amount', 'External ID', `Since (${zone})`, 'What it waits for'];
const cellsOf = (one) => [
	...[one.invoice, one.supplier, moneyOf(one), one.externalId],
	timeOf(one.acceptedAt || one.sentAt || one.decidedAt || one.createdAt),
	one.isGenuine ? one.explanation : CHANGED,
];
const tables = ORDER.map((result) => {
	const own = open.filter((one) => one.result === result);
	const says = own.length > SHOWN ? `${own.length - SHOWN} more are in Payment evidence.` : '';
	return { heading: `${result}: ${own.length}`, header, rows: own.slice(0, SHOWN).map(cellsOf), says };
});
const STOPPED = 'Sending is stopped: nothing more is sent. What is sent or in doubt was on its way.';
const top = [...(isStopped ? [STOPPED] : []), ...alerts.map(({ text }) => text)];
return [{ json: { top, text: open.length > 0 ? '' : 'Nothing is open.', tables } }];
