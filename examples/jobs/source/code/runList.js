// Decides who may do what: an approver decides, who asked can withdraw, and nobody else sees a run.
const settings = $('Settings').all().map(({ json }) => json);
const me = String($('Approve Payouts').first().json.user?.email ?? '').toLowerCase();
const isApprover = settings.some(({ setting, value }) => setting === 'approver' && value.trim().toLowerCase() === me);
const waiting = $('Run Seals').all().map(({ json }) => json).filter(({ run }) => run);
const own = waiting.filter(({ requestedBy }) => requestedBy === me);
const runs = waiting.filter((one) => own.includes(one) || isApprover);
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const zone = settings.find(({ setting }) => setting === 'time zone')?.value || 'UTC';
const lineOf = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const stateOf = (one) => (one.seal !== one.check ? 'Changed in the table, not by a job' : own.includes(one) ? 'You can withdraw it' : 'You can decide');
const cellsOf = (one) => [one.run, one.requestedBy, DateTime.fromISO(one.requestedAt, { zone }).toFormat('d LLL yyyy HH:mm'), one.fileName, one.totals, stateOf(one)];
const table = `<table>${lineOf(['Run', 'Uploaded by', `At (${zone})`, 'File', 'Totals (payments)', 'You'], 'th')}${runs.map((one) => lineOf(cellsOf(one), 'td')).join('')}</table>`;
const why = !isApprover && own.length === 0 ? `${me || 'Who signed in'} isn't an approver, and has no run that waits. Approvers are in the settings.` : 'Nothing waits for you.';
const question = { fieldLabel: 'Run', fieldType: 'dropdown', fieldOptions: { values: runs.map(({ run }) => ({ option: run })) }, requiredField: true };
return [{ json: { me, isApprover, form: runs.length > 0 ? [{ fieldType: 'html', elementName: 'runs', html: table }, question] : [{ fieldType: 'html', elementName: 'runs', html: `<p><strong>${escaped(why)}</strong></p>` }] } }];
