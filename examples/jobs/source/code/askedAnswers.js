// What is said about each payment that was asked for.
const saved = ['Save Payments', 'Save Decisions'].filter((name) => $(name).isExecuted).flatMap((name) => $(name).all()).map(({ json }) => json);
return $('Check Payments').all().map(({ json: row }) => {
	const last = saved.filter(({ externalId }) => externalId && externalId === row.externalId).at(-1);
	const why = [...(row.advice ?? []).map(([, text]) => text), ...(row.held ?? [])].join(' ');
	const answer = row.verdict !== 'to approve' ? `Nothing was asked for, and nothing is paid. ${why}`
		: last?.decision === 'approved' ? 'It is approved, and is sent within a few minutes. It is not paid yet.'
		: `Nothing is paid yet. ${last?.explanation ?? 'Waits for an approval.'}`;
	const { invoice, supplier, amount, currency, verdict, externalId = '' } = row;
	return { json: { invoice, supplier, amount, currency, externalId, verdict, result: last?.result ?? '', answer } };
});
