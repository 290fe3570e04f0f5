import type { INodePropertyOptions } from 'n8n-workflow';

import { recommendedEventTypes } from '../../../nodes/PaymentsTrigger/description';
import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import schema from '../../../nodes/PaymentsTrigger/__schema__/v1.1.0/output.json';
import { OPTIONS } from '../../../nodes/PaymentsTrigger/settings';
import { recommendedEvents } from '../../../sandbox/deliveries/eventCatalog';
import { eventCatalog } from '../../support/eventCatalog';

const { properties, builderHint } = new PaymentsTrigger().description;
const aiTexts = builderHint!.extraTypeDefContent!;

test('Trigger On begins with all events, then those of payments, and has selected what the contract recommends', () => {
	const { options, default: selected } = properties.find(({ name }) => name === 'events')!;
	const [all, ...others] = (options as INodePropertyOptions[]).map(({ value }) => value);
	expect(all).toBe('*');
	const subjects = others.map((value) => (value as string).split('.')[0]);
	expect([...new Set(subjects)].slice(0, 2)).toEqual(['PAYMENT', 'RETURN']);
	// Each subject stands once, with its status first.
	const starts = subjects.flatMap((subject, index) =>
		subject === subjects[index - 1] ? [] : index,
	);
	expect(starts).toHaveLength(new Set(subjects).size);
	for (const start of starts) expect(others[start]).toMatch(/\.STATUS_UPDATED$/);
	expect([...(selected as string[])].sort()).toEqual([...recommendedEvents].sort());
	for (const one of selected as string[]) expect(others).toContain(one);
	expect(new Set(others).size).toBe(others.length);
});

test('the options are those that are read', () => {
	const shown = properties.find(({ name, type }) => name === 'options' && type === 'collection')!;
	expect(shown.options!.map(({ name }) => name)).toEqual(OPTIONS.names);
});

test('what AI builders read of the output has no marks of a comment, because n8n adds them', () => {
	for (const { content } of aiTexts)
		for (const line of content.split('\n')) expect(line).not.toMatch(/^\s*\/?\*|\*\/$/);
});

/*
 * What the editor and AI builders know of the trigger's items before the first event: the fields of
 * payments, returns, and accounts in the contract's event catalog.
 */

const TYPES = [...recommendedEventTypes, 'RETURN.CREATED', 'FIAT_ACCOUNT.BALANCE_UPDATED'];

/** Lists the paths of a value's members with their types. */
function pathsOf(value: unknown, path = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((member) => pathsOf(member, `${path}[]`));
	if (typeof value !== 'object' || value === null) {
		return [`${path}: ${typeof value === 'number' ? 'integer' : typeof value}`];
	}
	return Object.entries(value).flatMap(([name, member]) => pathsOf(member, `${path}.${name}`));
}

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function pathsOfSchema({ type, properties, items }: Schema, path = ''): string[] {
	if (items) return pathsOfSchema(items, `${path}[]`);
	if (!properties) return [`${path}: ${type}`];
	return Object.entries(properties).flatMap(([name, one]) => pathsOfSchema(one, `${path}.${name}`));
}

const fieldsOf = (types: string[]) => [
	...new Set(types.flatMap((type) => pathsOf(eventCatalog[type].example))),
];

test('the schema has the fields of payments, returns, and accounts, and no others', () => {
	const fields = fieldsOf(TYPES);
	expect(fields.length).toBeGreaterThan(20);
	expect(pathsOfSchema(schema as Schema).sort()).toEqual(fields.sort());
});

test('the type definition for AI builders names only such fields', () => {
	const named = aiTexts.flatMap(({ content }) => content.match(/\bdata\.[a-zA-Z.]+[a-zA-Z]/g)!);
	const fields = fieldsOf(TYPES).join('\n');
	expect(named).toEqual(
		expect.arrayContaining(['data.paymentId', 'data.balance', 'data.metadata.externalId']),
	);
	for (const name of named) expect(fields).toContain(`.${name}`);
});
