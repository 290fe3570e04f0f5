// Reads the payments of a pain.001 (ISO 20022), and decides if it asks for more than this job does.
const settings = $('Settings').all().map(({ json }) => json.value);
const all = (value) => [value ?? []].flat();
const text = (value) => String(value?._ ?? value ?? '').trim();
const stop = (why) => [{ json: { fileRemark: `This file can't be used. ${why}` } }];
// Elements can have a prefix, such as in <ns2:PmtInf>.
const root = JSON.parse(JSON.stringify($input.first().json).replace(/"\w+:(\w+)":/g, '"$1":'));
const message = root.Document?.CstmrCdtTrfInitn;
if (!message) return stop("It isn't a pain.001 file.");
const groups = all(message.PmtInf);
const rows = groups.flatMap((group) => all(group.CdtTrfTxInf).map((one) => ({ group, one, amount: text(one.Amt?.InstdAmt) })));
//: units
const [count, sum] = [text(message.GrpHdr?.NbOfTxs), text(message.GrpHdr?.CtrlSum)];
if (count && Number(count) !== rows.length) return stop(`Its header says ${count} payments, and it has ${rows.length}.`);
if (sum && rows.reduce((total, { amount }) => total + units(amount || '0'), 0n) !== units(sum)) return stop(`Its header says that the amounts come to ${sum}, and they don't.`);
const debtor = groups.map(({ DbtrAcct }) => text(DbtrAcct?.Id?.IBAN ?? DbtrAcct?.Id?.Othr?.Id)).find((id) => id && !settings.includes(id));
if (debtor) return stop(`It pays from ${debtor}. The accounts of this job are in its settings.`);
const date = groups.map(({ ReqdExctnDt }) => text(ReqdExctnDt?.Dt ?? ReqdExctnDt)).find((day) => day > $now.toISODate());
if (date) return stop(`It asks for payment on ${date}, and this job pays when it's approved. Upload it on that day.`);
return rows.map(({ group, one, amount }, index) => {
	const account = text(one.CdtrAcct?.Id?.IBAN ?? one.CdtrAcct?.Id?.Othr?.Id);
	const level = text((one.PmtTpInf ?? group.PmtTpInf)?.SvcLvl?.Cd ?? (one.PmtTpInf ?? group.PmtTpInf)?.SvcLvl?.Prtry);
	const names = { invoice: text(one.RmtInf?.Strd?.RfrdDocInf?.Nb) || text(one.PmtId?.EndToEndId).replace(/^NOTPROVIDED$/, ''), supplier: text(one.Cdtr?.Id?.OrgId?.Othr?.Id ?? one.Cdtr?.Id?.PrvtId?.Othr?.Id ?? one.Cdtr?.Nm) };
	return { json: { row: index + 1, remark: '', ...names, name: text(one.Cdtr?.Nm), account, country: text(one.Cdtr?.PstlAdr?.Ctry) || account.slice(0, 2), amount, isDecimalDot: true, currency: text(one.Amt?.InstdAmt?.Ccy), method: level === 'SEPA' ? 'SCT' : level } };
});
