import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import type { WorkflowJson } from '../../host/n8n/client';

/*
 * Workflows as each published version saved them, in a folder with the name of that version. They
 * must run the same in every later version, so they are never changed. A version with new
 * parameters adds a folder.
 */

interface GoldenWorkflow {
	/** Such as `1.0.0/fields`. */
	id: string;
	workflow: WorkflowJson;
	/** The node of this package. */
	node: INode;
	items: IDataObject[];
}

const FOLDER = join(__dirname, '../fixtures/workflows');
const readJson = (...path: string[]): unknown =>
	JSON.parse(readFileSync(join(FOLDER, ...path), 'utf8'));

const versions = readdirSync(FOLDER);

export const goldenWorkflows = versions.flatMap((version) =>
	readdirSync(join(FOLDER, version))
		.filter((file) => file !== 'credentials.json')
		.map((file): GoldenWorkflow => {
			const workflow = readJson(version, file) as WorkflowJson & {
				pinData?: Record<string, Array<{ json: IDataObject }>>;
			};
			return {
				id: `${version}/${file.replace('.json', '')}`,
				workflow,
				node: workflow.nodes.find(({ type }) => type.startsWith('n8n-nodes-payments.'))!,
				items: (workflow.pinData?.Start ?? []).map(({ json }) => json),
			};
		}),
);

type StoredCredentials = Record<string, ICredentialDataDecryptedObject[]>;
const credentials = versions.map(
	(version) => readJson(version, 'credentials.json') as StoredCredentials,
);

/** The credentials of a type, of all versions. */
export const goldenCredentials = (type: string) => credentials.flatMap((one) => one[type] ?? []);

/** The first credential of a type that the version of a workflow saved. */
export const credentialFor = (id: string, type: string) =>
	credentials[versions.indexOf(id.split('/')[0])][type][0];

export const isTrigger = ({ node }: GoldenWorkflow) => node.type.endsWith('Trigger');

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
export const EXPECTED: Record<string, { output: IDataObject[]; stored: IDataObject[] }> = {
	'1.0.0/fields': {
		output: [
			{ outcome: 'created', eventId: 'event-INV-1', amount: '2501.00', recipient: 'vac_1' },
			{ outcome: 'created', eventId: 'event-INV-2', amount: '10.50', recipient: 'vac_1' },
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
		output: [
			{ outcome: 'created', amount: '1.50' },
			{ outcome: 'created', amount: '0.05' },
		],
		stored: [{ amount: '0.05' }, { amount: '1.50' }],
	},
	'1.0.0/input-item-dry-run': {
		output: [{ outcome: 'dryRun', amount: '1.50' }],
		stored: [],
	},
	'1.0.0/input-item-columns': {
		output: [{ outcome: 'created', externalId: 'pmt_1', amount: '7.00' }],
		stored: [{ amount: '7.00', ...PARTIES }],
	},
	'1.0.0/tool': {
		output: [{ outcome: 'created', amount: '1.50', recipient: 'vac_1' }],
		stored: [{ amount: '1.50' }],
	},
};
