import { Payments } from '../../../../nodes/Payments/Payments.node';
import { toolDescription } from '../../../../nodes/Payments/editor/toolDescription';

/* A model knows the tool by this text alone. */

const text = toolDescription.default as string;

test.each([
	['what it does', /^Records one payment/],
	['the format of amounts', /amounts as text with a dot.*such as \d+\.\d\d\b/],
	['the format of currencies', /currencies as three letters, such as [A-Z]{3}\b/],
	['the format of countries', /countries as two letters, such as [A-Z]{2}\b/],
	['the format of times', /ISO 8601/],
	['that repeats are safe', /again is safe.*records it once/],
	['what comes back', /Returns "outcome", "message", "fix"/],
	['that a model must not pay around a limit', /Never change or split a payment.*tell the user/],
	['what to do about an unknown outcome', /"unknown", call again soon with the same values/],
])('the default names %s', (_, pattern) => {
	expect(text).toMatch(pattern);
});

test('n8n takes it in place of the action, because the node has a parameter of that name for tools only', () => {
	const [first] = new Payments().description.properties;
	expect(first).toMatchObject({
		name: 'toolDescription',
		displayOptions: { show: { '@tool': [true] } },
	});
});
