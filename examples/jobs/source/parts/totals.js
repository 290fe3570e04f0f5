/** The total of each currency, exactly: amounts are text, and are added as whole numbers. */
const totalsOf = (some) => [...new Set(some.map(({ currency }) => currency))].sort().map((currency) => {
	const amounts = some.filter((one) => one.currency === currency).map(({ amount }) => amount);
	const decimals = amounts[0].split('.')[1]?.length ?? 0;
	const sum = amounts.reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n);
	const digits = String(sum).padStart(decimals + 1, '0');
	const amount = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
	return `${moneyOf({ currency, amount })} (${amounts.length})`;
});
