// Decides which accounts wait for this approver, and what is known about each of them.
const allOf = (node) => $(node).all().map(({ json }) => json);
const me = String($('Approve Payees').first().json.user?.email ?? '').toLowerCase();
const isApprover = allOf('Settings').some(({ setting, value }) =>
	setting === 'approver' && value.trim().toLowerCase() === me);
const payees = allOf('Seals of Payees').filter(({ supplier }) => supplier);
const isGenuine = ({ seal, check }) => seal === check;
const approved = payees.filter((one) => isGenuine(one) && one.state === 'approved');
const aboutOf = ({ name, equalEvery }) =>
	`${name ? `${name}, ` : ''}${Number(equalEvery) ? `equal payments every ${equalEvery} days, ` : ''}`;
const nameOf = ({ account, approvedAt, approvedBy, ...one }) =>
	`${account} (${aboutOf(one)}since ${approvedAt.slice(0, 10)}, by ${approvedBy})`;
const oldOf = (one) => approved.filter(({ supplier }) => supplier === one.supplier);
const othersOf = (one) =>
	approved.filter(({ supplier, account }) => account === one.account && supplier !== one.supplier);
const waiting = payees.filter((one) =>
	isApprover && isGenuine(one) && one.state === 'to approve' && one.enteredBy !== me);
//: iban
const WRONG = 'The check digits of this IBAN are wrong. ';
//: names
const namesOf = (some) => some.map((one) => withName(one.supplier, one.name)).join(', ');
const doubtsOn = (one) => (isWrong(one) ? WRONG : '') + namesOf(othersOf(one));
const known = waiting.map((one) => [oldOf(one).map(nameOf).join(', ') || 'none', doubtsOn(one)]);
const old = [...new Set(waiting.flatMap(oldOf))];
return [{ json: { me, isApprover, waiting, known, old, changed: payees.filter((one) => !isGenuine(one)) } }];
