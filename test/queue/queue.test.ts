import { setTimeout as wait } from 'node:timers/promises';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { stopAll } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { startCluster, type Cluster } from './cluster/cluster';
import { effectsOf } from './effects';
import { emit, listen, next, node, type Answer, type Listening } from './service';
import { executionsOf, sendThroughCrash } from './transactions';

/** For trying these tests out: a share of the full numbers, from 0 to 1. */
const SCALE = Number(process.env.QUEUE_SCALE ?? 1);
const scaled = (full: number) => Math.ceil(full * SCALE);
const MINUTES = 60_000;
/** Delivers each event twice, in another order, and again until it succeeds. */
const ROUGH = {
	deliveries: { doubled: 1, shuffled: 1, shuffleMs: 5000, concurrency: 30 },
	retries: { attempts: 100, intervalMs: 2000 },
};
/** Ten thousand deliveries take long on a busy machine. */
const STORM_MS = 18 * MINUTES;

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
beforeEach(async () => await cluster.sandbox.client.reset());

test('a workflow with a Code node is executed by hand', async () => {
	const { client } = cluster.main;
	const workflow = await client.importWorkflow({
		name: 'By hand',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Code', 'n8n-nodes-base.code', 2, { jsCode: 'return [{ json: { ran: true } }];' }),
		],
		connections: { Start: next('Code') },
		settings: { executionOrder: 'v1' },
	});
	const execution = await client.run(workflow, 'Start');
	expect(outputOf(execution, 'Code')).toMatchObject([{ json: { ran: true } }]);
});

test(
	'signed events over two webhook processes, doubled and shuffled: each has its effect once',
	async () => {
		const events = scaled(5000);
		const { sandbox, postgres } = cluster;
		const { kind, workflow } = listening.onReceived;
		await sandbox.client.setFaults(ROUGH);
		await emit(cluster, kind, 'storm_', events);
		const { deliveries } = await sandbox.client.idle(STORM_MS);
		const executions = await executionsOf(postgres, workflow, STORM_MS);
		const effects = await effectsOf(postgres, 'storm_');
		report('events', { events, deliveries, effects, executions });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
		// Every run inserted once, and none failed.
		expect(executions).toEqual({ success: effects.runs });
	},
	STORM_MS + MINUTES,
);

test(
	'transactions in batches over two workers, one of them killed, all tokens revoked: each is with the service once',
	async () => {
		const [batches, size] = [40, scaled(50)];
		const { transactions, executions, rejections, tokens } = await sendThroughCrash(
			cluster,
			batches,
			size,
		);
		report('transactions', { batches, size, rejections, executions, tokens, transactions });
		expect(transactions.created).toBe(batches * size);
		// Every list has one execution that succeeded. The sender was told of every other one, and
		// retried the list.
		expect(rejections.length).toBeGreaterThan(0);
		expect(executions).toEqual({ success: batches, error: rejections.length });
		// Each request is accounted for. What was sent twice is what the dead runs had sent; `lost` are
		// those that nobody waited for any more.
		const { 202: accepted = 0, 401: rejected = 0, ...others } = transactions.responses;
		expect([accepted + rejected + transactions.lost, others]).toEqual([transactions.requests, {}]);
		expect(transactions.duplicates).toBeGreaterThan(0);
		expect(transactions.duplicates).toBeLessThanOrEqual(rejections.length * size);
		// At most one token request for each worker process and lifetime of the tokens: three processes
		// before they were revoked, two after.
		expect(tokens.issued).toBeLessThanOrEqual(5);
	},
	15 * MINUTES,
);

test('an execution whose end n8n cannot write down is not answered with success: the service delivers again', async () => {
	const { sandbox, postgres } = cluster;
	const { kind, workflow } = listening.lastNode;
	await sandbox.client.setFaults({ retries: { attempts: 100, intervalMs: 500 } });
	// The database rejects the end of each execution until the first attempt is answered.
	await postgres.query(
		'n8n',
		`CREATE FUNCTION take_no_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no note is taken'; END $$;
		CREATE TRIGGER take_no_note BEFORE UPDATE ON execution_entity FOR EACH ROW
			WHEN (NEW."workflowId" = '${workflow.id}' AND NEW.status IN ('success', 'error')) EXECUTE FUNCTION take_no_note()`,
	);
	try {
		await emit(cluster, kind, 'unrecorded_', 1);
		const attempts = async () => (await sandbox.client.getCounts()).deliveries.attempts;
		await waitUntil('an attempt is answered', attempts);
	} finally {
		await postgres.query('n8n', 'DROP FUNCTION take_no_note CASCADE');
	}
	const { deliveries } = await sandbox.client.idle();
	const effects = await effectsOf(postgres, 'unrecorded_');
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
	const events = 10;
	const kind = 'VIRTUAL_ACCOUNT.UPDATED';
	const { main, url, sandbox, postgres } = cluster;
	await sandbox.client.setFaults({ retries: { attempts: 3, intervalMs: 500 } });
	const [trigger] = readExample('events-by-type').nodes;
	trigger.parameters = { events: [kind], responseMode: 'lastNode' };
	// n8n never responds when a worker is done before the process that took the delivery listens for
	// its end (Bull's Job.finished), whatever it saves. Five seconds are longer than that.
	const pause = { resume: 'timeInterval', amount: 5, unit: 'seconds' };
	const example = {
		name: 'Unsaved',
		nodes: [trigger, node('Wait', 'n8n-nodes-base.wait', 1.1, pause)],
		connections: { [trigger.name]: next('Wait') },
		// EXECUTIONS_DATA_SAVE_ON_SUCCESS=none sets it for all workflows (n8n's toSaveSettings).
		settings: { executionOrder: 'v1' as const, saveDataSuccessExecution: 'none' as const },
	};
	const { production } = await main.client.webhookUrls(example, trigger.name);
	const { secret } = await sandbox.client.createEndpoint({
		url: url + new URL(production).pathname,
		events: [kind],
	});
	const credential = await createPaymentsWebhookApi(main.client, secret);
	const workflow = await main.client.importWorkflow(example, [credential]);
	await main.client.activate(workflow);
	await emit(cluster, kind, 'unsaved_', events);
	const { deliveries } = await sandbox.client.idle();
	const saved = await postgres.query(
		'n8n',
		`SELECT FROM execution_entity WHERE "workflowId" = '${workflow.id}' AND "deletedAt" IS NULL`,
	);
	report('unsaved', { deliveries });
	expect(deliveries).toMatchObject({ created: events, delivered: events, failed: 0 });
	expect(deliveries.responses).toEqual({ 200: events });
	expect(saved).toEqual([]);
});

test(
	'Redis gone for 10 s and PostgreSQL restarted: the service delivers again, and each event has its effect once',
	async () => {
		const events = scaled(500);
		const { sandbox, postgres, redis } = cluster;
		await sandbox.client.setFaults(ROUGH);
		// Slowly enough that neither of the outages, which last 20 s, passes without any.
		const perSecond = Math.min(20, events / 20);
		const emission = emit(cluster, listening.lastNode.kind, 'outage_', events, perSecond);
		await redis.stop();
		await wait(10_000);
		await redis.start();
		await wait(5000);
		await postgres.restart();
		await emission;
		const { deliveries } = await sandbox.client.idle(STORM_MS);
		const effects = await effectsOf(postgres, 'outage_');
		report('outages', { events, deliveries, effects });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(deliveries.attempts).toBeGreaterThan(deliveries.created);
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
	},
	STORM_MS + MINUTES,
);
