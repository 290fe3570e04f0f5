// Totals of what is shown: for each result and currency, and for each payee and currency.
//: money
//: totals
const { listed } = $('Evidence').first().json;
const totals = (heading, nameOf) => {
	const names = [...new Set(listed.map(nameOf))].sort();
	const own = (name) => listed.filter((one) => nameOf(one) === name);
	const rows = names.map((name) => [name, ...totalsOf(own(name))]);
	return { heading, header: ['', 'Total (payments)'], rows };
};
return [{ json: { tables: [
	totals('By result', ({ currency, result }) => `${result}, ${currency}`),
	totals('By payee', ({ supplier, currency }) => `${supplier}, ${currency}`),
] } }];
