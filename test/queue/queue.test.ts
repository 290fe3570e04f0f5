import { setTimeout as wait } from 'node:timers/promises';
import { connectSync } from '../../demo/sync';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import type { Credential, StoredWorkflow } from '../../host/n8n/client';
import { outputOf } from '../../host/n8n/executions';
import { stopAll } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { transaction } from '../support/builders/transactions';
import { node, payments, START, workflowOf } from '../support/builders/workflows';
import { Sync, withHistory } from '../support/sync';
import { compare, FAULTS, hurry, Records, Shop } from '../support/syncShop';
import { http } from '../support/servers/sandboxCalls';
import { startCluster, type Cluster } from './cluster/cluster';
import { effectsOf, emit, executionsOf, KIND, listen, publish } from './service';

/** For trying these tests out: a share of the full numbers, from 0 to 1. */
const SCALE = Number(process.env.QUEUE_SCALE ?? 1);
const scaled = (full: number) => Math.ceil(full * SCALE);
const MINUTES = 60_000;
/** Delivers each event twice, in another order, and again until it succeeds. */
const ROUGH = {
	deliveries: { doubled: 1, shuffled: 1, shuffleMs: 5000, concurrency: 30 },
	retries: { attempts: 100, intervalMs: 2000 },
};
/** Five thousand deliveries take long on a busy machine. */
const STORM_MS = 18 * MINUTES;

/** Prints the figures of one part. */
const report = (part: string, figures: object) =>
	process.stdout.write(`${part}: ${JSON.stringify(figures)}\n`);

let cluster: Cluster;
let listening: Record<keyof typeof KIND, StoredWorkflow>;
let paymentsApi: Credential;

beforeAll(async () => {
	cluster = await startCluster();
	listening = await listen(cluster);
	const client = await cluster.sandbox.client.createClient({ name: 'workers' });
	paymentsApi = await createPaymentsApi(cluster.main.client, {
		...{ url: cluster.sandbox.url, ...client },
	});
}, 15 * MINUTES);
// A start that broke off half-way has left processes, too.
afterAll(async () => await (cluster ? cluster.stop() : stopAll()), MINUTES);
beforeEach(async () => await cluster.sandbox.client.reset());

const counts = async () => await cluster.sandbox.client.getCounts();

test('a workflow with a Code node is executed by hand', async () => {
	const { client } = cluster.main;
	const code = node('Code', 'code', 2, { jsCode: 'return [{ json: { ran: true } }];' });
	const execution = await client.run(await client.importWorkflow(workflowOf(START, code)), 'Start');
	expect(outputOf(execution, 'Code')).toMatchObject([{ json: { ran: true } }]);
});

test(
	'signed events over two webhook processes, doubled and shuffled: each has its effect once',
	async () => {
		const events = scaled(2500);
		const { sandbox } = cluster;
		await sandbox.client.setFaults(ROUGH);
		await emit(cluster, KIND.onReceived, 'storm_', events);
		const { deliveries } = await sandbox.client.idle(STORM_MS);
		const executions = await executionsOf(cluster, listening.onReceived, STORM_MS);
		const effects = await effectsOf(cluster, 'storm_');
		report('events', { events, deliveries, effects, executions });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
		// Every run inserted once, and none failed.
		expect(executions).toEqual({ success: effects.runs });
	},
	STORM_MS + MINUTES,
);

/** Executions that a worker has in hand at a time, at most: N8N_CONCURRENCY_PRODUCTION_LIMIT. */
const OF_ONE_WORKER = 10;

/**
 * Publishes a workflow that takes a list of transactions and sends them to the service: one run for
 * each list, answered when it has ended. A run that dies with its worker leaves nothing behind that
 * n8n could run again, so the sender must hear of it.
 */
