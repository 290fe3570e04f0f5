// Decides how many must approve each payment, and what pays it. A tier more is a setting more.
const settings = $('Settings').all().map(({ json }) => json);
const valueOf = (name, currency = '') =>
	settings.find((one) => one.setting === name && (one.currency ?? '') === currency)?.value ?? '';
//: units
const approvers = settings.filter(({ setting }) => setting === 'approver').length;
const isAmount = ({ value }) => /^\d+(\.\d{1,5})?$/.test(value);
const wrong = settings.filter(({ setting }) => /^\d+ approvers? up to$|^agent |^per day/.test(setting))
	.filter((one) => !isAmount(one))
	.map((one) => `The setting ${one.setting} ${one.currency} is "${one.value}". Write such as 250000.`);
return $input.all().map(({ json: { isNew, ...row } }) => {
	if (row.fileRemark || row.advice?.length > 0) return { json: row };
	const isTier = (one) => / approvers? up to$/.test(one.setting) && one.currency === row.currency;
	const tiers = settings.filter((one) => isTier(one) && isAmount(one))
		.filter(({ value }) => units(row.amount) <= units(value));
	const enough = Math.min(...tiers.map(({ setting }) => parseInt(setting, 10)), 99);
	const needs = Math.max(enough, isNew ? 2 : 1);
	const senderAccount = valueOf('sender account', row.currency);
	const sender = { senderEntity: valueOf('sender entity'), senderCountry: valueOf('sender country') };
	const tooFew = needs > approvers && `It needs ${needs} approvers, and the settings have ${approvers}.`;
	const limit = tiers.length > 0 ? tooFew : `Above the limit for one payment in ${row.currency}.`;
	const account = !senderAccount && `The settings have no account that pays ${row.currency}.`;
	const obstacles = [...row.obstacles, ...wrong, limit, account].filter(Boolean);
	return { json: { ...row, ...sender, senderAccount, obstacles, needs } };
});
