// Makes the page and the title from the findings. Each list has its count and its totals.
const LISTS = ['Changed', 'Open', 'Not paid', 'Missing', 'Different', 'Came back', 'Unexpected', 'May still come', 'Matched'];
const SHOWN = 50; // rows of each list on the page; the file has all
const zone = $('Settings').all().find(({ json }) => json.setting === 'time zone')?.json.value || 'UTC';
const findings = $('Findings').all().map(({ json }) => json).filter(({ list }) => list);
const escaped = (value) => String(value ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const line = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
const header = line(['Invoice', 'Supplier', 'Sent', 'Sent on', 'Booked', 'Booked on', 'Finding'], 'th');
const money = (amount, currency) => (amount ? `${currency} ${amount}` : '');
const cells = (one) => [one.invoice ?? one.text, one.supplier, money(one.amount, one.currency), one.day, money(one.entryAmount, one.entryCurrency), one.date, one.finding];
/** Amounts are text, and are added as whole numbers of a ten-thousandth. */
function totals(rows) {
	const sums = new Map();
	for (const { amount, booked, currency, entryCurrency } of rows) {
		const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(amount ?? booked) ?? [];
		const [sum, decimals] = sums.get(currency ?? entryCurrency) ?? [0n, 0];
		if (whole) sums.set(currency ?? entryCurrency, [sum + BigInt(whole + part.padEnd(4, '0')), Math.max(decimals, part.length)]);
	}
	return [...sums].map(([currency, [sum, decimals]]) => `${currency} ${String(sum).padStart(5, '0').replace(/(.{4})$/, '.$1').slice(0, decimals - 4 || undefined).replace(/\.$/, '')}`).sort().join(', ');
}
const groups = LISTS.map((name) => [name, findings.filter(({ list }) => list === name)]).filter(([, rows]) => rows.length > 0);
const html = groups.map(([name, rows]) => `<h3>${name}: ${rows.length}</h3><p>${totals(rows)}</p><table>${header}${rows.slice(0, SHOWN).map((one) => line(cells(one), 'td')).join('')}</table>${rows.length > SHOWN ? `<p>${rows.length - SHOWN} more are in the file.</p>` : ''}`);
const title = groups.map(([name, rows]) => `${rows.length} ${name.toLowerCase()}`).join(', ') || 'Nothing to report';
const json = { title, html: `<p>Days are those of ${escaped(zone)}.</p>${html.join('')}`, date: $now.setZone(zone).toISODate() };
return [{ json, binary: $input.first().binary }];
