import { readFileSync } from 'node:fs';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../../../nodes/PaymentsTrigger/PaymentsTrigger.node';

/* The order of the parameters, and rules of n8n's linter that the pinned version doesn't have. */

const { properties, builderHint } = new Payments().description;
const isCollection = ({ type }: INodeProperties) => type === 'collection';
/** The parameters, each collection followed by its members. */
const withMembers = (shown: INodeProperties[]) =>
	shown.flatMap((one) =>
		isCollection(one) ? [one, ...(one.options as INodeProperties[])] : [one],
	);
const all = withMembers(properties);

test('the fields are required, and read like a statement: what, how much, from whom, to whom', () => {
	const index = (name: string) => properties.findIndex((one) => one.displayName === name);
	const fields = properties.slice(index('Specify Transaction') + 1, index('Additional Fields'));
	expect(fields.map(({ displayName }) => displayName)).toEqual([
		...['External ID', 'Created At', 'Reference', 'Amount', 'Currency', 'Payment Scheme'],
		...['Sender Entity ID', 'Sender Payment Channel ID', 'Sender Country'],
		...['Recipient Entity ID', 'Recipient Payment Channel ID', 'Recipient Country'],
	]);
	const dates = all.filter(({ type }) => type === 'dateTime').map(({ name }) => name);
	expect(dates).toEqual(['externalCreatedAt', 'receivedAt']);
	const members = all.filter(isCollection).flatMap(({ options }) => options as INodeProperties[]);
	expect(fields.every(({ required }) => required)).toBe(true);
	expect(fields.filter((one) => one.default !== '')).toEqual([]);
	expect(members.some(({ required }) => required)).toBe(false);
	// Not behind a mouse: an IBAN there is what everybody tries first.
	expect(fields.filter(({ hint }) => hint?.includes('IBAN')).map(({ name }) => name)).toEqual([
		'senderExternalPaymentChannelId',
		'recipientExternalPaymentChannelId',
	]);
});

test('Options begin with what keeps money safe, and end with how it is sent', () => {
	const { options } = properties.find((one) => isCollection(one) && one.name === 'options')!;
	expect((options as INodeProperties[]).map(({ displayName }) => displayName)).toEqual([
		...['Dry Run', 'Max Amount', 'Max Total per Execution', 'Decimal Separator', 'On Duplicate'],
		...['Include Response', 'Max Concurrent Requests', 'Max Requests per Second'],
		...['Max Retry Time (Seconds)', 'Retry on Unknown Outcome', 'Timeout (Seconds)'],
	]);
});

test.each(
	all
		.filter(({ type, name }) => type === 'options' || name === 'additionalFields')
		.map((one) => [one.name, one.options as INodeProperties[]] as const),
)('the members or values of %s are in alphabetical order', (_, options) => {
	const names = (options ?? []).map(({ displayName, name }) => displayName ?? name);
	expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
});

test('what AI builders read has every field of the output', () => {
	const { properties: output } = JSON.parse(
		readFileSync('nodes/Payments/__schema__/v1.0.0/transaction/create.json', 'utf8'),
	) as { properties: object };
	const described = builderHint!.extraTypeDefContent!.map(({ content }) => content).join('\n');
	for (const field of Object.keys(output)) expect(described).toContain(`${field}: `);
});

/** Everything that AI builders read of a node, beside the descriptions of its parameters. */
function hintsOf(description: INodeTypeDescription): string[] {
	const { searchHint, extraTypeDefContent = [], relatedNodes = [] } = description.builderHint!;
	return [
		searchHint!,
		...extraTypeDefContent.map(({ content }) => content),
		...relatedNodes.map(({ relationHint }) => relationHint),
		...withMembers(description.properties).map((one) => one.builderHint?.propertyHint ?? ''),
	];
}

// n8n's builder shows 500 characters when it searches. All of it is part of each prompt.
test('a hint for AI builders has at most 500 characters, and all have at most 8,500', () => {
	const hints = [new Payments(), new PaymentsTrigger()].flatMap(({ description }) =>
		hintsOf(description),
	);
	for (const hint of hints) expect(hint.length).toBeLessThanOrEqual(500);
	expect(hints.join('').length).toBeLessThanOrEqual(8500);
});
