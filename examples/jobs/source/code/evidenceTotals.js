// Totals of what is shown: for each result and currency, and for each payee and currency.
//: money
//: totals
const { listed } = $('Evidence').first().json;
/** The names of a supplier: those in the files, and those in payees. */
const namesOf = (supplier) => [...new Set(listed.filter((one) => one.supplier === supplier)
	.flatMap(({ name, payeeName }) => [name, payeeName]).filter(Boolean))];
const totals = (heading, nameOf) => {
	const names = [...new Set(listed.map(nameOf))].sort();
	const own = (name) => listed.filter((one) => nameOf(one) === name);
	const rows = names.map((name) => [name, ...totalsOf(own(name))]);
	return { heading, header: ['', 'Total (payments)'], rows };
};
return [{ json: { tables: [
	totals('By result', ({ currency, result }) => `${result}, ${currency}`),
	totals('By payee', ({ supplier, currency }) => [supplier, ...namesOf(supplier), currency].join(', ')),
] } }];
