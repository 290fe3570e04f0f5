// Reads each transaction of each entry of a camt.053 statement (ISO 20022).
const list = (value) => [value ?? []].flat();
const textOf = (value) => String(value?._ ?? value ?? '').trim();
const [{ json }] = $input.all();
const all = list(json.Document?.BkToCstmrStmt?.Stmt).flatMap(({ Ntry }) => list(Ntry));
const entries = all.flatMap((entry, index) => {
	const details = list(entry.NtryDtls).flatMap((one) => list(one.TxDtls));
	return (details.length > 0 ? details : [{}]).map((detail, part) => {
		const amount = details.length > 1 ? (detail.Amt ?? detail.AmtDtls?.TxAmt?.Amt) : entry.Amt;
		const texts = [detail.Refs?.EndToEndId, ...list(detail.RmtInf?.Ustrd), entry.AddtlNtryInf].map(textOf);
		return {
			entry: `${index + 1}.${part + 1}`,
			text: texts.filter((text) => text !== '' && text !== 'NOTPROVIDED').join(' '),
			entryAmount: textOf(amount),
			entryCurrency: textOf(amount?.Ccy),
			date: textOf(entry.BookgDt?.Dt ?? entry.BookgDt?.DtTm).slice(0, 10),
			isCredit: textOf(detail.CdtDbtInd ?? entry.CdtDbtInd) === 'CRDT',
		};
	});
});
const remark = 'It has no entries that can be read. Use a camt.053 file whose elements have no prefix.';
return entries.length > 0 ? entries.map((one) => ({ json: one })) : [{ json: { remark } }];
