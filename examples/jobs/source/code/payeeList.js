// Decides which accounts wait for this approver, or can end, and what is known about each of them.
const { user, 'End an Account': wanted } = $('Approve Payees').first().json;
const [me, toEnd] = [String(user?.email ?? '').toLowerCase(), String(wanted ?? '').trim()];
const isApprover = $('Settings').all().some(({ json }) =>
	json.setting === 'approver' && json.value.trim().toLowerCase() === me);
const payees = $('Seals of Payees').all().map(({ json }) => json).filter(({ supplier }) => supplier);
const [genuine, changed] = [true, false].map((is) => payees.filter((one) => (one.seal === one.check) === is));
const approved = genuine.filter(({ state }) => state === 'approved');
const aboutOf = ({ name, equalEvery }) =>
	`${name ? `${name}, ` : ''}${Number(equalEvery) ? `equal payments every ${equalEvery} days, ` : ''}`;
const nameOf = ({ account, approvedAt, approvedBy, ...one }) =>
	`${account} (${aboutOf(one)}since ${approvedAt.slice(0, 10)}, by ${approvedBy})`;
const oldOf = (one) => approved.filter(({ supplier }) => supplier === one.supplier);
const waiting = genuine.filter((one) =>
	isApprover && !toEnd && one.state === 'to approve' && one.enteredBy !== me);
//: iban
//: names
const othersOf = ({ supplier, account }) => approved
	.filter((one) => one.account === account && one.supplier !== supplier)
	.map((one) => withName(one.supplier, one.name)).join(', ');
const doubtsOn = (one) => (isWrong(one) ? 'The check digits of this IBAN are wrong. ' : '') + othersOf(one);
const known = waiting.map((one) => [oldOf(one).map(nameOf).join(', ') || 'none', doubtsOn(one)]);
const isToEnd = ({ supplier, account }) => isApprover && [supplier, account].includes(toEnd);
const old = [...new Set([...waiting.flatMap(oldOf), ...approved.filter(isToEnd)])];
return [{ json: { me, isApprover, toEnd, waiting, known, old, changed } }];
