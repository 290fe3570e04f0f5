// Decides if the account of each payment can be paid, and what is odd about it.
const settings = $('Settings').all().map(({ json }) => json);
const newDays = Number(settings.find(({ setting }) => setting === 'new account days')?.value || 5);
const payees = $('Seals of Payees').all().map(({ json }) => json).filter(({ state, seal, check }) => state === 'approved' && seal === check);
const isLikeIban = (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text);
const remainder = (iban) => BigInt([...iban.slice(4), ...iban.slice(0, 4)].map((one) => parseInt(one, 36)).join('')) % 97n;
const nameOf = ({ account, approvedAt, approvedBy, evidence }) => `${account} (approved ${approvedAt.slice(0, 10)} by ${approvedBy}: ${evidence})`;
return $('Rows to Check').all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, held: [], obstacles: [] } };
	const [held, obstacles, { account }] = [[], [], row];
	const own = payees.filter(({ supplier }) => supplier === row.supplier);
	const approved = own.find((one) => one.account === account);
	const others = payees.filter((one) => one.account === account && one.supplier !== row.supplier).map(({ supplier }) => supplier);
	if (!approved) obstacles.push(own.length > 0 ? `Changed account: now ${account}, until now ${own.map(nameOf).join(' and ')}. Approve the account first.` : `New supplier with the account ${account}. Approve the account first.`);
	const isNew = approved && approved.evidence !== 'Paid before' && Date.now() - Date.parse(approved.approvedAt) < newDays * 86_400_000;
	if (isNew) held.push(`The account was approved less than ${newDays} days ago: ${nameOf(approved)}.`);
	if (others.length > 0) held.push(`Account of another supplier, too: ${others.join(', ')}.`);
	if (settings.some(({ setting, value }) => setting === 'sender account' && value === account)) held.push('Our own account.');
	if (isLikeIban(account) && remainder(account) !== 1n) held.push('The check digits of this IBAN are wrong.');
	if (isLikeIban(account) && account.slice(0, 2) !== row.country) held.push(`The IBAN is from ${account.slice(0, 2)}, and the country is ${row.country}.`);
	return { json: { ...row, held, obstacles, isNew: Boolean(isNew) } };
});
