import type { INodePropertyOptions } from 'n8n-workflow';

import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { OPTIONS } from '../../../nodes/PaymentsTrigger/settings';
import { recommendedEvents } from '../../../sandbox/deliveries/eventCatalog';

const { properties, builderHint } = new PaymentsTrigger().description;

test('Trigger On begins with all events, and what the contract recommends, which is its default', () => {
	const { options, default: selected } = properties.find(({ name }) => name === 'events')!;
	const [all, ...others] = (options as INodePropertyOptions[]).map(({ value }) => value);
	expect(all).toBe('*');
	expect(others.slice(0, recommendedEvents.length).sort()).toEqual([...recommendedEvents].sort());
	expect(selected).toEqual(others.slice(0, recommendedEvents.length));
	expect(new Set(others).size).toBe(others.length);
});

test('the options are those that are read', () => {
	const shown = properties.find(({ name, type }) => name === 'options' && type === 'collection')!;
	expect(shown.options!.map(({ name }) => name)).toEqual(OPTIONS.names);
});

test('what AI builders read of the output has no marks of a comment, because n8n adds them', () => {
	for (const { content } of builderHint!.extraTypeDefContent!)
		for (const line of content.split('\n')) expect(line).not.toMatch(/^\s*\/?\*|\*\/$/);
});
