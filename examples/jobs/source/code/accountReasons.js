// Decides if the account of each payment is approved for its supplier, and since when.
const settings = $('Settings').all().map(({ json }) => json);
const newDays = Number(settings.find(({ setting }) => setting === 'new account days')?.value || 5);
//: payees
//: names
const nameOf = ({ account, name, ...one }) => `${withName(account, name)} (entered by ${one.enteredBy}:`
	+ ` ${one.evidence}; approved ${one.approvedAt.slice(0, 10)} by ${one.approvedBy})`;
const isYoung = ({ evidence, approvedAt }) =>
	evidence !== 'Paid before' && Date.now() - Date.parse(approvedAt) < newDays * 86_400_000;
return $input.all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, held: [], obstacles: [] } };
	const { supplier, account } = row;
	const given = withName(account, row.name);
	const own = payees.filter((one) => one.supplier === supplier);
	const approved = own.findLast((one) => one.account === account);
	const old = own.map(nameOf).join(' and ');
	const obstacle = own.length > 0 ? `Changed account: now ${given}, until now ${old}.`
		: `New supplier with the account ${given}.`;
	const obstacles = approved ? [] : [`${obstacle} Approve the account first.`];
	const isNew = Boolean(approved) && isYoung(approved);
	const held = isNew ? [`The account was approved less than ${newDays} days ago: ${nameOf(approved)}.`] : [];
	const { name: payeeName = '', equalEvery = '' } = approved ?? own.at(-1) ?? {};
	return { json: { ...row, payeeName, equalEvery, held, obstacles, isNew } };
});
