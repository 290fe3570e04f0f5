// What an approval pays and what is held, as totals for each currency.
//: money
//: totals
const asked = $('Check Payments').all().map(({ json }) => json)
	.filter(({ verdict }) => verdict === 'to approve');
const isHeld = ({ held, obstacles }) => held.length + obstacles.length > 0;
const sumOf = (some) => totalsOf(some).join(', ') || 'nothing';
return [{ json: { paid: sumOf(asked.filter((one) => !isHeld(one))), held: sumOf(asked.filter(isHeld)) } }];
