// Decides which accounts are new or changed: that of the form, and those of the rows of a file.
//: texts
//: iban
const form = $('Enter Payees').first().json;
const [now, enteredBy] = [$now.toUTC().toISO(), form.user.email.toLowerCase()];
const file = $('Cells').isExecuted ? $('Cells').all().map(({ json }) => json) : [];
const [header = [], ...lines] = file.map(({ cells }) => (cells ?? []).map(textOf));
const toRow = (cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
const entered = [...lines.map(toRow), ...(form.Supplier ? [form] : [])].map((one) => ({
	...{ supplier: textOf(one.Supplier), account: accountOf(textOf(one['Supplier Account'])) },
	...{ name: textOf(one['Supplier Name']), equalEvery: textOf(one['Equal Payment Every (Days)']) },
	...{ country: textOf(one.Country).toUpperCase(), evidence: textOf(one.Evidence) },
}));
const isOf = (a) => (b) => a.supplier === b.supplier && a.account === b.account;
const whole = entered.filter(({ name, equalEvery, ...one }) =>
	Object.values(one).every(Boolean) && /^\d{0,3}$/.test(equalEvery) && !isWrong(one));
const isKnown = (one) => $input.all().some(({ json }) => /approve/.test(json.state) && isOf(one)(json)
	&& ['name', 'equalEvery'].every((key) => !one[key] || one[key] === json[key]));
const added = whole.filter((one, index) => !isKnown(one) && whole.findIndex(isOf(one)) === index);
const [old, bad] = [whole.length - added.length, entered.length - whole.length];
const says = `${added.length} wait for an approval by somebody else. ${old} were there already. ${bad} have`
	+ ` an empty cell, a wrong IBAN, or no number of days. ${file[0]?.fileRemark ?? ''}`.trimEnd();
const history = `${now} to approve: entered by ${enteredBy}`;
const more = { state: 'to approve', enteredBy, enteredAt: now, says, history };
return added.length === 0 ? [{ json: { says } }] : added.map((one) => ({ json: { ...one, ...more } }));
