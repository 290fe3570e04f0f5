// What the uploader sees: what an approval pays is the headline, and what is held stands below.
const rows = $('Check Payments').all().map(({ json }) => json);
const [{ paid, held, waits }, { fileRemark }] = [$input.first().json, rows[0]];
if (fileRemark) return [{ json: { top: [fileRemark], tables: [] } }];
//: money
const toLine = (one) => [one.row, one.supplier, one.account, one.invoice,
	moneyOf(one), [...one.obstacles, ...one.held].join(' ')];
const is = (verdict) => rows.filter((one) => one.verdict === verdict);
const asked = is('to approve');
const toCorrect = is('to correct').flatMap(({ row, supplier, invoice, amount, advice }) =>
	advice.map(([column, says]) => [row, column, supplier, invoice, amount, says]));
const header = ['Row', 'Supplier', 'Account', 'Invoice', 'Amount', 'Why'];
const CORRECT = ['Row', 'Cell', 'Supplier', 'Invoice', 'Amount', 'What to correct'];
const tables = [
	{ heading: 'Rows to correct', header: CORRECT, rows: toCorrect },
	{ heading: 'Held', header, rows: asked.filter((one) => one.held.length + one.obstacles.length).map(toLine) },
	{ heading: 'Left out', header, rows: is('left out').map(toLine) },
];
const text = `Held until somebody ticks each of them: ${held}. Can't be approved yet: ${waits}.`
	+ ` Rows in the file: ${rows.length}, to correct or left out: ${rows.length - asked.length}.`;
const fieldOptions = { values: [{ option: 'Ask for approval' }, { option: 'Stop, and pay nothing' }] };
const question = { fieldLabel: 'What Next', fieldType: 'radio', fieldOptions, requiredField: true };
//: stopped
const top = [`Paid after an approval: ${paid}`, ...STOPPED];
return [{ json: { top, text, tables, fields: asked.length > 0 ? [question] : [] } }];
