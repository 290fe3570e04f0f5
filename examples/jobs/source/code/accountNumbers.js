// Decides what is odd about each account: another supplier's, our own, or a wrong IBAN.
const own = $('Settings').all().filter(({ json }) => json.setting === 'sender account');
const isOwn = (account) => own.some(({ json }) => json.value === account);
//: iban
//: payees
//: names
const WRONG = 'The check digits of this IBAN are wrong.';
return $input.all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: row };
	const { account, country } = row;
	// Nobody should approve such an account.
	if (isWrong(row) && row.obstacles.length > 0)
		return { json: { ...row, advice: [...(row.advice ?? []), ['Supplier Account', WRONG]] } };
	const others = payees.filter((one) => one.account === account && one.supplier !== row.supplier)
		.map((one) => withName(one.supplier, one.name)).join(', ');
	const from = account.slice(0, 2);
	const reasons = [
		others && `Account of another supplier, too: ${others}.`,
		isOwn(account) && 'Our own account.',
		isWrong(row) && WRONG,
		isLikeIban(account) && from !== country && `The IBAN is from ${from}, and the country is ${country}.`,
	];
	return { json: { ...row, held: [...row.held, ...reasons.filter(Boolean)] } };
});
