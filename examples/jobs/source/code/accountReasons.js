// Decides if the account of each payment is approved for its supplier, and since when.
const settings = $('Settings').all().map(({ json }) => json);
const newDays = Number(settings.find(({ setting }) => setting === 'new account days')?.value || 5);
const payees = $('Seals of Payees').all().map(({ json }) => json)
	.filter(({ state, seal, check }) => state === 'approved' && seal === check);
const nameOf = ({ account, approvedAt, approvedBy, evidence }) =>
	`${account} (approved ${approvedAt.slice(0, 10)} by ${approvedBy}: ${evidence})`;
const isYoung = ({ evidence, approvedAt }) =>
	evidence !== 'Paid before' && Date.now() - Date.parse(approvedAt) < newDays * 86_400_000;
return $('Read Amounts').all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, held: [], obstacles: [] } };
	const { supplier, account } = row;
	const own = payees.filter((one) => one.supplier === supplier);
	const approved = own.find((one) => one.account === account);
	const old = own.map(nameOf).join(' and ');
	const obstacle = own.length > 0 ? `Changed account: now ${account}, until now ${old}.`
		: `New supplier with the account ${account}.`;
	const obstacles = approved ? [] : [`${obstacle} Approve the account first.`];
	const isNew = Boolean(approved) && isYoung(approved);
	const held = isNew ? [`The account was approved less than ${newDays} days ago: ${nameOf(approved)}.`] : [];
	const others = payees.filter((one) => one.account === account && one.supplier !== supplier);
	const names = others.map((one) => one.supplier).join(', ');
	if (names) held.push(`Account of another supplier, too: ${names}.`);
	return { json: { ...row, held, obstacles, isNew } };
});