async function takeBatches() {
	const { client } = cluster.main;
	const webhook = { httpMethod: 'POST', path: 'batches', responseMode: 'lastNode' };
	const batches = workflowOf(
		node('Batch', 'webhook', 2, webhook, { webhookId: 'batches' }),
		node('Rows', 'splitOut', 1, { fieldToSplitOut: 'body.rows' }),
		payments('Create', { specifyTransaction: 'item' }),
	);
	const workflow = await client.importWorkflow(batches, [paymentsApi]);
	await client.activate(workflow);
	return workflow;
}

/**
 * Posts one list of transactions until n8n responds that its execution succeeded, as a sender does
 * that must not lose it.
 *
 * @returns the statuses of the other responses
 */
async function postUntilTaken(rows: object[]): Promise<number[]> {
	for (const rejections: number[] = []; ;) {
		const { status } = await http.post(`${cluster.url}/webhook/batches`, { rows });
		if (status === 200) return rejections;
		rejections.push(status);
		if (rejections.length === 5)
			throw new Error(`n8n did not take a batch; it answered ${rejections.join(', ')}.`);
	}
}

test(
	'transactions in batches over two workers, one of them killed, all tokens revoked: each is with the service once',
	async () => {
		const [batches, size] = [40, scaled(50)];
		const { client } = cluster.sandbox;
		const workflow = await takeBatches();
		// Long, and less than the node waits: when the worker dies, a part of each list is recorded.
		await client.setFaults({ latencyMs: [0, 20_000] });
		// Without an id of their own: the node derives it from the content, so a list that is sent
		// again has the same ones.
		const rowsOf = (batch: number) =>
			Array.from({ length: size }, (_, row) => ({
				...transaction(`${batch}-${row}`),
				eventId: undefined,
			}));
		const posting = Promise.all(
			Array.from({ length: batches }, async (_, batch) => await postUntilTaken(rowsOf(batch))),
		);
		await waitUntil('both workers have sent transactions, and a tenth is recorded', async () => {
			const { requests, created } = (await counts()).transactions;
			return requests > OF_ONE_WORKER * size && created >= (batches * size) / 10;
		});
		await cluster.killWorker();
		await client.changeFaults({ latencyMs: [300, 600] });
		await cluster.addWorker();
		const isMost = async () => (await counts()).transactions.created >= (batches * size * 2) / 3;
		await waitUntil('two thirds are sent', isMost, { timeoutMs: 4 * MINUTES });
		await client.changeFaults({ revokeTokens: true });
		/** What the sender was told instead of success: one for each run that died with its worker. */
		const rejections = (await posting).flat();
		const { transactions, tokens } = await client.idle();
		const executions = await executionsOf(cluster, workflow);
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
	await sandbox.client.setFaults({ retries: { attempts: 100, intervalMs: 500 } });
	// The database rejects the end of each execution until the first attempt is answered.
	await postgres.query(
		'n8n',
		`CREATE FUNCTION take_no_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no note is taken'; END $$;
		CREATE TRIGGER take_no_note BEFORE UPDATE ON execution_entity FOR EACH ROW
			WHEN (NEW."workflowId" = '${listening.lastNode.id}' AND NEW.status IN ('success', 'error')) EXECUTE FUNCTION take_no_note()`,
	);
	try {
		await emit(cluster, KIND.lastNode, 'unrecorded_', 1);
		await waitUntil('an attempt is answered', async () => (await counts()).deliveries.attempts);
	} finally {
		await postgres.query('n8n', 'DROP FUNCTION take_no_note CASCADE');
	}
	const { deliveries } = await sandbox.client.idle();
	const effects = await effectsOf(cluster, 'unrecorded_');
	report('unrecorded', { deliveries, effects });
	expect(deliveries).toMatchObject({
		...{ created: 1, delivered: 1, failed: 0 },
		responses: { 200: 1, 500: expect.any(Number) as number },
	});
	expect(effects).toMatchObject({ rows: 1, ids: 1 });
	expect(effects.runs).toBeGreaterThan(1);
});

