// What an approval pays and what is held, as totals for each currency.
const asked = $('Check Payments').all().map(({ json }) => json)
	.filter(({ verdict }) => verdict === 'to approve');
const isHeld = ({ held, obstacles }) => held.length + obstacles.length > 0;
const grouped = (amount) => amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
/** Amounts are text, and are added as whole numbers of the currency's smallest unit. */
const totalOf = (currency, own) => {
	const decimals = own[0].amount.split('.')[1]?.length ?? 0;
	const sum = own.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
	const digits = String(sum).padStart(decimals + 1, '0');
	const total = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
	return `${currency} ${grouped(total)} (${own.length})`;
};
const sumOf = (some) => {
	const currencies = [...new Set(some.map(({ currency }) => currency))].sort();
	const own = (name) => some.filter(({ currency }) => currency === name);
	return currencies.map((name) => totalOf(name, own(name))).join(', ') || 'nothing';
};
return [{ json: { paid: sumOf(asked.filter((one) => !isHeld(one))), held: sumOf(asked.filter(isHeld)) } }];
