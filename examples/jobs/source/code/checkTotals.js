// What an approval pays, what is held, and what can't be approved yet, as totals for each currency.
//: money
//: totals
const asked = $('Check Payments').all().map(({ json }) => json)
	.filter(({ verdict }) => verdict === 'to approve');
const sumOf = (test) => totalsOf(asked.filter(test)).join(', ') || 'nothing';
const waits = ({ obstacles }) => obstacles.length > 0;
const isHeld = (one) => one.held.length > 0 && !waits(one);
const isPaid = (one) => !waits(one) && !isHeld(one);
return [{ json: { paid: sumOf(isPaid), held: sumOf(isHeld), waits: sumOf(waits) } }];
