// Decides which accounts are new: those of the form, or of the rows of a file with its columns.
const form = $('Enter Payees').first().json;
const [now, enteredBy] = [$now.toUTC().toISO(), form.user.email.toLowerCase()];
const textOf = (cell) => String(cell ?? '').replace(/\p{Cf}/gu, '').replace(/\s+/gu, ' ').trim();
const IBAN = /^[a-z]{2} ?\d ?\d( ?[a-z\d]){11,30}$/i;
const accountOf = (text) => (IBAN.test(text) ? text.replace(/ /g, '').toUpperCase() : text);
const file = $('Cells').isExecuted ? $('Cells').all().map(({ json }) => json) : [];
const [header = [], ...lines] = file.map(({ cells }) => (cells ?? []).map(textOf));
const toRow = (cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
const entered = [...lines.map(toRow), ...(form.Supplier ? [form] : [])].map((one) => ({
	...{ supplier: textOf(one.Supplier), account: accountOf(textOf(one['Supplier Account'])) },
	...{ country: textOf(one.Country).toUpperCase(), evidence: textOf(one.Evidence) },
}));
const isOf = (a) => (b) => a.supplier === b.supplier && a.account === b.account;
const digitsOf = (iban) => [...iban.slice(4), ...iban.slice(0, 4)].map((one) => parseInt(one, 36)).join('');
const isWrong = ({ account }) => IBAN.test(account) && BigInt(digitsOf(account)) % 97n !== 1n;
const complete = entered.filter((one) => Object.values(one).every(Boolean) && !isWrong(one));
const isKnown = (one) => $input.all().some(({ json }) => /approve/.test(json.state) && isOf(one)(json));
const added = complete.filter((one, index) => !isKnown(one) && complete.findIndex(isOf(one)) === index);
const [old, bad] = [complete.length - added.length, entered.length - complete.length];
const says = `${added.length} wait for an approval by somebody else. ${old} were there already.`
	+ ` ${bad} have an empty cell, or wrong check digits in the IBAN. ${file[0]?.fileRemark ?? ''}`.trimEnd();
const history = `${now} to approve: entered by ${enteredBy}`;
const more = { state: 'to approve', enteredBy, enteredAt: now, says, history };
return added.length === 0 ? [{ json: { says } }] : added.map((one) => ({ json: { ...one, ...more } }));
