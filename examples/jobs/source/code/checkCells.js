// Decides which cells can't be used, and says what to write. Amounts are checked in the next nodes.
const LABELS = { invoice: 'Invoice', supplier: 'Supplier', account: 'Supplier Account' };
const CODES = { country: 'Country', currency: 'Currency', method: 'Method' };
const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const isKnown = {
	country: (code) => /^[A-Z]{2}$/.test(code) && countries.of(code) !== undefined,
	currency: (code) => Intl.supportedValuesOf('currency').includes(code),
};
const HOW = { country: 'Write two letters, such as DE.', currency: 'Write three letters, such as EUR.' };
const adviceOn = (text, name, label) =>
	text === '' ? (name === 'method' ? '' : `${label} is empty.`) // the settings can have it
	: /^[=@]|^[-+][A-Z(]/.test(text) ? `"${text}" is a formula. Write its value.`
	: /^#([A-Z]+\/?[A-Z0]*[!?]?)$/.test(text) ? `The formula has no result (${text}). Write the value.`
	: text.includes('\uFFFD') ? `"${text}" has characters that were lost. Write it anew.`
	: HOW[name] && !isKnown[name](text.toUpperCase()) ? `"${text}" isn't a ${name}. ${HOW[name]}` : '';
return $input.all().map(({ json }) => {
	if (json.fileRemark || json.run) return { json };
	const advice = Object.entries({ ...LABELS, ...CODES })
		.map(([name, label]) => [label, adviceOn(json[name], name, label)]).filter(([, says]) => says);
	const codes = Object.keys(CODES).map((name) => [name, json[name].toUpperCase()]);
	const more = json.remark ? [['', json.remark]] : [];
	return { json: { ...json, ...Object.fromEntries(codes), advice: [...more, ...advice] } };
});
