// What the approver of accounts sees: each new account beside those the supplier has until now.
const { me, isApprover, toEnd, waiting, known, old, changed } = $input.first().json;
const why = !isApprover ? `${me || 'Who signed in'} isn't an approver. Approvers are in the settings.`
	: toEnd ? `No approved account, or its supplier, is "${toEnd}".` : 'No account waits for you.';
const top = changed.map(({ supplier, account }) =>
	`${supplier}, ${account}: changed in the table, not by a job. It can't be paid.`);
const daysOf = (days) => (Number(days) ? `${days} days` : 'never');
const evidenceOf = ({ evidence = '' }) => evidence.replace(/^Paid before$/, '$&: one approver is enough');
const table = {
	heading: 'New or changed accounts',
	header: ['Supplier', 'Name', 'Account', 'Accounts until now', 'Country', 'Equal payments every',
		'Evidence', 'Entered by', 'Doubts, and others with this account'],
	rows: waiting.map((one, index) => [one.supplier, one.name, one.account, known[index][0], one.country,
		...[daysOf(one.equalEvery), evidenceOf(one), one.enteredBy, known[index][1]]]),
};
const boxes = (fieldLabel, options, first = []) => (options.length === 0 ? [] : [{
	...{ fieldLabel, fieldType: 'checkbox', limitSelection: 'unlimited', requiredField: false },
	fieldOptions: { values: [...first, ...options].map((option) => ({ option })) },
}]);
const named = (some) => some.map(({ supplier, name, account }, index) =>
	`${index + 1}. ${[supplier, name, account].filter(Boolean).join(', ')}`);
const checked = { fieldLabel: 'What you checked', fieldType: 'text', requiredField: true };
const ask = [...boxes('Approve', named(waiting), ['All of them']), ...boxes('End', named(old)), checked];
const [more, fields] = waiting.length + old.length === 0 ? [[why], []] : [[], ask];
return [{ json: { top: [...top, ...more], tables: [table], fields } }];
