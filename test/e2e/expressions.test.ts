import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../host/n8n/executions';
import { isAdditionalField, type Field } from '../../nodes/Payments/Transaction';
import { node, payments, START, workflowOf } from '../support/builders/workflows';
import { sharedN8n, useService } from './shared';

/*
 * The default engine keeps expressions in an isolate of its own, so what they come to crosses a
 * border. Here the node sends what it reads beside n8n's Set node with the same expressions, alone
 * in a field and together with others.
 */

const n8n = sharedN8n();
const service = useService(n8n);
const ITEM = {
	...{ text: 'abc', count: 7, zero: 0, 'a b': 'blank', "it's": 'quote' },
	...{ length: 'own length', constructorId: 'c', caller: 'own caller' },
	nested: { list: ['first', { x: 'in list' }] },
	created: '2025-05-28T11:38:44.513Z',
};

/** Dragged fields and calculated ones whose outcome the service takes as a reference. */
const CODES = [
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
const NO_TIMES = ['DateTime.fromISO("none")', 'new Date("none")'];

/** Texts with expressions in them. */
const TEXTS = [
	'{{ $json.text }} {{ $json["a b"] }} {{ $json.zero }}',
	'{{ $json.count > 5 }}/{{ $json.count > 9 }}/{{ -0 }}',
	'{{ [1, [2, null]] }} {{ $json.nested.list[0] }}',
	'on {{ DateTime.fromISO($json.created) }}',
	'on {{ new Date($json.created) }}',
	'{{ DateTime.fromISO($json.created).toFormat("yyyy-MM-dd") }}-{{ `t ${$json.count}` }}',
];

const creating = (name: string, { additionalFields, ...parameters }: IDataObject) =>
	payments(
		name,
		{
			...{ specifyTransaction: 'fields', amount: '1.00', currency: 'EUR', reference: 'x' },
			...{ senderExternalEntityId: 's', senderExternalPaymentChannelId: 's' },
			...{ recipientExternalEntityId: 'r', recipientExternalPaymentChannelId: 'r' },
			...{ senderCountryCode: 'BE', recipientCountryCode: 'DK', paymentScheme: 'SCT' },
			...{ externalId: 'x', externalCreatedAt: '2025-05-28', ...parameters },
			options: { includeResponse: true },
			additionalFields: { ...(additionalFields as IDataObject), eventId: randomUUID() },
		} as never,
		{ onError: 'continueRegularOutput' },
	);
const parameter = (field: Field, value: string): IDataObject =>
	isAdditionalField(field) ? { additionalFields: { [field]: value } } : { [field]: value };
/**
 * Alone in a field, and with another expression beside it, so that both are worked out in one go.
 */
const bothWays = (codes: string[], field: Field) =>
	codes.flatMap((code) => [
		creating(`alone ${code}`, parameter(field, `={{ ${code} }}`)),
		creating(`together ${code}`, {
			...parameter(field, `={{ ${code}\n }}`),
			paymentScheme: '={{ "S" + "CT" }}',
			externalId: '={{ $json.text + 1 }}',
		}),
	]);

test('what a field comes to is what the engine makes of it: dragged, calculated, in a text, as a time; alone or together with others', async () => {
	const expressions = [
		...CODES.map((code) => `={{ ${code} \n}}`),
		...TEXTS.map((one) => `=${one}`),
	];
	const assignments = expressions.map((value, index) => ({
		...{ id: `v${index}`, name: `v${index}`, value, type: 'string' },
	}));
	const set = node('Set', 'set', 3.4, { assignments: { assignments }, options: {} });
	const code = node('Item', 'code', 2, { jsCode: `return [{ json: ${JSON.stringify(ITEM)} }];` });
	const nodes = {
		codes: bothWays(CODES, 'reference'),
		texts: TEXTS.map((value) => creating(`text ${value}`, { reference: `=${value}` })),
		times: bothWays(TIMES, 'externalCreatedAt'),
		noTimes: bothWays(NO_TIMES, 'externalCreatedAt'),
	};
	const workflow = workflowOf(START, code, set);
	for (const one of Object.values(nodes).flat()) {
		workflow.nodes.push(one);
		workflow.connections.Item.main[0]!.push({ node: one.name, type: 'main', index: 0 });
	}
	const execution = await n8n.run(
		await n8n.importWorkflow(workflow, [service.credential]),
		'Start',
	);
	const { items } = await service.sandbox.listTransactions({ limit: 200 });
	const outputs = (of: keyof typeof nodes) =>
		nodes[of].map(({ name }) => {
			const { outcome, sentEventId } = outputOf(execution, name)[0]?.json ?? {};
			return { outcome, ...items.find(({ eventId }) => eventId === sentEventId)?.transaction };
		});

	const byEngine = Object.values(outputOf(execution, 'Set')[0].json).map(String);
	expect(byEngine).not.toContain('undefined');
	expect(outputs('codes').map((one) => [one.reference, one.externalId, one.paymentScheme])).toEqual(
		byEngine.slice(0, CODES.length).flatMap((value) => [
			[value, 'x', 'SCT'],
			[value, 'abc1', 'SCT'],
		]),
	);
	expect(outputs('texts').map(({ reference }) => reference)).toEqual(byEngine.slice(CODES.length));
	expect(outputs('times').map(({ externalCreatedAt }) => externalCreatedAt)).toEqual(
		nodes.times.map(() => Date.parse(ITEM.created)),
	);
	expect(outputs('noTimes').map(({ outcome }) => outcome)).toEqual(
		nodes.noTimes.map(() => 'invalid'),
	);
});
