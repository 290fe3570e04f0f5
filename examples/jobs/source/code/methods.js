// Decides the method of a payment that has none: that of the settings for its currency.
const methods = $('Settings').all().map(({ json }) => json).filter(({ setting }) => setting === 'method');
return $('Read Amounts').all().map(({ json: row }) => {
	if (row.fileRemark || row.method) return { json: row };
	const method = methods.find(({ currency }) => currency === row.currency)?.value;
	const advice = [...row.advice, ['Method', 'Method is empty.']];
	return { json: method ? { ...row, method } : { ...row, advice } };
});