test('executions that n8n does not save because they succeeded are a success all the same', async () => {
	const events = 10;
	const kind = 'VIRTUAL_ACCOUNT.UPDATED';
	const { sandbox, postgres } = cluster;
	await sandbox.client.setFaults({ retries: { attempts: 3, intervalMs: 500 } });
	const [trigger] = readExample('events-by-type').nodes;
	trigger.parameters = { responseMode: 'lastNode' };
	// n8n never responds when a worker is done before the process that took the delivery listens for
	// its end (Bull's Job.finished), whatever it saves. Five seconds are longer than that.
	const pause = { resume: 'timeInterval', amount: 5, unit: 'seconds' };
	const unsaved = workflowOf(trigger, node('Wait', 'wait', 1.1, pause));
	// EXECUTIONS_DATA_SAVE_ON_SUCCESS=none sets it for all workflows (n8n's toSaveSettings).
	unsaved.settings!.saveDataSuccessExecution = 'none';
	const workflow = await publish(cluster, unsaved, kind);
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
		const emission = emit(cluster, KIND.lastNode, 'outage_', events, perSecond);
		await redis.stop();
		await wait(10_000);
		await redis.start();
		await wait(5000);
		await postgres.restart();
		await emission;
		const { deliveries } = await sandbox.client.idle(STORM_MS);
		const effects = await effectsOf(cluster, 'outage_');
		report('outages', { events, deliveries, effects });
		expect(deliveries).toMatchObject({ created: 2 * events, delivered: 2 * events, failed: 0 });
		expect(deliveries.attempts).toBeGreaterThan(deliveries.created);
		expect(effects).toMatchObject({ rows: events, ids: events, idsRun: events });
	},
	STORM_MS + MINUTES,
);

test(
	'a history over two workers, both killed at the same moment, twice, and PostgreSQL with them: each status is recorded once, as it was booked, and in order',
	async () => {
		const events = scaled(5000);
		const { main, sandbox, url } = cluster;
		const sync = await Sync.start(undefined, withHistory());
		const { send } = await connectSync(main.client, sandbox.client, {
			...{ paymentsApi, database: sync.url },
			addressOf: (production) => url + new URL(production).pathname,
			change: (workflow) => hurry(workflow),
		});
		await sandbox.client.setFaults({ ...FAULTS, latencyMs: [50, 1000] });
		await main.client.activate(send);
		const records = new Records(sandbox.client);
		const shop = new Shop(sync, events);
		// Over two minutes, and a few events over one.
		const booking = shop.open(Math.max(events / 120, 8));
		const long = { timeoutMs: 20 * MINUTES, intervalMs: 1000 };
		const isSending = (share: number) => async () => {
			await sync.pass('10 seconds'); // Pauses and minutes take a tenth of their time.
			const claimed = await sync.ask(
				"select from sync.sent where state = 'sending' and due_at > now()",
			);
			return shop.booked >= events * share && claimed.length > 0;
		};
		for (const share of [1 / 3, 2 / 3]) {
			await waitUntil('events are being sent', isSending(share), long);
			await Promise.all([cluster.killWorker(), cluster.killWorker()]);
			await sync.restart(share < 0.5);
			await Promise.all([cluster.addWorker(), cluster.addWorker()]);
		}
		await booking;
		const isDone = async () => {
			await sync.pass('10 seconds'); // Pauses and minutes take a tenth of their time.
			return (await sync.ask('select from sync.open')).length === 0;
		};
		await waitUntil('all are recorded', isDone, long).catch(async (error: Error) => {
			const open = 'select state, count(*)::int from sync.open group by state';
			throw new Error(`${error.message} ${JSON.stringify(await sync.ask(open))}`);
		});
		const { requests, created, duplicates } = (await counts()).transactions;
		const result = compare(shop.stories, await records.stories());
		report('sync', { events, requests, created, duplicates, ...result });
		expect(result).toEqual({ lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 });
		expect(created).toBe(events);
		expect(duplicates).toBeGreaterThan(0);
		await main.client.deactivate(send);
		await sync.stop();
		await sync.server.stop();
	},
	40 * MINUTES,
);
