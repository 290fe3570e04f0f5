// Decides what becomes of each account: what isn't ticked is declined.
const form = $('Decide Payees').first().json;
const { me, waiting, old } = $('Payee List').first().json;
if (String(form.user?.email ?? '').toLowerCase() !== me) return [];
const now = $now.toUTC().toISO();
const ticked = (some, names) => some.filter((_, index) =>
	names.some((name) => name === 'All of them' || name.startsWith(`${index + 1}. `)));
const approved = ticked(waiting, form.Approve ?? []);
const checked = String(form['What you checked'] ?? '');
const change = ({ check, ...row }, state, more) => {
	const history = `${row.history}\n${now} ${state} by ${me}: ${checked}`;
	return { json: { ...row, state, ...more, previous: row.seal, history } };
};
// What changes of an account is a row of its own, which takes the place of the one before.
const isReplaced = (row) =>
	approved.some(({ supplier, account }) => supplier === row.supplier && account === row.account);
const ended = ticked(old, form.End ?? []);
const decided = { approvedBy: me, approvedAt: now };
return [
	...approved.map((row) => change(row, 'approved', decided)),
	...waiting.filter((row) => !approved.includes(row)).map((row) => change(row, 'declined', {})),
	...old.filter((row) => ended.includes(row) || isReplaced(row)).map((row) => change(row, 'ended', {})),
];
