// Decides who may do what: an approver decides, who asked can withdraw, and nobody else sees a run.
const settings = $('Settings').all().map(({ json }) => json);
const me = String($('Approve Payouts').first().json.user?.email ?? '').toLowerCase();
const isApprover = settings.some(({ setting, value }) =>
	setting === 'approver' && value.trim().toLowerCase() === me);
const open = new Set($('Waiting Payments').all().map(({ json }) => json.run));
const waiting = $('Run Seals').all().map(({ json }) => json).filter(({ run }) => run && open.has(run));
const isOwn = ({ requestedBy }) => requestedBy === me;
const runs = waiting.filter((one) => isOwn(one) || isApprover);
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const zone = settings.find(({ setting }) => setting === 'time zone')?.value || 'UTC';
const stateOf = (one) => (one.seal !== one.check ? 'Decline: changed' : isOwn(one) ? 'Withdraw' : 'Decide');
const HEADER = ['Run', 'Uploaded by', `At (${zone})`, 'File', 'Totals (payments)', 'You can'];
const timeOf = (one) => DateTime.fromISO(one.requestedAt, { zone }).toFormat('d LLL yyyy HH:mm');
const cellsOf = (one) => [one.run, one.requestedBy, timeOf(one), one.fileName, one.totals, stateOf(one)];
const cellsIn = (cells, tag) => cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('');
const lines = runs.map((one) => `<tr>${cellsIn(cellsOf(one), 'td')}</tr>`).join('');
const none = isApprover || waiting.some(isOwn) ? 'Nothing waits for you.'
	: `${me || 'Who signed in'} isn't an approver, and has no run that waits. Approvers are in the settings.`;
const list = runs.length === 0 ? `<p><strong>${escaped(none)}</strong></p>`
	: `<table><tr>${cellsIn(HEADER, 'th')}</tr>${lines}</table>`;
const html = { fieldType: 'html', elementName: 'runs', html: list };
const fieldOptions = { values: runs.map(({ run }) => ({ option: run })) };
const choice = { fieldLabel: 'Run', fieldType: 'dropdown', fieldOptions, requiredField: true };
return [{ json: { me, isApprover, form: runs.length > 0 ? [html, choice] : [html] } }];
