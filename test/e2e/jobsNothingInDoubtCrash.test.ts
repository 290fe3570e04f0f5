import { setTimeout as wait } from 'node:timers/promises';
import { randomSequence } from '../../sandbox/faults/randomSequence';
import { readTable } from '../../host/n8n/dataTables';
import type { WorkflowJson } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import type { Sandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { alertCredentials } from './alertCredentials';
import { startOwnN8n, type OwnN8n } from './ownN8n';
import { ownService } from './shared';

const ROWS = 500;
const KILLS = 3;
const START = 'When clicking ‘Execute workflow’';
const TABLE = 'payments_to_settle';
const seed = Number(process.env.JOBS_SEED ?? Date.now() % 100_000);

let n8n: OwnN8n;
let sandbox: Sandbox;

afterAll(async () => {
	await sandbox?.stop();
	await n8n?.stop();
});

/** The job with 500 payments, and with seconds in place of minutes. */
function jobWithRows(): WorkflowJson {
	const job = readExample('jobs/nothing-left-in-doubt');
	const parametersOf = (name: string) => job.nodes.find((node) => node.name === name)!.parameters;
	const example = parametersOf('Example Payments');
	const [first] = (JSON.parse(example.jsonOutput as string) as { rows: object[] }).rows;
	const rows = Array.from({ length: ROWS }, (_, i) => ({
		...first,
		invoice: `INV-${i}`,
		amount: `${i + 1}.50`,
	}));
	example.jsonOutput = JSON.stringify({ rows });
	parametersOf('Every 5 Minutes').rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
	const faster = (name: string, from: string, to: string) => {
		const { value } = parametersOf(name).columns as { value: { dueAt: string } };
		expect(value.dueAt).toContain(from);
		value.dueAt = value.dueAt.replace(from, to);
	};
	faster('Take Due Payments', 'minutes: 10', 'seconds: 15');
	faster('Save Outcome', 'minutes: ', 'seconds: ');
	return job;
}

test(`n8n is killed ${KILLS} times at random moments: ${ROWS} payments settle once (seed ${seed})`, async () => {
	const random = randomSequence(seed);
	n8n = await startOwnN8n('doubt');
	const { client } = n8n;
	const service = await ownService(client);
	({ sandbox } = service);
	// The service is slow, loses responses, and answers with a status that says nothing.
	await sandbox.client.setFaults({
		latencyMs: [50, 150],
		dropResponses: 0.05,
		statuses: [
			{ status: 500, rate: 0.05, processed: true },
			{ status: 500, rate: 0.05 },
		],
	});
	const workflow = await client.importWorkflow(jobWithRows(), [
		service.credential,
		...(await alertCredentials(client, 9)), // nothing needs attention here, so no email is sent
	]);
	await client.activate(workflow);
	/** What the user does who sees that the list isn't saved. */
	const executeUnlessSaved = async () => {
		if ((await readTable(client, TABLE)).length < ROWS) await client.start(workflow, START);
	};
	const recorded = async () => (await sandbox.client.getCounts()).transactions.created;

	const moments = Array.from({ length: KILLS }, () => Math.floor(random() * ROWS));
	const atTheKill: number[] = [];
	for (const moment of moments.sort((a, b) => a - b)) {
		await executeUnlessSaved();
		const isThere = async () => (await recorded()) >= moment;
		await waitUntil(`${moment} are recorded`, isThere, { timeoutMs: 120_000, intervalMs: 20 });
		await wait(random() * 1500);
		await n8n.kill();
		atTheKill.push(await recorded());
		await n8n.startAgain();
	}
	await executeUnlessSaved();
	const settled = async () =>
		(await readTable(client, TABLE)).filter(({ status }) => status === 'settled').length;
	await waitUntil('all are settled', async () => (await settled()) >= ROWS, {
		timeoutMs: 240_000,
		intervalMs: 1000,
	});

	const rows = await readTable(client, TABLE);
	expect(rows).toHaveLength(ROWS);
	expect(new Set(rows.map(({ invoice }) => invoice)).size).toBe(ROWS);
	const { transactions } = await sandbox.client.getCounts();
	expect(transactions.created).toBe(ROWS);
	// At least one kill came while the payments were being sent.
	expect(atTheKill.filter((count) => count > 0 && count < ROWS)).not.toEqual([]);
	// Kills and lost responses made the job send some of them again, as the same event.
	expect(transactions.requests).toBeGreaterThan(ROWS);
}, 600_000);
