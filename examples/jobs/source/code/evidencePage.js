// The page: totals by currency and result, and by payee, and what became of each payment.
const { warnings, listed, lines, chosen, title } = $input.first().json;
const SHOWN = 100;
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const moneyOf = (amount) => amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
const totalOf = (own) => {
	const decimals = own[0].amount.split('.')[1]?.length ?? 0;
	const digits = own.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n).toString().padStart(decimals + 1, '0');
	return moneyOf(decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits);
};
const groups = (nameOf) => [...new Set(listed.map(nameOf))].sort().map((name) => [name, listed.filter((one) => nameOf(one) === name)]);
const lineOf = (cells, tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const tableOf = (heading, header, some) => (some.length === 0 ? '' : `<h3>${heading}</h3><table>${lineOf(header, 'th')}${some.map((cells) => lineOf(cells)).join('')}</table>`);
const sums = (heading, nameOf) => tableOf(heading, [heading.replace('By ', ''), 'Payments', 'Total'], groups(nameOf).map(([name, own]) => [name, own.length, `${own[0].currency} ${totalOf(own)}`]));
const runs = tableOf('Runs', ['Run', 'File', 'SHA-256 of the file', 'Uploaded by', 'Decided by', 'Comment', 'What happened'], chosen.map((one) => [one.run, one.fileName, one.fileHash, one.requestedBy, one.decidedBy, one.comment, one.history]));
const payments = tableOf(listed.length > SHOWN ? `The first ${SHOWN} of ${listed.length} payments. The file has all.` : 'Payments', ['Run', 'Row', 'Supplier', 'Invoice', 'Amount', 'Result', 'Explanation', 'Decided by', 'External ID'], listed.slice(0, SHOWN).map((one) => [one.run, one.row, one.supplier, one.invoice, `${one.currency} ${moneyOf(one.amount)}`, one.result, one.explanation, one.decidedBy, one.externalId]));
const message = `${warnings.map((text) => `<p><strong>${escaped(text)}</strong></p>`).join('')}<p>${listed.length} payments. The file that was downloaded has each of them with its history.</p>${sums('By result', ({ currency, result }) => `${result}, ${currency}`)}${sums('By payee', ({ supplier, currency }) => `${supplier}, ${currency}`)}${runs}${payments}`;
return [{ json: { title: escaped(title), message, lines } }];
