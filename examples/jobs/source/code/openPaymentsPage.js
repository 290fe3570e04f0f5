// The page: what needs a person first, and a choice for what a person found out.
const ORDER = ['needs attention', 'in doubt', 'sent', 'not sent', 'accepted', 'to approve'];
const SHOWN = 100;
const { open, alerts, isStopped, zone } = $input.first().json;
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const timeOf = (text) => (text ? DateTime.fromISO(text, { zone }).toFormat('yyyy-MM-dd HH:mm') : '');
const lineOf = (cells, tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const header = lineOf(['Invoice', 'Supplier', 'Amount', 'External ID', `Since (${zone})`, 'What it waits for'], 'th');
const cellsOf = (one) => [one.invoice, one.supplier, `${one.currency} ${one.amount}`, one.externalId, timeOf(one.acceptedAt || one.sentAt || one.decidedAt || one.createdAt), one.isGenuine ? one.explanation : 'Changed in the table by nobody of the jobs. It is never sent.'];
const sections = ORDER.map((result) => [result, open.filter((one) => one.result === result)]).filter(([, rows]) => rows.length > 0);
const tables = sections.map(([result, rows]) => `<h3>${result}: ${rows.length}</h3><table>${header}${rows.slice(0, SHOWN).map((one) => lineOf(cellsOf(one))).join('')}</table>${rows.length > SHOWN ? `<p>${rows.length - SHOWN} more are in Payment evidence.</p>` : ''}`);
const stopped = isStopped ? '<p><strong>Sending is stopped: nothing more is sent. What has the result sent or in doubt was on its way.</strong></p>' : '';
const html = `${stopped}<ul>${alerts.map(({ text }) => `<li>${escaped(text)}</li>`).join('')}</ul>${tables.join('') || '<p>Nothing is open.</p>'}`;
const asked = open.filter((one) => one.result === 'needs attention' && one.isGenuine);
const how = '<h3>What did you find out?</h3><p>Ask your service for the Event ID, which is the External ID. Look at its records, not only at the status of a request. Until you know, decide nothing, and pay it in no other way.</p>';
const choices = asked.length === 0 ? [] : [
	{ fieldType: 'html', elementName: 'how', html: how },
	{ fieldLabel: 'Payment', fieldType: 'dropdown', requiredField: false, fieldOptions: { values: asked.map((one) => ({ option: `${one.externalId} (${one.currency} ${one.amount})` })) } },
	{ fieldLabel: 'Finding', fieldType: 'radio', requiredField: false, fieldOptions: { values: [{ option: 'The service has it' }, { option: "The service doesn't have it" }] } },
	{ fieldLabel: 'How do you know', fieldType: 'text', requiredField: false },
];
return [{ json: { form: [{ fieldType: 'html', elementName: 'open', html }, ...choices] } }];
