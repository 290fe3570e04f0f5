import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { Credential, N8nClient, WorkflowJson } from '../../host/n8n/client';

/** The name under which the model of the examples sees the Payments node. */
export const TOOL = 'Create_Transaction';

/** What the model of the examples fills in. */
export const PAYMENT = {
	recipient: 'lena-fischer',
	recipient_account: 'lena-fischer-account',
	recipient_country: 'DE',
	amount: '120.00',
	currency: 'EUR',
	invoice: 'INV-2026-0401',
	date: '2026-11-20',
};

/**
 * Publishes a workflow with an agent, which talks in the editor only, so that a test can talk to
 * it. Returns what it answers to a message.
 */
export async function askAgent(n8n: N8nClient, example: WorkflowJson, credentials: Credential[]) {
	const trigger = example.nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
	trigger.parameters.public = true;
	const workflow = await n8n.importWorkflow(example, credentials);
	await n8n.activate(workflow);
	const { production } = await n8n.webhookUrls(workflow, trigger.name);
	const { data: answer } = await axios.post<{ output?: string; executionId?: string }>(
		production.replace(/(\/chat)?$/, '/chat'),
		{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Record the payments.' },
		{ proxy: false, validateStatus: null },
	);
	return { answer, workflow };
}
