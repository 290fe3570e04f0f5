// Decides which amounts aren't amounts, and says what to write.
const currencies = new Set(Intl.supportedValuesOf('currency'));
const IS_NEGATIVE = /^[-−–(]|(?<![.,])[-−–]$|\)$/;
const AMOUNT = /^(\d+|\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/;
const CODE = /^([a-z]{3}) ?[\d.,]+$|^[\d.,]+ ?([a-z]{3})$/i;
const SIGN = 'has a currency sign. Write only the number. The currency belongs in Currency.';
const NONE = "isn't an amount. Write only digits, and a decimal separator if it has decimals.";
function adviceOn(text) {
	if (text === '') return 'Amount is empty.';
	if (/^[=@]/.test(text)) return `"${text}" is a formula. Write its value.`;
	if (IS_NEGATIVE.test(text)) return "Negative amounts can't be paid. Leave the row out.";
	const digits = text.replace(/(\d)[ '’](?=\d{3})/g, '$1');
	const code = CODE.exec(digits)?.slice(1).find(Boolean)?.toUpperCase();
	if (/\p{Sc}/u.test(digits) || currencies.has(code)) return `"${text}" ${SIGN}`;
	const parts = AMOUNT.exec(digits);
	return !parts || (parts[2] && parts[2] === parts[3]) ? `"${text}" ${NONE}` : '';
}
return $input.all().map(({ json }) => {
	if (json.fileRemark || json.run || !/^[A-Z]{3}$/.test(json.currency)) return { json };
	const amount = json.amount.replace(/^\+/, '');
	const says = adviceOn(amount);
	const advice = says ? [...json.advice, ['Amount', says]] : json.advice;
	return { json: { ...json, amount, advice } };
});
