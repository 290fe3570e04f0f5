// Decides which cells can't be used, and says what to write. Amounts are checked in the next node.
const LABELS = { invoice: 'Invoice', supplier: 'Supplier', account: 'Supplier Account', country: 'Country', currency: 'Currency', method: 'Method' };
const EXCEL_DIGITS = 15;
const textOf = (cell) => (typeof cell === 'number' ? String(Number(cell.toPrecision(EXCEL_DIGITS))) : String(cell ?? '')).replace(/\p{Cf}/gu, '').replace(/\s+/gu, ' ').trim().normalize('NFC').toWellFormed();
const adviceOn = (text, label) =>
	text === '' ? `${label} is empty.`
	: /^[=@]|^[-+][A-Z(]/.test(text) ? `"${text}" is a formula. Write its value.`
	: /^#([A-Z]+\/?[A-Z0]*[!?]?)$/.test(text) ? `The formula in this cell has no result (${text}). Write the value.`
	: text.includes('\uFFFD') ? `"${text}" has characters that were lost. Write it anew.` : '';
/** An IBAN is the same with blanks and in lower case; other accounts can need both. */
const accountOf = (text) => (/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text.replace(/ /g, '').toUpperCase()) ? text.replace(/ /g, '').toUpperCase() : text);
/** In a spreadsheet, a date is a number of days. Two years around today are suspicious. */
const today = Math.floor(Date.now() / 86_400_000) + 25_569;
const isDate = (cell) => (typeof cell === 'number' ? Number.isInteger(cell) && Math.abs(cell - today) < 730 : /^(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]*\.?[ -]'?\d{2,4}$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/i.test(textOf(cell)));
return $input.all().map(({ json }) => {
	if (json.fileRemark) return { json };
	const row = Object.fromEntries(Object.keys(LABELS).map((name) => [name, textOf(json[name])]));
	for (const name of ['country', 'currency', 'method']) row[name] = row[name].toUpperCase();
	const advice = Object.entries(LABELS).map(([name, label]) => [label, adviceOn(row[name], label)]).filter(([, says]) => says);
	if (json.remark) advice.unshift(['', json.remark]);
	const cellReasons = ['invoice', 'amount'].filter((name) => isDate(json[name])).map((name) => `"${textOf(json[name])}" as ${name} looks like a date.`);
	return { json: { ...json, ...row, account: accountOf(row.account), isNumber: typeof json.amount === 'number' || json.isDecimalDot === true, amount: textOf(json.amount), cellReasons, advice } };
});
