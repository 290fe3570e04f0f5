// Decides how many must approve each payment, and what pays it. A tier more is a setting more.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') =>
	settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value ?? '';
//: units
return $input.all().map(({ json: { isNew, ...row } }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: row };
	const isTier = ({ setting, currency }) =>
		/^\d+ approvers? up to$/.test(setting) && currency === row.currency;
	const tiers = settings.filter(isTier).filter(({ value }) => units(row.amount) <= units(value));
	const senderAccount = valueOf('sender account', row.currency);
	const sender = { senderEntity: valueOf('sender entity'), senderCountry: valueOf('sender country') };
	const obstacles = [
		...row.obstacles,
		...(tiers.length > 0 ? [] : [`Above the limit for one payment in ${row.currency}.`]),
		...(senderAccount ? [] : [`The settings have no account that pays ${row.currency}.`]),
	];
	const enough = Math.min(...tiers.map(({ setting }) => parseInt(setting, 10)), 99);
	return { json: { ...row, ...sender, senderAccount, obstacles, needs: Math.max(enough, isNew ? 2 : 1) } };
});
