// Decides what each amount is, as decimal text. One that can be read in two ways is to correct.
const decimalsOf = (currency) => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
const currencies = new Set(Intl.supportedValuesOf('currency'));
function read({ amount, currency, isNumber }) {
	const text = amount.replace(/^\+/, '');
	const decimals = decimalsOf(currency);
	if (text === '' || /^[=@]/.test(text)) return { says: text ? `"${text}" is a formula. Write its value.` : 'Amount is empty.' };
	if (/^[-−–(]|(?<![.,])[-−–]$|\)$/.test(text)) return { says: "Negative amounts can't be paid. Leave the row out." };
	const digits = text.replace(/(\d)[ '’](?=\d{3})/g, '$1');
	const code = /^([a-z]{3}) ?[\d.,]+$|^[\d.,]+ ?([a-z]{3})$/i.exec(digits)?.slice(1).find(Boolean)?.toUpperCase();
	if (/\p{Sc}/u.test(digits) || currencies.has(code)) return { says: `"${text}" has a currency sign. Write only the number. The currency belongs in Currency.` };
	const parts = /^(\d+|\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(digits);
	if (!parts || (parts[2] && parts[2] === parts[3])) return { says: `"${text}" isn't an amount. Write only digits, and a decimal separator if it has decimals.` };
	const [, thousands, rest] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(digits) ?? [];
	const second = decimals < 3 ? `it can't be paid, because ${currency} has ${decimals} decimals` : `write one more 0 at its end: ${digits}0`;
	if (!isNumber && rest) return { says: `"${text}" is ${thousands} thousand ${Number(rest)}, or ${thousands} and ${Number(rest)} thousandths. If it's the first, write only digits: ${thousands}${rest}. If it's the second, ${second}.` };
	const [whole, part = ''] = isNumber ? digits.split('.') : [parts[1].replace(/[.,]/g, ''), parts[4]];
	if (/^0*$/.test(whole + part)) return { says: 'Amount is 0. Write what is to be paid, or leave the row out.' };
	if (part.replace(/0+$/, '').length > decimals) return { says: `${currency} has ${decimals} decimals, and "${text}" has more.` };
	return { value: whole.replace(/^0+(?=\d)/, '') + (decimals ? `.${part.replace(/0+$/, '').padEnd(decimals, '0')}` : '') };
}
return $input.all().map(({ json }) => {
	const { value, says } = json.fileRemark || !/^[A-Z]{3}$/.test(json.currency) ? {} : read(json);
	return { json: { ...json, amount: value ?? json.amount, advice: says ? [...json.advice, ['Amount', says]] : json.advice } };
});
