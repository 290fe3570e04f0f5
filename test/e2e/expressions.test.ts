import { isAdditionalField, type Field } from '../../nodes/Payments/Transaction';
import type { IDataObject, INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { outputOf } from '../../host/n8n/executions';
import { sharedN8n, useService } from './shared';

/*
 * The default engine keeps expressions in an isolate of its own, so what they come to crosses a
 * border. Here the node sends what it reads beside n8n's Set node with the same expressions,
 * alone in a field and together with others.
 */

const n8n = sharedN8n();
const service = useService(n8n);
const ITEM = `return [{ json: {
	text: 'abc', count: 7, zero: 0, 'a b': 'blank', "it's": 'quote', 'ü': 'umlaut', nested: { deep: { value: 'deep' }, list: ['first', { x: 'in list' }] },
	length: 'own length', constructorId: 'c', caller: 'own caller', created: '2025-05-28T11:38:44.513Z',
} }];`;

/** Dragged fields and calculated ones whose outcome the service takes as a reference. */
const TEXTS = [
	'$json.text',
	'$json.zero',
	'$json["it\'s"]',
	'$json.nested.list[1].x',
	'$json.length',
	'`t ${$json.count}`',
	'$json.text // a comment',
	'(1, 2)',
	'$json.missing?.deeper ?? "none"',
	'DateTime.fromISO($json.created).toFormat("yyyy-MM-dd")',
	'$json.nested.list.map((one) => one.x ?? one).join("+")',
];
const TIMES = [
	'DateTime.fromISO($json.created)',
	'new Date($json.created)',
	'$json.created',
	'DateTime.fromISO($json.created).toMillis()',
];

/** Texts with expressions in them. */
const TEMPLATES = [
	'{{ $json.text }} {{ $json["a b"] }} {{ $json.zero }}',
	'{{ $json.count > 5 }}/{{ $json.count > 9 }}/{{ -0 }}',
	'{{ [1, [2, null]] }} {{ $json.nested.list[0] }}',
	'on {{ DateTime.fromISO($json.created) }}',
	'on {{ new Date($json.created) }}',
	'{{ DateTime.fromISO($json.created).toFormat("yyyy-MM-dd") }}-{{ `t ${$json.count}` }}',
];
const FIXED = {
	resource: 'transaction',
	operation: 'create',
	specifyTransaction: 'fields',
	senderExternalEntityId: 's',
	senderExternalPaymentChannelId: 's',
	senderCountryCode: 'BE',
	recipientExternalEntityId: 'r',
	recipientExternalPaymentChannelId: 'r',
	recipientCountryCode: 'DK',
	amount: '1.00',
	currency: 'EUR',
	reference: 'x',
	paymentScheme: 'SCT',
	externalId: 'x',
	externalCreatedAt: '2025-05-28',
	options: {},
};

/**
 * Runs nodes side by side behind one item; gives what each put out, with what the service recorded.
 */
async function run(
	nodes: Array<Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>>,
): Promise<IDataObject[]> {
	const place = { position: [0, 0] as [number, number] };
	const workflow = await n8n.importWorkflow(
		{
			name: 'expressions',
			settings: { executionOrder: 'v1' },
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					parameters: {},
					...place,
				},
				{
					id: 'item',
					name: 'Item',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					parameters: { jsCode: ITEM },
					...place,
				},
				...nodes.map((node, index) => ({ id: `n${index}`, ...place, ...node })),
			],
			connections: {
				Start: { main: [[{ node: 'Item', type: 'main', index: 0 }]] },
				Item: {
					main: [nodes.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }))],
				},
			},
		},
		[service.credential],
	);
	const execution = await n8n.run(workflow, 'Start');
	const { items } = await service.sandbox.client.listTransactions({ limit: 200 });
	const recorded = new Map(items.map(({ transaction }) => [transaction.eventId, transaction]));
	return nodes.map(({ name }) => {
		const json = outputOf(execution, name)[0]?.json ?? {};
		return { ...json, ...recorded.get(json.eventId as string) } as IDataObject;
	});
}

const payments = (name: string, { additionalFields, ...parameters }: IDataObject) => ({
	name,
	type: 'n8n-nodes-payments.payments',
	typeVersion: 1,
	parameters: {
		...FIXED,
		...parameters,
		additionalFields: { ...(additionalFields as IDataObject), eventId: randomUUID() },
	} as INode['parameters'],
	credentials: { paymentsApi: { id: '', name: '' } },
	onError: 'continueRegularOutput' as const,
});
const set = (values: Record<string, string>) => ({
	name: 'Set',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: Object.entries(values).map(([name, value]) => ({
				id: name,
				name,
				value,
				type: 'string',
			})),
		},
		options: {},
	},
});

const parameter = (field: Field, value: string): IDataObject =>
	isAdditionalField(field) ? { additionalFields: { [field]: value } } : { [field]: value };

/**
 * Alone in a field, and with another expression beside it, so that both are worked out in one go.
 */
const bothWays = (codes: string[], field: Field) =>
	codes.flatMap((code, index) => [
		payments(`alone ${index}`, parameter(field, `={{ ${code} }}`)),
		payments(`together ${index}`, {
			...parameter(field, `={{ ${code}\n }}`),
			paymentScheme: '={{ "S" + "CT" }}',
			externalId: '={{ $json.text + 1 }}',
		}),
	]);

test('a field comes to what the engine makes of it, dragged or calculated, alone or together with others', async () => {
	const outputs = await run([
		set(Object.fromEntries(TEXTS.map((code, index) => [`v${index}`, `={{ ${code} \n}}`]))),
		...bothWays(TEXTS, 'reference'),
	]);
	const expected = TEXTS.map((_, index) => String(outputs[0][`v${index}`] as string));
	expect(expected).not.toContain('undefined');
	expect(
		outputs
			.slice(1)
			.filter((_, index) => index % 2 === 0)
			.map(({ reference }) => reference),
	).toEqual(expected);
	expect(
		outputs
			.slice(1)
			.filter((_, index) => index % 2 === 1)
			.map(({ reference, externalId, paymentScheme }) => [reference, externalId, paymentScheme]),
	).toEqual(expected.map((value) => [value, 'abc1', 'SCT']));
});

test('a text with expressions in it is the one that the engine makes', async () => {
	const [engine, ...outputs] = await run([
		set(Object.fromEntries(TEMPLATES.map((text, index) => [`v${index}`, `=${text}`]))),
		...TEMPLATES.map((text, index) => payments(`text ${index}`, { reference: `=${text}` })),
	]);
	expect(outputs.map(({ reference }) => reference)).toEqual(
		TEMPLATES.map((_, index) => engine[`v${index}`]),
	);
});

test('a point in time is the same one, whoever made it', async () => {
	const outputs = await run(bothWays(TIMES, 'externalCreatedAt'));
	expect(outputs.map(({ externalCreatedAt }) => externalCreatedAt)).toEqual(
		outputs.map(() => Date.parse('2025-05-28T11:38:44.513Z')),
	);
	const none = await run(
		bothWays(['DateTime.fromISO("none")', 'new Date("none")'], 'externalCreatedAt'),
	);
	expect(none.map(({ outcome }) => outcome)).toEqual(none.map(() => 'invalid'));
});
