const earlier = $('Earlier Payments').all().map(({ json }) => withExpiry(json))
	.filter(({ externalId }) => externalId);
/** A payment that was asked for before, or that another row asks for. */
const isSame = (a, b) => ['supplier', 'account', 'invoice', 'amount', 'currency']
	.every((name) => String(a[name]) === String(b[name]));
const OVER = ['rejected', 'failed', 'returned', 'declined', 'withdrawn', 'expired'];
const isOver = ({ result, decision }) => OVER.includes(result) || OVER.includes(decision);
const sinceOf = (one) => String(one.sentAt || one.decidedAt || one.createdAt).slice(0, 10);
const whereOf = (one) => (one.result ? `run ${one.run}, row ${one.row}, ${one.result} since ${sinceOf(one)}`
	: `row ${one.row}, in this file`);
const nameOf = (one) => `${moneyOf(one)}, invoice ${one.invoice}, ${whereOf(one)}`;
