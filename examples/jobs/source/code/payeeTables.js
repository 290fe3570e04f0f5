// What the approver of accounts sees: each new account beside those the supplier has until now.
const { me, isApprover, waiting, known, old, changed } = $input.first().json;
const why = isApprover ? "No account waits for you. Who entered an account can't approve it."
	: `${me || 'Who signed in'} isn't an approver. Approvers are in the settings.`;
const top = changed.map(({ supplier, account }) =>
	`${supplier}, ${account}: changed in the table, not by a job. It can't be paid.`);
const table = {
	heading: 'New accounts',
	header: ['Supplier', 'New account', 'Accounts until now', 'Country', 'Evidence', 'Entered by',
		'Doubts, and others with this account'],
	rows: waiting.map(({ supplier, account, country, evidence, enteredBy }, index) =>
		[supplier, account, known[index][0], country, evidence, enteredBy, known[index][1]]),
};
const boxes = (fieldLabel, options) => (options.length === 0 ? [] : [{
	...{ fieldLabel, fieldType: 'checkbox', limitSelection: 'unlimited', requiredField: false },
	fieldOptions: { values: options.map((option) => ({ option })) },
}]);
const nameOf = ({ supplier, account }, index) => `${index + 1}. ${supplier}, ${account}`;
const numbered = (some) => some.map(nameOf);
const checked = { fieldLabel: 'What you checked', fieldType: 'text', requiredField: true };
const approve = boxes('Approve', ['All of them', ...numbered(waiting)]);
const choices = [...approve, ...boxes('End', numbered(old)), checked];
const isEmpty = waiting.length === 0;
return [{ json: { top: isEmpty ? [...top, why] : top, tables: [table], fields: isEmpty ? [] : choices } }];
