import type { INode, INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../host/n8n/executions';
import { stopAll } from '../../host/processes';
import { startCluster, type Cluster } from './cluster/cluster';
import { TIMEOUT_MS, stormOf, stormWithOutages } from './events';
import { listen, takeBatches, type Answer, type Listening } from './service';
import { sendThroughCrash } from './transactions';
import { withoutRecord } from './unrecorded';
import { withoutSavingSuccess } from './unsaved';

/** For trying these tests out: a share of the full numbers, from 0 to 1. */
const SCALE = Number(process.env.QUEUE_SCALE ?? 1);
const scaled = (full: number) => Math.ceil(full * SCALE);
const MINUTES = 60_000;

const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters) =>
	({ id: name, name, type, typeVersion, position: [0, 0], parameters }) as INode;

/** Prints the figures of one part. */
const report = (part: string, figures: object) =>
	process.stdout.write(`${part}: ${JSON.stringify(figures)}\n`);

let cluster: Cluster;
let listening: Record<Answer, Listening>;

beforeAll(async () => {
	cluster = await startCluster();
	listening = await listen(cluster);
}, 15 * MINUTES);
// A start that broke off half-way has left processes, too.
afterAll(async () => await (cluster ? cluster.stop() : stopAll()), MINUTES);

test('a workflow with a Code node is executed by hand', async () => {
	const { client } = cluster.main;
	const workflow = await client.importWorkflow({
		name: 'By hand',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Code', 'n8n-nodes-base.code', 2, { jsCode: 'return [{ json: { ran: true } }];' }),
		],
		connections: { Start: { main: [[{ node: 'Code', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	const execution = await client.run(workflow, 'Start');
	expect(outputOf(execution, 'Code')).toMatchObject([{ json: { ran: true } }]);
});

test(
	'signed events over two webhook processes, doubled and shuffled: each has its effect once',
	async () => {
		const events = scaled(5000);
		const { deliveries, effects, executions, seconds } = await stormOf(
			cluster,
			listening.onReceived,
			'storm_',
			events,
		);
		report('events', { events, deliveries, effects, executions, seconds });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
		// Every run inserted once, and none failed.
		expect(executions).toEqual({ success: effects.runs });
	},
	TIMEOUT_MS + MINUTES,
);

test(
	'transactions in batches over two workers, one of them killed, all tokens revoked: each is with the service once',
	async () => {
		const [batches, size] = [scaled(40), 50];
		const { transactions, executions, rejections, tokenRequests } = await sendThroughCrash(
			cluster,
			await takeBatches(cluster),
			batches,
			size,
		);
		report('transactions', { batches, size, rejections, executions, tokenRequests, transactions });
		expect(transactions.created).toBe(batches * size);
		// Every list has one execution that succeeded. The sender was told of every other one, and
		// retried the list.
		expect(rejections.length).toBeGreaterThan(0);
		expect(executions).toEqual({ success: batches, error: rejections.length });
		// Each request is accounted for. What was sent twice is what the dead runs had sent; `lost` are
		// those that nobody waited for any more.
		const {
			202: accepted = 0,
			409: known = 0,
			401: rejected = 0,
			...others
		} = transactions.responses;
		expect([accepted + known + rejected + transactions.lost, others]).toEqual([
			transactions.requests,
			{},
		]);
		expect(known).toBeLessThanOrEqual(rejections.length * size);
		expect(rejected).toBe(transactions.unauthorized);
		// At most one token request for each worker process and lifetime of the tokens: three processes
		// before, two after.
		expect(tokenRequests[0]).toBeLessThanOrEqual(3);
		expect(tokenRequests[1]).toBeLessThanOrEqual(2);
	},
	15 * MINUTES,
);

test('an execution whose end n8n cannot write down is not answered with success: the service delivers again', async () => {
	const { deliveries, effects } = await withoutRecord(cluster, listening.lastNode, 'unrecorded_');
	report('unrecorded', { deliveries, effects });
	expect(deliveries).toMatchObject({
		created: 1,
		delivered: 1,
		failed: 0,
		responses: { 200: 1, 500: expect.any(Number) as number },
	});
	expect(effects).toMatchObject({ rows: 1, ids: 1 });
	expect(effects.runs).toBeGreaterThan(1);
});

test('executions that n8n does not save because they succeeded are a success all the same', async () => {
	const count = 20;
	const { deliveries, saved } = await withoutSavingSuccess(cluster, 'unsaved_', count);
	report('unsaved', { deliveries, saved });
	expect(deliveries).toMatchObject({ created: count, delivered: count, failed: 0 });
	expect(deliveries.responses).toEqual({ 200: count });
	expect(saved).toBe(0);
});

test(
	'Redis gone for 10 s and PostgreSQL restarted: the service delivers again, and each event has its effect once',
	async () => {
		const events = scaled(500);
		const { deliveries, effects } = await stormWithOutages(
			cluster,
			listening.lastNode,
			'outage_',
			events,
			20,
		);
		report('outages', { events, deliveries, effects });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(deliveries.attempts).toBeGreaterThan(deliveries.created);
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
	},
	TIMEOUT_MS + MINUTES,
);
