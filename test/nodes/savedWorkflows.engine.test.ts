import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import {
	credentialFor,
	EXPECTED,
	goldenCredentials,
	goldenWorkflows,
	isTrigger,
} from '../support/goldenWorkflows';
import { signed } from '../support/signed';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { startReceiver } from '../support/engine/triggerServer';

let bench: PaymentsBench;
useBench((one) => (bench = one));

test.each(goldenWorkflows.filter((one) => !isTrigger(one)))(
	'$id runs as it did',
	async ({ id, node, items }) => {
		const saved = credentialFor(id, 'paymentsApi');
		const { url } = bench.sandbox;
		await bench.seed({ ...saved, authUrl: url, baseUrl: url, ...bench.client } as IDataObject);
		const { json, error } = await bench.run(items, {}, { ...node, name: 'Payments' });
		expect(error).toBeUndefined();
		const { output, stored } = EXPECTED[id];
		expect(json).toMatchObject(output);
		const recorded = (await bench.sandbox.client.listTransactions()).items;
		const byExternalId = recorded.map(({ transaction }) => transaction);
		expect(byExternalId).toHaveLength(stored.length);
		for (const one of stored) expect(byExternalId).toContainEqual(expect.objectContaining(one));
	},
);

describe('triggers', () => {
	const deliver = async (id: string, event: object, headersFor: typeof signed) => {
		const { parameters } = goldenWorkflows.find((one) => one.id === id)!.node;
		const receiver = await startReceiver({
			parameters,
			workflowId: id,
			credential: credentialFor(id, 'paymentsWebhookApi'),
		});
		try {
			const body = JSON.stringify(event);
			const answer = await fetch(receiver.url, { method: 'POST', body, headers: headersFor(body) });
			return { status: answer.status, outputs: receiver.runs[0] };
		} finally {
			await receiver.stop();
		}
	};
	const unsigned = () => ({ 'content-type': 'application/json' });

	test('1.0.0/trigger-signature: an additional event type, signed', async () => {
		const event = { id: 'e1', event: 'CARD.FROZEN', data: {} };
		const { status, outputs } = await deliver('1.0.0/trigger-signature', event, signed);
		expect([status, outputs]).toEqual([200, [[{ json: event }]]]);
		const forged = await deliver('1.0.0/trigger-signature', event, unsigned);
		expect([forged.status, forged.outputs]).toEqual([401, undefined]);
	});

	test('1.0.0/trigger-none: every event, without a signature', async () => {
		const event = { id: 'e1', event: 'ANY.THING' };
		const { status, outputs } = await deliver('1.0.0/trigger-none', event, unsigned);
		expect([status, outputs]).toEqual([200, [[{ json: event }]]]);
	});

	test('every trigger has a test here', () => {
		const ids = goldenWorkflows.filter(isTrigger).map(({ id }) => id);
		expect(ids.sort()).toEqual(['1.0.0/trigger-none', '1.0.0/trigger-signature']);
	});
});

/** The properties of a description by their path in the parameters, such as `options.timeout`. */
const flatten = (properties: INodeProperties[], prefix = ''): Array<[string, INodeProperties]> =>
	properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((property) => {
			const path = prefix + property.name;
			if (property.type !== 'collection') return [[path, property] as [string, INodeProperties]];
			return flatten(property.options as INodeProperties[], `${path}.`);
		});

const valueAt = (parameters: object, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], parameters);

/** The names that are stored, collections opened. */
const storedPaths = (
	parameters: object,
	known: Map<string, INodeProperties>,
	prefix = '',
): string[] =>
	Object.entries(parameters).flatMap(([name, value]) => {
		const path = prefix + name;
		const isCollection = [...known.keys()].some((one) => one.startsWith(`${path}.`));
		return isCollection ? storedPaths(value as object, known, `${path}.`) : [path];
	});

const parametersOf = (type: string) =>
	goldenWorkflows
		.filter(({ node }) => node.type === `n8n-nodes-payments.${type}`)
		.map(({ node }) => node.parameters as object);

/** Everything that a user can set, and where it was set. */
const SETTINGS: Array<[string, INodeProperties[], object[]]> = [
	[
		'Payments',
		new Payments().description.properties,
		[...parametersOf('payments'), ...parametersOf('paymentsTool')],
	],
	[
		'Payments Trigger',
		new PaymentsTrigger().description.properties,
		parametersOf('paymentsTrigger'),
	],
	['Payments API', new PaymentsApi().properties, goldenCredentials('paymentsApi')],
	[
		'Payments Webhook API',
		new PaymentsWebhookApi().properties,
		goldenCredentials('paymentsWebhookApi'),
	],
];

/**
 * The values of a property that no workflow has: each choice of a list,
 * otherwise any value but the default.
 */
function missingValues(path: string, property: INodeProperties, stored: object[]): string[] {
	const values = stored
		.map((parameters) => valueAt(parameters, path))
		.filter((one) => one !== undefined);
	if (property.type === 'options') {
		const choices = (property.options as Array<{ value: string }>).map(({ value }) => value);
		const missing = choices.filter((one) => !values.includes(one) && one !== property.default);
		return missing.map((one) => `${path} = ${one}`);
	}
	const isSet = values.some((value) => JSON.stringify(value) !== JSON.stringify(property.default));
	return isSet ? [] : [path];
}

describe.each(SETTINGS)('%s', (_, properties, stored) => {
	const known = new Map(flatten(properties));

	test('every parameter is in a golden workflow, with another value than its default', () => {
		expect([...known].flatMap(([path, property]) => missingValues(path, property, stored))).toEqual(
			[],
		);
	});

	test('every parameter of the golden workflows is still known', () => {
		const paths = stored.flatMap((parameters) => storedPaths(parameters, known));
		expect(paths.filter((path) => !known.has(path))).toEqual([]);
	});
});
