// What the uploader sees: what an approval pays is the headline, and what is held stands below.
const rows = $input.all().map(({ json }) => json);
const { fileRemark } = rows[0];
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
if (fileRemark) return [{ json: { rows: [], totals: '', form: [{ fieldType: 'html', elementName: 'check', html: `<p><strong>${escaped(fileRemark)}</strong></p>` }] } }];
const grouped = (amount) => amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
const sumOf = (some) => [...new Set(some.map(({ currency }) => currency))].sort().map((currency) => {
	const own = some.filter((one) => one.currency === currency).map(({ amount }) => amount.split('.'));
	const decimals = own[0][1]?.length ?? 0;
	const digits = own.reduce((sum, [whole, part = '']) => sum + BigInt(whole + part), 0n).toString().padStart(decimals + 1, '0');
	return `${currency} ${grouped(decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits)} (${own.length})`;
}).join(', ') || 'nothing';
const lineOf = (cells, tag = 'td') => `<tr>${cells.map((cell, index) => `<${tag}${index < 5 ? ' class="n"' : ''}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const tableOf = (title, header, lines) => (lines.length === 0 ? '' : `<h3>${title}</h3><table>${lineOf(header, 'th')}${lines.map((cells) => lineOf(cells)).join('')}</table>`);
const toLine = (row) => [row.row, row.supplier, row.account, row.invoice, `${row.currency} ${grouped(row.amount)}`, [...row.obstacles, ...row.held].join(' ')];
const asked = rows.filter(({ verdict }) => verdict === 'to approve');
const held = asked.filter((one) => one.held.length + one.obstacles.length > 0);
const HEADER = ['Row', 'Supplier', 'Account', 'Invoice', 'Amount', 'Why'];
const advice = rows.filter(({ verdict }) => verdict === 'to correct').flatMap((row) => row.advice.map(([column, text]) => [row.row, column, row.supplier, row.invoice, row.amount, text]));
const lists = [tableOf('Rows to correct', ['Row', 'Cell', 'Supplier', 'Invoice', 'Amount', 'What to correct'], advice), tableOf('Held', HEADER, held.map(toLine)), tableOf('Left out', HEADER, rows.filter(({ verdict }) => verdict === 'left out').map(toLine))];
const html = `<p><strong>Paid after an approval: ${sumOf(asked.filter((one) => !held.includes(one)))}</strong></p><p>Held until somebody approves each of them: ${sumOf(held)}. Rows in the file: ${rows.length}, to correct or left out: ${rows.length - asked.length}.</p>${lists.join('')}`;
const question = { fieldLabel: 'What Next', fieldType: 'radio', fieldOptions: { values: [{ option: 'Ask for approval' }, { option: 'Stop, and pay nothing' }] }, requiredField: true };
return [{ json: { rows, totals: sumOf(asked), form: [{ fieldType: 'html', elementName: 'check', html }, ...(asked.length > 0 ? [question] : [])] } }];
