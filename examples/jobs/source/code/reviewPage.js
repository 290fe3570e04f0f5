// The page of the approver. Its headline is what an approval pays; what is held has a checkbox.
const { run, me, warnings, decisions, clean, held, others } = $input.first().json;
const isOwn = run.requestedBy === me;
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
//: money
//: totals
const sumOf = (some) => totalsOf(some).join(', ') || 'nothing';
const HEADER = ['Row', 'Supplier', 'Name in file', 'Name in payees', 'Account', 'Country', 'Invoice', 'Amount', 'Method', 'Approvals', 'Note'];
const cellsOf = (one) => [one.row, one.supplier, one.name, one.payeeName, one.account, one.country, one.invoice, moneyOf(one), one.method, `${one.approvals.length} of ${one.needs ?? 1}`, [...one.why, ...one.held].join(' ')];
const lineOf = (cells, tag = 'td') => `<tr>${cells.map((cell, index) => `<${tag}${![2, 3, 10].includes(index) ? ' headers="n"' : ''}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const tableOf = (title, some) => (some.length === 0 ? '' : `<h3>${title}</h3><table>${lineOf(HEADER, 'th')}${some.map((one) => lineOf(cellsOf(one))).join('')}</table>`);
const from = [...new Set([...clean, ...held].map(({ senderAccount }) => senderAccount))].join(', ');
const now = clean.filter((one) => one.needs <= one.approvals.length + 1);
const later = clean.filter((one) => !now.includes(one));
const headline = isOwn ? `<p><strong>Run ${escaped(run.run)}: you asked for it, so you can withdraw all of it. Somebody else decides about it.</strong></p>` : `<p><strong>Run ${escaped(run.run)}: an approval pays ${sumOf(now)}</strong>${from && `, from ${escaped(from)}`}. ${later.length > 0 ? `It counts for ${sumOf(later)}, too, which somebody else must approve as well. ` : ''}Held, each with a checkbox below, and declined without a tick: ${sumOf(held)}.</p>`;
const html = `${warnings.map((text) => `<p><strong>${escaped(text)}</strong></p>`).join('')}${headline}<p>${escaped(run.fileName)}, uploaded by ${escaped(run.requestedBy)}: ${run.payments} payments${Number(run.leftOut) > 0 ? `, and ${run.leftOut} rows that were left out or are to correct` : ''}.</p>${tableOf(isOwn ? 'Payments' : "Can't be approved now: they wait, unless you decline all", others)}${tableOf('To pay', clean)}`;
const values = (options) => ({ values: options.map((option) => ({ option })) });
const boxes = { fieldLabel: 'Held', fieldType: 'checkbox', limitSelection: 'unlimited', requiredField: false, fieldOptions: values(held.map((one) => `Pay row ${one.row}: ${[one.supplier, one.payeeName || one.name].filter(Boolean).join(', ')}, ${one.account}, ${one.invoice}, ${moneyOf(one)}${one.needs > 1 ? ` (${one.approvals.length} of ${one.needs} approvals)` : ''}. ${one.held.join(' ')}`)) };
const question = { fieldLabel: 'Decision', fieldType: 'radio', fieldOptions: values(decisions), requiredField: true };
const nothing = [{ fieldType: 'html', elementName: 'review', html: '<p><strong>There is nothing to decide.</strong></p>' }];
const doubted = { fieldLabel: 'Leave Out Rows', fieldType: 'text', placeholder: 'e.g. 5, 12', requiredField: false };
const form = [{ fieldType: 'html', elementName: 'review', html }, ...(held.length > 0 ? [boxes] : []), ...(clean.length > 0 ? [doubted] : []), question, { fieldLabel: 'Comment', fieldType: 'text', requiredField: false }];
return [{ json: { form: decisions.length > 0 ? form : nothing } }];
