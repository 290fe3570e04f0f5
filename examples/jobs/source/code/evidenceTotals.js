// Totals of what is shown: for each result and currency, and for each payee and currency.
const { listed } = $('Evidence').first().json;
const grouped = (amount) => amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
/** Amounts are text, and are added as whole numbers of the currency's smallest unit. */
const totalOf = (own) => {
	const decimals = own[0].amount.split('.')[1]?.length ?? 0;
	const sum = own.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
	const digits = String(sum).padStart(decimals + 1, '0');
	const total = decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits;
	return `${own[0].currency} ${grouped(total)}`;
};
const totals = (heading, nameOf) => {
	const names = [...new Set(listed.map(nameOf))].sort();
	const own = (name) => listed.filter((one) => nameOf(one) === name);
	const rows = names.map((name) => [name, own(name).length, totalOf(own(name))]);
	return { heading, header: ['', 'Payments', 'Total'], rows };
};
return [{ json: { tables: [
	totals('By result', ({ currency, result }) => `${result}, ${currency}`),
	totals('By payee', ({ supplier, currency }) => `${supplier}, ${currency}`),
] } }];
