const payees = $('Seals of Payees').all().map(({ json }) => json)
	.filter(({ state, seal, check }) => state === 'approved' && seal === check);
