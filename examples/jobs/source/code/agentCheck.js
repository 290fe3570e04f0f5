// Decides if the model named exactly one invoice. What is asked for comes from the list.
const asked = $('When the Agent Asks').first().json;
const rows = $input.all().map(({ json }) => json).filter(({ id }) => id !== undefined);
const name = `invoice ${asked.invoice} of supplier ${asked.supplier}`;
/** Amounts are text, and are compared as whole numbers of a ten-thousandth. */
const units = (amount) => {
	const [, whole, part = ''] = /^(\d{1,15})(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
	return whole && BigInt(whole + part.padEnd(4, '0'));
};
const [row] = rows;
const why = rows.length === 0 ? `The list has no ${name}.`
	: rows.length > 1 ? `The list has ${name} more than once. A person must clear this up.`
	: row.currency !== asked.currency || !units(row.amount) || units(row.amount) !== units(asked.amount)
		? `The ${name} has another amount or currency.` : '';
if (why) return [{ json: { answer: `Nothing was asked for, and nothing is paid. ${why}` } }];
const { invoice, supplier, account, country, amount, currency, method } = row;
const payment = { invoice, supplier, account, country, amount, currency, method };
return [{ json: { ...payment, row: String(row.id), job: 'agent', requestedBy: 'agent' } }];
