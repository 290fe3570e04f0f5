// Decides which accounts are new: those of the form, or of the rows of a file with its columns.
const form = $('Enter Payees').first().json;
const [now, enteredBy] = [$now.toUTC().toISO(), form.user.email.toLowerCase()];
const textOf = (cell) => String(cell ?? '').replace(/\p{Cf}/gu, '').replace(/\s+/gu, ' ').trim();
const accountOf = (text) => (/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text.replace(/ /g, '').toUpperCase()) ? text.replace(/ /g, '').toUpperCase() : text);
const [header = [], ...lines] = $('Read Payees').isExecuted ? $('Read Payees').all().map(({ json }) => Array.from(json.row ?? [], textOf)) : [];
const fromFile = lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
const entered = [...fromFile, ...(form.Supplier ? [form] : [])].map((one) => ({ supplier: textOf(one.Supplier), account: accountOf(textOf(one['Supplier Account'])), country: textOf(one.Country).toUpperCase(), evidence: textOf(one.Evidence) }));
const known = $('Known Payees').all().map(({ json }) => json).filter(({ state }) => ['approved', 'to approve'].includes(state));
const isSame = (a, b) => a.supplier === b.supplier && a.account === b.account;
const complete = entered.filter(({ supplier, account, country, evidence }) => supplier && account && country && evidence);
const added = complete.filter((one, index) => !known.some((other) => isSame(one, other)) && complete.findIndex((other) => isSame(one, other)) === index);
const says = `${added.length} wait for an approval by somebody else. ${complete.length - added.length} were there already. ${entered.length - complete.length} have no Supplier, Supplier Account, Country, or Evidence.`;
if (added.length === 0) return [{ json: { says } }];
return added.map((one) => ({ json: { ...one, state: 'to approve', enteredBy, enteredAt: now, says, history: `${now} to approve: entered by ${enteredBy}` } }));
