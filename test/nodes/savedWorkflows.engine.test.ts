import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeProperties,
} from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { signed } from '../support/signed';
import { read } from '../support/sourceTexts';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { startReceiver } from '../support/engine/triggerServer';

/*
 * Workflows as each published version saved them, in a folder with the name of that version. They
 * must run the same in every later version, so they are never changed once it's published (1.0.0
 * isn't yet). A version with new parameters adds a folder, with a credentials.json if a credential
 * has new fields.
 */

const FOLDER = 'test/fixtures/workflows';
const versions = readdirSync(FOLDER).sort((one, other) =>
	one.localeCompare(other, 'en', { numeric: true }),
);

interface SavedWorkflow {
	nodes: INode[];
	pinData?: Record<string, Array<{ json: IDataObject }>>;
}
const saved = versions.flatMap((version) =>
	readdirSync(join(FOLDER, version))
		.filter((file) => file !== 'credentials.json')
		.map((file) => {
			const { nodes, pinData } = JSON.parse(read(join(FOLDER, version, file))) as SavedWorkflow;
			return {
				/** Such as `1.0.0/fields`. */
				id: `${version}/${file.replace('.json', '')}`,
				/** The node of this package. */
				node: nodes.find(({ type }) => type.startsWith('n8n-nodes-payments.'))!,
				items: (pinData?.Start ?? []).map(({ json }) => json),
			};
		}),
);
const isTrigger = ({ node }: (typeof saved)[number]) => node.type.endsWith('Trigger');

type SavedCredentials = Record<string, ICredentialDataDecryptedObject[]>;
const savedCredentials = versions
	.map((version) => join(FOLDER, version, 'credentials.json'))
	.filter((file) => existsSync(file))
	.map((file) => JSON.parse(read(file)) as SavedCredentials);
const credentialsOf = (type: string) => savedCredentials.flatMap((one) => one[type] ?? []);

const PARTIES = {
	sender: {
		externalEntityId: 'pyr_1',
		externalPaymentChannelId: 'pyr_1_main',
		countryCode: 'BE',
	},
	recipient: { externalEntityId: 'eus_1', externalPaymentChannelId: 'vac_1', countryCode: 'DK' },
};

/**
 * What each workflow of the Payments node puts out, and what the service has afterwards, the newest
 * first.
 */
const EXPECTED: Record<string, { output: IDataObject[]; stored: IDataObject[] }> = {
	'1.0.0/fields': {
		output: [
			{
				outcome: 'created',
				externalId: 'INV-1',
				amount: '2501.00',
				recipientPaymentChannelId: 'vac_1',
			},
			{
				outcome: 'created',
				externalId: 'INV-2',
				amount: '10.50',
				recipientPaymentChannelId: 'vac_1',
			},
		],
		stored: ['INV-2', 'INV-1'].map((externalId) => ({
			eventId: `event-${externalId}`,
			externalId,
			externalStatus: 'settled',
			baseAmount: '2700.00',
			currency: 'EUR',
			paymentScheme: 'SCT',
			reference: `Invoice ${externalId}`,
			externalCreatedAt: 1748432324513,
			receivedAt: 1748432324728,
			...PARTIES,
		})),
	},
	'1.0.0/input-item-all-options': {
		output: [{ outcome: 'created', externalId: 'pmt_1', amount: '1.50' }],
		stored: [{ amount: '1.50', ...PARTIES }],
	},
	'1.0.0/tool-dry-run': {
		output: [{ outcome: 'dryRun', amount: '1.50', recipientPaymentChannelId: 'vac_1' }],
		stored: [],
	},
};

let bench: PaymentsBench;
useBench((one) => (bench = one));

test.each(saved.filter((one) => !isTrigger(one)))(
	'$id runs as it did',
	async ({ id, node, items }) => {
		const [credential] = credentialsOf('paymentsApi');
		const { url } = bench.sandbox;
		await bench.seed({ ...credential, authUrl: url, baseUrl: url, ...bench.client } as IDataObject);
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

/** An event that starts each trigger. */
const EVENTS: Record<string, IDataObject> = {
	'1.0.0/trigger-signature': { id: 'e1', event: 'CARD.FROZEN', data: {} },
	'1.0.0/trigger-none': { id: 'e1', event: 'ANY.THING' },
};

test.each(saved.filter(isTrigger))('$id runs as it did', async ({ id, node }) => {
	const receiver = await startReceiver({
		parameters: node.parameters,
		workflowId: id,
		credential: credentialsOf('paymentsWebhookApi')[0],
	});
	const body = JSON.stringify(EVENTS[id]);
	const statusWith = async (headers: Record<string, string>) =>
		(await fetch(receiver.url, { method: 'POST', body, headers })).status;
	try {
		const isVerified = node.parameters.authentication !== 'none';
		if (isVerified) expect(await statusWith({})).toBe(401);
		expect(await statusWith(isVerified ? signed(body) : {})).toBe(200);
		expect(receiver.runs).toEqual([[[{ json: EVENTS[id] }]]]);
	} finally {
		await receiver.stop();
	}
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

/** What is stored, by its path, collections opened. */
const storedIn = (
	parameters: object,
	known: Map<string, INodeProperties>,
	prefix = '',
): Array<[string, unknown]> =>
	Object.entries(parameters).flatMap(([name, value]): Array<[string, unknown]> => {
		const path = prefix + name;
		const isCollection = [...known.keys()].some((one) => one.startsWith(`${path}.`));
		return isCollection ? storedIn(value as object, known, `${path}.`) : [[path, value]];
	});

const parametersOf = (type: string) =>
	saved
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
	['Payments API', new PaymentsApi().properties, credentialsOf('paymentsApi')],
	[
		'Payments Webhook API',
		new PaymentsWebhookApi().properties,
		credentialsOf('paymentsWebhookApi'),
	],
];

/**
 * The values of a property that no workflow has: each choice of a list, otherwise any value but the
 * default. What was added to a collection is stored, also with the value that it begins with.
 */
function missingValues(path: string, property: INodeProperties, values: unknown[]): string[] {
	if (path.includes('.')) return values.length > 0 ? [] : [path];
	if (property.type === 'options') {
		const choices = (property.options as Array<{ value: string }>).map(({ value }) => value);
		const missing = choices.filter((one) => !values.includes(one) && one !== property.default);
		return missing.map((one) => `${path} = ${one}`);
	}
	const isSet = values.some((value) => JSON.stringify(value) !== JSON.stringify(property.default));
	return isSet ? [] : [path];
}

test.each(SETTINGS)(
	'every parameter of %s is in a saved workflow, with another value than its default, and none of these is unknown',
	(_, properties, saved) => {
		const known = new Map(flatten(properties));
		const stored = saved.flatMap((parameters) => storedIn(parameters, known));
		const valuesOf = (path: string) =>
			stored.filter(([one]) => one === path).map(([, value]) => value);
		const missing = [...known].flatMap(([path, property]) =>
			missingValues(path, property, valuesOf(path)),
		);
		expect(missing).toEqual([]);
		expect(stored.filter(([path]) => !known.has(path))).toEqual([]);
	},
);
