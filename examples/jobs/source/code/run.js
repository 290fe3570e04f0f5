// The run that is saved: who asks for what, and every row of the file as it was read.
const { rows, totals } = $('Summary').first().json;
const asked = rows.filter(({ verdict }) => verdict === 'to approve');
const [now, requestedBy] = [$now.toUTC().toISO(), $('Upload Payout File').first().json.user.email.toLowerCase()];
return [{ json: {
	run: $execution.id,
	job: 'payout run',
	requestedBy,
	requestedAt: now,
	fileName: $('Upload Payout File').first().binary.File.fileName,
	fileHash: $('File Hash').first().json.fileHash,
	payments: String(asked.length),
	totals,
	leftOut: String(rows.length - asked.length),
	rows: JSON.stringify(rows.map(({ row, verdict, invoice, supplier, account, country, amount, currency, method, advice, held }) => ({ row, verdict, invoice, supplier, account, country, amount, currency, method, advice, held }))),
	digest: asked.map(({ externalId }) => externalId).sort().join('\n'),
	history: `${now} to approve: uploaded by ${requestedBy}`,
} }];
