import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credential, N8nClient, WorkflowJson } from './client';

interface Service {
	url: string;
	clientId: string;
	clientSecret: string;
}

/**
 * What the credential "Payments API" holds for a service that has one address for tokens and
 * transactions.
 */
export const paymentsApiData = ({ url, clientId, clientSecret }: Service) => ({
	authUrl: url,
	clientId,
	clientSecret,
	scope: 'PAYMENTS',
});

/**
 * Stores the credential by which the Payments node signs in. Its name says that it's for a sandbox,
 * because nothing else on n8n's screens does.
 */
export const createPaymentsApi = async (n8n: N8nClient, service: Service): Promise<Credential> =>
	await n8n.createCredential('Payments (sandbox)', 'paymentsApi', paymentsApiData(service));

/**
 * Stores the credential by which the Payments Trigger knows the service; the scheme is the node's
 * default.
 */
export const createPaymentsWebhookApi = async (
	n8n: N8nClient,
	secret: string,
): Promise<Credential> =>
	await n8n.createCredential('Payments Webhook (sandbox)', 'paymentsWebhookApi', {
		scheme: 'messageSignature',
		secret,
	});

/**
 * Reads one of the workflows that users import, and gives its nodes addresses of their own, as the
 * editor does with nodes that have none.
 * @param name of a file in examples/, without .json
 */
export function readExample(name: string): WorkflowJson {
	const file = join(__dirname, '..', '..', 'examples', `${name}.json`);
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as WorkflowJson;
	const nodes = workflow.nodes.map((node) => ({ ...node, webhookId: randomUUID() }));
	return { ...workflow, nodes };
}

/**
 * Reads such a workflow as it is when its note was followed, and it's published: *Dry Run* is off,
 * so that a test that executes it in the editor sends. Not for a workflow that checks with *Dry
 * Run*, and then sends.
 * @param name of a file in examples/, without .json
 */
export function readLiveExample(name: string): WorkflowJson {
	const { nodes, ...workflow } = readExample(name);
	const json = JSON.stringify(nodes, (key, value: unknown) =>
		key === 'dryRun' && value === true ? undefined : value,
	);
	const published = json.replaceAll('$execution.mode', "'production'");
	return { ...workflow, nodes: JSON.parse(published) as WorkflowJson['nodes'] };
}
