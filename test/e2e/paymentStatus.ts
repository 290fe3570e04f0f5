import axios from 'axios';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import { createSeals } from './modelTables';

/* The job where-is-my-payment: putting it into service, and asking it. */

/** Who may ask by webhook. */
export const READER = { username: 'reader', password: 'may-ask' };

/** Stores and publishes the workflow. */
export async function putIntoService(
	n8n: N8nClient,
	{ change, more = [] }: { change?: (example: WorkflowJson) => void; more?: Credential[] } = {},
): Promise<StoredWorkflow> {
	const example = readExample('jobs/where-is-my-payment');
	change?.(example);
	const reader = await n8n.createCredential('Payment status readers', 'httpBasicAuth', {
		user: READER.username,
		password: READER.password,
	});
	const workflow = await n8n.importWorkflow(example, [reader, await createSeals(n8n), ...more]);
	await n8n.activate(workflow);
	return workflow;
}

export interface Answer {
	reference: string;
	found: boolean;
	title: string;
	answer: string;
	payments: Array<Record<string, string> & { isGenuine: boolean }>;
}

/** Asks by webhook, as a program does. */
export async function ask(n8nUrl: string, reference: string): Promise<Answer> {
	const { data } = await axios.get<Answer>(`${n8nUrl}/webhook/where-is-my-payment`, {
		params: { reference },
		auth: READER,
		proxy: false,
	});
	return data;
}
