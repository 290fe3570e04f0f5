// Decides who may do what: an approver decides, who asked can withdraw, and nobody else sees a run.
const settings = $('Settings').all().map(({ json }) => json);
const me = String($('Approve Payouts').first().json.user?.email ?? '').toLowerCase();
const isMe = (text) => text.trim().toLowerCase() === me;
const isApprover = settings.some(({ setting, value }) => setting === 'approver' && isMe(value));
const waitingOf = (run) => $('Waiting Payments').all().filter(({ json }) => json.run === run).length;
const waiting = $('Run Seals').all().map(({ json }) => json).filter(({ run }) => run && waitingOf(run) > 0);
const isOwn = ({ requestedBy }) => requestedBy === me;
const runs = waiting.filter((one) => isOwn(one) || isApprover);
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const zone = settings.find(({ setting }) => setting === 'time zone')?.value || 'UTC';
const stateOf = (one) => (one.seal !== one.check ? 'Decline: changed' : isOwn(one) ? 'Withdraw' : 'Decide');
const HEADER = ['Run', 'Uploaded by', `At (${zone})`, 'File', 'Totals (payments)', 'Wait', 'You can'];
const timeOf = (one) => DateTime.fromISO(one.requestedAt, { zone }).toFormat('d LLL yyyy HH:mm');
const cellsOf = (one) => [one.run, one.requestedBy, timeOf(one), one.fileName, one.totals,
	`${waitingOf(one.run)} of ${one.payments}`, stateOf(one)];
const rowOf = (tag) => (all) => `<tr>${all.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join('')}</tr>`;
const none = isApprover || waiting.some(isOwn) ? 'Nothing waits for you.'
	: `${me || 'Who signed in'} isn't an approver, and has no run that waits. Approvers are in the settings.`;
const list = runs.length === 0 ? `<p><strong>${escaped(none)}</strong></p>`
	: `<table>${rowOf('th')(HEADER)}${runs.map(cellsOf).map(rowOf('td')).join('')}</table>`;
const html = { fieldType: 'html', elementName: 'runs', html: list };
const fieldOptions = { values: runs.map(({ run }) => ({ option: run })) };
const choice = { fieldLabel: 'Run', fieldType: 'dropdown', fieldOptions, requiredField: true };
return [{ json: { me, isApprover, form: runs.length > 0 ? [html, choice] : [html] } }];
