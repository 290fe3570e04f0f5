// Decides what each amount is, as decimal text. One that can be read in two ways is to correct.
const AMOUNT = /^(?<start>\d+|\d{1,3}(?:(?<by>[.,])\d{3})(?:\k<by>\d{3})*)(?:[.,](?<end>\d+))?$/;
function adviceOn(digits, text, currency, decimals) {
	const [, thousands, rest] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(digits) ?? [];
	const second = decimals < 3 ? `it can't be paid, because ${currency} has ${decimals} decimals`
		: `write one more 0 at its end: ${digits}0`;
	return rest && `"${text}" is ${thousands} thousand ${Number(rest)}, or ${thousands} and ${Number(rest)}`
		+ ` thousandths. If it's the first, write only digits: ${thousands}${rest}. If it's the second, ${second}.`;
}
return $input.all().map(({ json }) => {
	const { amount, currency, isNumber, advice } = json;
	const isRead = json.fileRemark || json.run || advice.some(([column]) => column === 'Amount');
	if (isRead || !/^[A-Z]{3}$/.test(currency)) return { json };
	const wrong = (says) => ({ json: { ...json, advice: [...advice, ['Amount', says]] } });
	const format = new Intl.NumberFormat('en', { style: 'currency', currency });
	const { maximumFractionDigits: decimals } = format.resolvedOptions();
	const digits = amount.replace(/(\d)[ '’](?=\d{3})/g, '$1');
	const twoWays = isNumber ? '' : adviceOn(digits, amount, currency, decimals);
	if (twoWays) return wrong(twoWays);
	const { start, end = '' } = AMOUNT.exec(digits).groups;
	const [whole, part] = [start.replace(/[.,]/g, '').replace(/^0+(?=\d)/, ''), end.replace(/0+$/, '')];
	if (/^0*$/.test(whole + part)) return wrong('Amount is 0. Write what is to be paid, or leave the row out.');
	if (part.length > decimals) return wrong(`${currency} has ${decimals} decimals, and "${amount}" has more.`);
	return { json: { ...json, amount: whole + (decimals ? `.${part.padEnd(decimals, '0')}` : '') } };
});
