import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { isOver, outputOf, type Execution } from '../../host/n8n/executions';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import type { EndpointWithSecret } from '../../sandbox/types';
import { sharedN8n, useService } from './shared';

/*
 * The examples that no other test runs: rows-to-transactions is in action.test.ts,
 * listen-to-payments in trigger.test.ts, columns-to-transactions in specifyTransaction.test.ts, the two of
 * once-only effects in trigger-once.test.ts, ai-agent in agent.test.ts.
 */

const START = 'When clicking ‘Execute workflow’';

const n8n = sharedN8n();
const service = useService(n8n);

/** What an example put into service leaves behind: the service must not go on delivering to it. */
const inUse: Array<{ workflow: StoredWorkflow; endpoint: EndpointWithSecret }> = [];
afterEach(async () => {
	for (const { workflow, endpoint } of inUse.splice(0)) {
		await service.sandbox.client.deleteEndpoint(endpoint.id);
		await n8n.deactivate(workflow);
	}
	await service.sandbox.client.reset();
});

/**
 * Imports an example that listens, registers it with the service for `events`, and publishes it.
 */
async function inService(example: WorkflowJson, events?: string[]) {
	const trigger = example.nodes.find((node) => node.name === 'Payments Trigger')!;
	const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
	const endpoint = await service.sandbox.client.createEndpoint({
		url: production,
		events: events ?? (trigger.parameters.events as string[]),
	});
	const workflow = await n8n.importWorkflow(example, [
		service.credential,
		await createPaymentsWebhookApi(n8n, endpoint.secret),
	]);
	await n8n.activate(workflow);
	inUse.push({ workflow, endpoint });
	return { workflow, endpoint };
}

const json = (execution: Execution, node: string, output = 0) =>
	outputOf(execution, node, output).map((item) => item.json);

/**
 * The runs that events started, once there are as many as expected and all are over; oldest first.
 */
async function eventRuns(workflow: StoredWorkflow, expected: number): Promise<Execution[]> {
	for (const deadline = Date.now() + 60_000; ; await wait(200)) {
		const runs = (await n8n.executions(workflow)).results.filter(({ mode }) => mode === 'webhook');
		if (runs.length >= expected && runs.every(isOver))
			return await Promise.all(runs.reverse().map(async ({ id }) => await n8n.execution(id)));
		if (Date.now() > deadline)
			throw new Error(
				`After 60 s there were ${runs.length} runs: ${runs.map(({ status }) => status).join(', ')}.`,
			);
	}
}

test('rows-with-error-branch: good rows are recorded, the others come out with the reason', async () => {
	const execution = await n8n.run(
		await n8n.importWorkflow(readExample('rows-with-error-branch'), [service.credential]),
		START,
	);
	expect(execution.status).toBe('success');
	expect(json(execution, 'Recorded').map(({ invoice, outcome }) => [invoice, outcome])).toEqual([
		['INV-2026-0301', 'created'],
		['INV-2026-0304', 'created'],
	]);
	expect(json(execution, 'To Correct')).toEqual([
		{
			invoice: 'INV-2026-0302',
			outcome: 'invalid',
			message: expect.stringContaining('\'Amount\': "1.250,00"') as string,
			fix: expect.stringMatching(/1234\.50/) as string,
		},
		{
			invoice: 'INV-2026-0303',
			outcome: 'invalid',
			message: expect.stringContaining('\'Currency\': "EURO"') as string,
			fix: expect.stringMatching(/EUR/) as string,
		},
	]);
	expect((await service.sandbox.client.getCounts()).transactions.created).toBe(2);
});

test('events-by-type: each event type leaves through its own output', async () => {
	const { workflow } = await inService(readExample('events-by-type'));
	await service.sandbox.client.emitEvent({
		event: 'PAYMENT.CREATED',
		data: { id: 'pmt_1', amount: '5.00', currency: 'EUR' },
	});
	await service.sandbox.client.emitEvent({
		event: 'PAYMENT.STATUS_UPDATED',
		data: { id: 'pmt_1', status: 'COMPLETED' },
		previousValues: { status: 'PROCESSING' },
	});
	await service.sandbox.client.emitEvent({
		event: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
		data: { id: 'vac_1', status: 'ACTIVE' },
	});
	const runs = await eventRuns(workflow, 3);
	const said = (node: string) => runs.flatMap((run) => json(run, node));
	expect(said('Payment Created')).toEqual([{ say: 'A payment of 5.00 EUR was created.' }]);
	expect(said('Payment Status Updated')).toEqual([
		{ say: 'The payment pmt_1 is COMPLETED; it was PROCESSING.' },
	]);
	expect(said('Virtual Account Status Updated')).toEqual([
		{ say: 'The virtual account vac_1 is ACTIVE.' },
	]);
});

describe('create-and-wait', () => {
	/** The example with an invoice of its own, and a timeout of hours or seconds. */
	function exampleWith(invoice: string, resumeAmount: number, resumeUnit: string): WorkflowJson {
		const example = readExample('create-and-wait');
		const parametersOf = (name: string) =>
			example.nodes.find((node) => node.name === name)!.parameters;
		Object.assign(parametersOf('Wait for Outcome'), { resumeAmount, resumeUnit });
		(
			parametersOf('Example Invoice').assignments as { assignments: Array<{ value: string }> }
		).assignments[0].value = invoice;
		return example;
	}

	test('sleeps until the event of its transaction wakes it; a second execution knows the outcome at once', async () => {
		const invoice = `INV-${randomUUID()}`;
		const { workflow } = await inService(exampleWith(invoice, 2, 'hours'));
		// Time for the run to come to its Wait node before there is anything to hear.
		await service.sandbox.client.setFaults({ processingMs: 1500 });
		const first = await n8n.run(workflow, START);
		expect(first.status).toBe('success');
		expect(json(first, 'Outcome')).toEqual([{ invoice, status: 'COMPLETED' }]);
		expect(outputOf(first, 'Read Status')).toHaveLength(1); // it came there through the Wait node

		const second = await n8n.run(workflow, START);
		expect(json(second, 'Create Transaction')[0]).toMatchObject({ outcome: 'duplicate' });
		expect(json(second, 'Outcome')).toEqual([{ invoice, status: 'COMPLETED' }]);
		expect(outputOf(second, 'Read Status')).toHaveLength(0);
	});

	test('goes on by another branch when nothing is heard in time', async () => {
		const invoice = `INV-${randomUUID()}`;
		const workflow = await n8n.importWorkflow(exampleWith(invoice, 2, 'seconds'), [
			service.credential,
			await createPaymentsWebhookApi(n8n, 'never-used'),
		]);
		// n8n looks once a minute which waiting runs are due.
		const execution = await n8n.run(workflow, START, 200_000);
		expect(json(execution, 'No Outcome in Time')).toEqual([{ invoice, status: 'unknown' }]);
		expect(outputOf(execution, 'Outcome')).toHaveLength(0);
	});
});
