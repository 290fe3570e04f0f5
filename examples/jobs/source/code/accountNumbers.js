// Decides what is odd about the number of each account: our own, or an IBAN that can't be right.
const own = $('Settings').all().filter(({ json }) => json.setting === 'sender account');
const isOwn = (account) => own.some(({ json }) => json.value === account);
const isLikeIban = (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text);
/** Of the IBAN as a number, with letters as 10 to 35 (ISO 13616): 1 if it's right. */
const remainder = (iban) => {
	const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((one) => parseInt(one, 36));
	return BigInt(digits.join('')) % 97n;
};
const WRONG = 'The check digits of this IBAN are wrong.';
const CORRECT = 'Correct the IBAN in the file, and upload it again.';
return $input.all().map(({ json: row }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: row };
	const { account, country } = row;
	const from = account.slice(0, 2);
	const isWrong = isLikeIban(account) && remainder(account) !== 1n;
	const reasons = [
		isOwn(account) && 'Our own account.',
		isWrong && WRONG,
		isLikeIban(account) && from !== country && `The IBAN is from ${from}, and the country is ${country}.`,
	];
	// Nobody should approve such an account.
	const obstacles = isWrong && row.obstacles.length > 0 ? [CORRECT] : row.obstacles;
	return { json: { ...row, obstacles, held: [...row.held, ...reasons.filter(Boolean)] } };
});
