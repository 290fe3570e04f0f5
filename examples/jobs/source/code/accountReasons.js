// Decides what is odd about each payment's account, if it can be paid, and how many must approve.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') => settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value ?? '';
const payees = $('Seals of Payees').all().map(({ json }) => json).filter(({ state, seal, check }) => state === 'approved' && seal === check);
const units = (amount) => { const [whole, part = ''] = String(amount).split('.'); return BigInt(whole + part.padEnd(5, '0')); };
const isLikeIban = (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text);
const remainder = (iban) => BigInt([...iban.slice(4), ...iban.slice(0, 4)].map((one) => parseInt(one, 36)).join('')) % 97n;
const nameOf = ({ account, approvedAt, approvedBy, evidence }) => `${account} (approved ${approvedAt.slice(0, 10)} by ${approvedBy}: ${evidence})`;
return $('Rows to Check').all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: { ...row, held: [], obstacles: [] } };
	const [held, obstacles, { account, currency }] = [[], [], row];
	const own = payees.filter(({ supplier }) => supplier === row.supplier);
	const approved = own.find((one) => one.account === account);
	const others = payees.filter((one) => one.account === account && one.supplier !== row.supplier).map(({ supplier }) => supplier);
	if (!approved) obstacles.push(own.length > 0 ? `Changed account: now ${account}, until now ${own.map(nameOf).join(' and ')}. Approve the account first.` : `New supplier with the account ${account}. Approve the account first.`);
	const isNew = approved && Date.now() - Date.parse(approved.approvedAt) < Number(valueOf('new account days') || 5) * 86_400_000;
	if (isNew && approved.evidence !== 'Paid before') held.push(`The account was approved less than ${valueOf('new account days') || 5} days ago: ${nameOf(approved)}.`);
	if (others.length > 0) held.push(`Account of another supplier, too: ${others.join(', ')}.`);
	if (settings.some(({ setting, value }) => setting === 'sender account' && value === account)) held.push('Our own account.');
	if (isLikeIban(account) && remainder(account) !== 1n) held.push('The check digits of this IBAN are wrong.');
	if (isLikeIban(account) && account.slice(0, 2) !== row.country) held.push(`The IBAN is from ${account.slice(0, 2)}, and the country is ${row.country}.`);
	const tiers = settings.filter((one) => /^\d+ approvers? up to$/.test(one.setting) && one.currency === currency).map(({ setting, value }) => ({ approvers: parseInt(setting, 10), limit: units(value) }));
	const [{ approvers } = {}] = tiers.filter(({ limit }) => units(row.amount) <= limit).sort((a, b) => a.approvers - b.approvers);
	if (!approvers) obstacles.push(`Above the limit for one payment in ${currency}.`);
	const sender = { senderEntity: valueOf('sender entity'), senderAccount: valueOf('sender account', currency), senderCountry: valueOf('sender country') };
	if (!sender.senderAccount) obstacles.push(`The settings have no account to pay ${currency} from.`);
	return { json: { ...row, ...sender, held, obstacles, needs: Math.max(approvers ?? 1, held.length > 0 && isNew ? 2 : 1) } };
});
