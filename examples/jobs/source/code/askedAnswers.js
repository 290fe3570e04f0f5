// What is said about each payment that was asked for.
const executed = ['Save Payout Run', 'Save Decisions'].filter((name) => $(name).isExecuted);
const saved = executed.flatMap((name) => $(name).all()).map(({ json }) => json);
return $('Check Payments').all().map(({ json: row }) => {
	const { invoice, supplier, amount, currency, verdict, externalId = '' } = row;
	const last = saved.filter((one) => externalId && one.externalId === externalId).at(-1);
	const why = [...(row.advice ?? []).map(([, text]) => text), ...(row.held ?? [])].join(' ');
	const answer = verdict !== 'to approve' ? `Nothing was asked for, and nothing is paid. ${why}`
		: last?.decision === 'approved'
			? 'It is approved, and is sent within a few minutes. It is not paid yet.'
			: `Nothing is paid yet. ${last?.explanation ?? 'Waits for an approval.'}`;
	const result = last?.result ?? '';
	return { json: { invoice, supplier, amount, currency, externalId, verdict, result, answer } };
});
