import { DEFAULT_SETTINGS } from '../../examples/jobs/source/model';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import { sealed } from '../support/builders/paymentRows';
import { alertCredentials } from './alertCredentials';
import { createModelTables, createSeals, saveRows } from './modelTables';

/* The job ask-for-payments and what it calls, and the tables that it reads. */

/** A workflow of the examples that calls the others by their names. */
export function calling(example: WorkflowJson, workflows: Record<string, StoredWorkflow>) {
	for (const node of example.nodes) {
		if (node.type !== 'n8n-nodes-base.executeWorkflow') continue;
		const { cachedResultName } = node.parameters.workflowId as { cachedResultName: string };
		const value = workflows[cachedResultName].id;
		node.parameters.workflowId = { __rl: true, mode: 'id', value };
	}
	return example;
}

/** Stores and publishes the sub-workflows, by their names. */
export async function putSubWorkflowsIntoService(
	n8n: N8nClient,
	paymentsApi?: Credential,
	files = ['payment-log', 'check-payments', 'save-payout-run', 'ask-for-payments'],
) {
	const credentials = [
		...(paymentsApi ? [paymentsApi] : []),
		await createSeals(n8n),
		...(await alertCredentials(n8n, 1)),
	];
	const workflows: Record<string, StoredWorkflow> = {};
	for (const file of files) {
		const example = calling(readExample(`jobs/${file}`), workflows);
		workflows[example.name] = await n8n.importWorkflow(example, credentials);
		await n8n.activate(workflows[example.name]);
	}
	return workflows;
}

/** Stores and publishes *Payment log*, and a workflow of the examples that calls it. */
export async function callingLog(n8n: N8nClient, example: WorkflowJson): Promise<WorkflowJson> {
	return calling(example, await putSubWorkflowsIntoService(n8n, undefined, ['payment-log']));
}

/** The tables anew, with the settings of *Set up payments*, and payees approved long ago. */
export async function createTablesWithPayees(
	n8n: N8nClient,
	payees: Array<{ supplier: string; account: string; country: string }>,
	changed: Record<string, string> = {},
): Promise<void> {
	const settings = DEFAULT_SETTINGS.filter(([name]) => !/^(stopped|time zone|alert)/.test(name));
	await createModelTables(
		n8n,
		settings.map(([name, currency, value]) => [name, currency, changed[name] ?? value]),
	);
	const rows = payees.map((payee) =>
		sealed('payees', {
			...payee,
			...{ state: 'approved', evidence: 'Paid before', enteredBy: 'lena@payments.example' },
			...{ enteredAt: '2026-01-01T00:00:00.000Z', approvedBy: 'amir@payments.example' },
			approvedAt: '2026-01-02T00:00:00.000Z',
		}),
	);
	await saveRows(n8n, 'payees', rows);
}
