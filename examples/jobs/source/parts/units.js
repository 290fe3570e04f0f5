/** Amounts are text, and are compared and added as whole numbers of a hundred-thousandth. */
const units = (amount) => {
	const [whole, part = ''] = String(amount).split('.');
	return BigInt(whole + part.padEnd(5, '0'));
};
