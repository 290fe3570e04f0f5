import { readFileSync } from 'node:fs';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../../../nodes/PaymentsTrigger/PaymentsTrigger.node';

/* The order of the parameters, and rules of n8n's linter that the pinned version doesn't have. */

const { properties } = new Payments().description;
const isNested = ({ type }: INodeProperties) => type === 'collection';
const all = properties.flatMap((one): INodeProperties[] =>
	isNested(one) ? [one, ...(one.options as INodeProperties[])] : [one],
);
const namesIn = (collection: string) =>
	(properties.find(({ name }) => name === collection)!.options as INodeProperties[]).map(
		({ displayName }) => displayName,
	);

test('what is another for each transaction comes first, and what stays the same last', () => {
	const fields = properties.filter(({ required, name }) => required && name !== 'toolDescription');
	expect(fields.map(({ displayName }) => displayName)).toEqual([
		'Amount',
		'Currency',
		'Recipient Entity ID',
		'Recipient Payment Channel ID',
		'Recipient Country',
		'Reference',
		'External ID',
		'Created At',
		'Sender Entity ID',
		'Sender Payment Channel ID',
		'Sender Country',
		'Payment Scheme',
	]);
	const index = (name: string) => properties.findIndex((one) => one.name === name);
	expect(index('amount') - index('specifyTransaction')).toBe(1);
});

test.each(['additionalFields', 'options'])('%s are in alphabetical order', (collection) => {
	const names = namesIn(collection);
	// The two limits of amounts stand together.
	const sortedAs = (name: string) => name.replace('Max Total', 'Max Amount, Total');
	const order = (one: string, other: string) => sortedAs(one).localeCompare(sortedAs(other));
	expect(names).toEqual([...names].sort(order));
});

test.each(
	all
		.filter(({ type, name }) => type === 'options' && name !== 'output')
		.map((one) => [one.name, one] as const),
)('the values of %s are in alphabetical order', (_, { options = [] }) => {
	const names = options.map(({ name }) => name);
	expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
});

test('the two times are dates in the form', () => {
	const dates = all.filter(({ type }) => type === 'dateTime').map(({ name }) => name);
	expect(dates).toEqual(['externalCreatedAt', 'receivedAt']);
});

test('nothing in a collection is required, and a hint has at most 200 characters', () => {
	for (const one of all.filter(isNested))
		expect((one.options as INodeProperties[]).filter(({ required }) => required)).toEqual([]);
	for (const { hint = '' } of all) expect(hint.length).toBeLessThanOrEqual(200);
});

test('what AI builders read has every field of the output', () => {
	const { extraTypeDefContent } = new Payments().description.builderHint!;
	const { properties: output } = JSON.parse(
		readFileSync('nodes/Payments/__schema__/v1.0.0/transaction/create.json', 'utf8'),
	) as { properties: object };
	const described = extraTypeDefContent!.map(({ content }) => content).join('\n');
	for (const field of Object.keys(output)) expect(described).toContain(`${field}: `);
});

/** Everything that AI builders read of a node, beside the descriptions of its parameters. */
function hintsOf({ builderHint, properties: shown }: INodeTypeDescription): string[] {
	const { searchHint, extraTypeDefContent = [], relatedNodes = [] } = builderHint!;
	const nested = shown.flatMap((one) =>
		isNested(one) ? [one, ...(one.options as INodeProperties[])] : [one],
	);
	return [
		searchHint!,
		...extraTypeDefContent.map(({ content }) => content),
		...relatedNodes.map(({ relationHint }) => relationHint),
		...nested.map((one) => one.builderHint?.propertyHint ?? ''),
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
