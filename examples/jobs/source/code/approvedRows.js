// Decides what an approval pays: nothing that is held without a tick, and no row that was entered.
const { Held, Comment, 'Leave Out Rows': text } = $('Decide').first().json;
const { me, clean, held } = $('Review').first().json;
const open = [...clean, ...held];
const entered = String(text ?? '').split(/[\s,;]+/).filter(Boolean);
const unknown = entered.filter((row) => !open.some((one) => one.row === row));
const isTicked = ({ row }) => (Held ?? []).some((label) => label.startsWith(`Pay row ${row}:`));
const isPaid = (one) => !entered.includes(one.row) && (one.held.length === 0 || isTicked(one));
const [paid, leftOut] = [true, false].map((is) => open.filter((one) => isPaid(one) === is));
const comment = String(Comment ?? '').trim();
const by = `by ${me}${comment && `, who wrote: "${comment}"`}.`;
return [{ json: { unknown, paid, leftOut, comment, by } }];
