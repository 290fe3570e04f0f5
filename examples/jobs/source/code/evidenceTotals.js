// Totals of what is shown: for each result and currency, and for each payee, result, and currency.
//: money
//: totals
const { listed } = $('Evidence').first().json;
/** The names of a supplier: those in the files, and those in payees. */
const namesOf = (supplier) => [...new Set(listed.filter((one) => one.supplier === supplier)
	.flatMap(({ name, payeeName }) => [name, payeeName]).filter(Boolean))];
/** What isn't sent is declined, or is about to be sent: its decision says which. */
const resultOf = ({ result, decision }) =>
	(result === 'not sent' && decision ? `${result} (${decision})` : result);
const totals = (heading, nameOf) => {
	const names = [...new Set(listed.map(nameOf))].sort();
	const own = (name) => listed.filter((one) => nameOf(one) === name);
	const rows = names.map((name) => [name, ...totalsOf(own(name))]);
	return { heading, header: ['', 'Total (payments)'], rows };
};
return [{ json: { tables: [
	totals('By result', (one) => `${resultOf(one)}, ${one.currency}`),
	totals('By payee and result', (one) =>
		`${[one.supplier, ...namesOf(one.supplier)].join(', ')}: ${resultOf(one)}, ${one.currency}`),
] } }];
