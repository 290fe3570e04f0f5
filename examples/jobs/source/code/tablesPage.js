// Makes the page of a form from texts, tables, and fields. Whatever a text has is shown as text.
const { top, text, tables, fields = [], ...more } = $input.first().json;
const SHORT = 40; // so short a cell stays on one line, such as an amount or an account
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const cellOf = (value, tag) =>
	`<${tag}${String(value ?? '').length > SHORT ? '' : ' headers="n"'}>${escaped(value)}</${tag}>`;
const lineOf = (values, tag) => `<tr>${values.map((value) => cellOf(value, tag)).join('')}</tr>`;
const paragraphOf = (says) => (says ? `<p>${escaped(says)}</p>` : '');
const tableOf = ({ heading, says, header, rows }) => {
	const used = (row) => row.filter((_, index) => rows.some((one) => String(one[index] ?? '') !== ''));
	const lines = [lineOf(used(header), 'th'), ...rows.map((row) => lineOf(used(row), 'td'))];
	return `<h3>${escaped(heading)}</h3>${paragraphOf(says)}<table>${lines.join('')}</table>`;
};
const html = [
	...top.map((one) => `<p><strong>${escaped(one)}</strong></p>`),
	paragraphOf(text),
	...tables.filter(({ rows }) => rows.length > 0).map(tableOf),
].join('');
const form = [{ fieldType: 'html', elementName: 'page', html }, ...fields];
return [{ json: { ...more, html, form }, binary: $input.first().binary }];
