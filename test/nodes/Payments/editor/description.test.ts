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

test('the fields are required, and begin with what is another for each transaction', () => {
	const index = (name: string) => properties.findIndex((one) => one.displayName === name);
	const fields = properties.slice(index('Specify Transaction') + 1, index('Additional Fields'));
	const names = fields.map(({ displayName }) => displayName);
	expect(names.slice(0, 3)).toEqual(['Amount', 'Currency', 'Recipient Entity ID']);
	expect(names.slice(-2)).toEqual(['Sender Country', 'Payment Scheme']);
	const dates = all.filter(({ type }) => type === 'dateTime').map(({ name }) => name);
	expect(dates).toEqual(['externalCreatedAt', 'receivedAt']);
	const members = all.filter(isCollection).flatMap(({ options }) => options as INodeProperties[]);
	expect(fields.every(({ required }) => required)).toBe(true);
	expect(members.some(({ required }) => required)).toBe(false);
});

test.each(
	all
		.filter(({ type }) => ['collection', 'options'].includes(type))
		.map((one) => [one.name, one.options as INodeProperties[]] as const),
)('the members or values of %s are in alphabetical order', (_, options) => {
	// The two limits of amounts stand together.
	const names = options.map(({ displayName, name }) =>
		(displayName ?? name).replace('Max Total', 'Max Amount, Total'),
	);
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
