// Decides what the text of each cell is, and which invoices and amounts look like a date.
//: texts
const NAMES = ['invoice', 'supplier', 'account', 'country', 'amount', 'currency', 'method', 'name'];
/** In a spreadsheet, a date is a number of days. Two years around today are suspicious. */
const today = Math.floor(Date.now() / 86_400_000) + 25_569;
const isDay = (cell) => Number.isInteger(cell) && Math.abs(cell - today) < 730;
const MONTH = /^(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]*\.?[ -]'?\d{2,4}$/i;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const isDate = (cell) =>
	typeof cell === 'number' ? isDay(cell) : [MONTH, DATE].some((form) => form.test(textOf(cell)));
return $input.all().map(({ json }) => {
	if (json.fileRemark || json.run) return { json }; // what is saved was read before
	const texts = Object.fromEntries(NAMES.map((name) => [name, textOf(json[name])]));
	texts.account = accountOf(texts.account);
	const cellReasons = ['invoice', 'amount'].filter((name) => isDate(json[name]))
		.map((name) => `"${texts[name]}" as ${name} looks like a date.`);
	const isNumber = typeof json.amount === 'number' || json.isDecimalDot === true;
	return { json: { ...json, ...texts, isNumber, cellReasons } };
});
