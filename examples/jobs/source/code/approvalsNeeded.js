// Decides how many must approve each payment, and what pays it. A tier more is a setting more.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') => settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value ?? '';
const units = (amount) => { const [whole, part = ''] = String(amount).split('.'); return BigInt(whole + part.padEnd(5, '0')); };
return $input.all().map(({ json: { isNew, ...row } }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: row };
	const tiers = settings.filter(({ setting, currency }) => /^\d+ approvers? up to$/.test(setting) && currency === row.currency);
	const enough = tiers.filter(({ value }) => units(row.amount) <= units(value)).map(({ setting }) => parseInt(setting, 10));
	const sender = { senderEntity: valueOf('sender entity'), senderAccount: valueOf('sender account', row.currency), senderCountry: valueOf('sender country') };
	const obstacles = [
		...row.obstacles,
		...(enough.length > 0 ? [] : [`Above the limit for one payment in ${row.currency}.`]),
		...(sender.senderAccount ? [] : [`The settings have no account that pays ${row.currency}.`]),
	];
	return { json: { ...row, ...sender, obstacles, needs: Math.max(Math.min(...enough, 99), isNew ? 2 : 1) } };
});
