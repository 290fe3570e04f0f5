// The question on the page: what a person found out about a payment that needs attention.
//: money
const { open } = $('Reminders').first().json;
const asked = open.filter((one) => one.result === 'needs attention' && one.isGenuine);
const HOW = 'Ask your service for the Event ID, which is the External ID. Look at its records, not only at'
	+ ' the status of a request. Until you know, decide nothing, and pay it in no other way.';
const html = `<h3>What did you find out?</h3><p>${HOW}</p>`;
const valuesOf = (options) =>
	({ requiredField: false, fieldOptions: { values: options.map((option) => ({ option })) } });
const payments = asked.map((one) => `${one.externalId} (${moneyOf(one)})`);
const findings = ['The service has it', "The service doesn't have it"];
const fields = [
	{ fieldType: 'html', elementName: 'how', html },
	{ fieldLabel: 'Payment', fieldType: 'dropdown', ...valuesOf(payments) },
	{ fieldLabel: 'Finding', fieldType: 'radio', ...valuesOf(findings) },
	{ fieldLabel: 'How do you know', fieldType: 'text', requiredField: false },
];
return [{ json: { ...$input.first().json, fields: asked.length > 0 ? fields : [] } }];
