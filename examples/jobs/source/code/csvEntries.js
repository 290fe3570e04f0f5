// Decides which column of a CSV statement is what. Change the names on the right for your bank.
const COLUMNS = { date: 'Date', entryAmount: 'Amount', entryCurrency: 'Currency', text: 'Reference' };
const OUT_IS_NEGATIVE = true; // whether money that went out has a minus
const rows = $input.all().map(({ json }) => json);
const header = Object.keys(rows[0] ?? {});
const missing = Object.values(COLUMNS).filter((name) => !header.includes(name)).join(', ');
const stop = (remark) => [{ json: { remark } }];
if (rows.length === 0 || rows[0].error || header.length === 0)
	return stop("It has no rows, or they can't be read. Use a CSV file in UTF-8.");
if (missing) return stop(`It has no column ${missing}. Its columns are ${header.join(', ')}.`);
/** 1.250,00 and 1,250.00 are 1250.00. With one separator alone, it is the decimal one. */
const plain = (text) => {
	const decimal = /[.,](?=\d{1,4}$)/.exec(text)?.index ?? text.length;
	return text.slice(0, decimal).replace(/[., '’]/g, '') + text.slice(decimal).replace(',', '.');
};
return rows.map((row, index) => {
	const cells = Object.values(COLUMNS).map((name) => String(row[name] ?? '').trim());
	const [date, amount, entryCurrency, text] = cells;
	return { json: {
		...{ entry: String(index + 2), text, entryCurrency: entryCurrency.toUpperCase() },
		entryAmount: plain(amount.replace(/\s/g, '').replace(/^[-+−]/, '')),
		date: date.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1'),
		isCredit: /^[-−]/.test(amount) !== OUT_IS_NEGATIVE,
	} };
});
