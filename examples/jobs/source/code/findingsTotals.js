// The totals of each list, for each currency.
//: money
const findings = $('Findings').all().map(({ json }) => json).filter(({ list }) => list);
/** Amounts are text, and are added as whole numbers of a ten-thousandth. */
const partsOf = ({ amount, booked }) => /^(\d+)(?:\.(\d{1,4}))?$/.exec(amount ?? booked)?.slice(1);
function totalOf(currency, own) {
	const amounts = own.map(partsOf).filter(Boolean);
	const sum = amounts.reduce((total, [whole, part = '']) => total + BigInt(whole + part.padEnd(4, '0')), 0n);
	const decimals = Math.max(0, ...amounts.map(([, part = '']) => part.length));
	const digits = String(sum).padStart(5, '0');
	const part = digits.slice(-4).slice(0, decimals);
	const amount = `${digits.slice(0, -4)}${part && `.${part}`}`;
	return amounts.length === 0 ? [] : [moneyOf({ currency, amount })];
}
const currencyOf = ({ currency, entryCurrency }) => currency ?? entryCurrency;
const totals = [...new Set(findings.map(({ list }) => list))].map((name) => {
	const own = findings.filter(({ list }) => list === name);
	const currencies = [...new Set(own.map(currencyOf))].sort();
	const of = (currency) => totalOf(currency, own.filter((one) => currencyOf(one) === currency));
	return [name, currencies.flatMap(of).join(', ')];
});
return [{ json: Object.fromEntries(totals), binary: $input.first().binary }];
