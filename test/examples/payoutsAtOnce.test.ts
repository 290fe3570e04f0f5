import { startPostgres, type Connection, type Postgres } from '../../host/postgres';
import { waitUntil } from '../../host/waitUntil';
import { APPROVER, CLERK, DEPUTY, Ledger } from '../support/ledger';
import { read } from '../support/sourceTexts';

/* The payout ledger while several people and workers use it, and while connections end. */

let server: Postgres;
let ledger: Ledger;
let connections: Connection[];
/** The Event IDs that a service has recorded, which are generated from the External IDs. */
let service: Map<string, number>;

beforeAll(async () => void (server = await startPostgres()), 120_000);
beforeEach(async () => {
	ledger = await Ledger.start(server);
	await connectWorkers();
	service = new Map();
});
async function connectWorkers() {
	connections = [];
	for (let one = 0; one < 4; one++) connections.push(await ledger.anotherN8n());
}
afterEach(async () => {
	for (const one of connections) await one.end().catch(() => {});
	await ledger.stop();
});
afterAll(async () => await server?.stop());

type Row = Record<string, string>;
const call = async (connection: Connection, sql: string, ...values: unknown[]): Promise<Row[]> => {
	const texts = values.map((one) => (one && typeof one === 'object' ? JSON.stringify(one) : one));
	return (await connection.query<Row>(sql, texts)).rows;
};

const fileOf = (count: number, amount: number, name: string) =>
	Array.from({ length: count }, (_, index) => ({
		...{
			line: index + 2,
			Invoice: `${name}-${index}`,
			Payee: 'A',
			Account: 'vac_a',
			Country: 'DE',
		},
		...{ Amount: amount, Currency: 'EUR' },
	}));
const upload = async (rows: unknown, connection = ledger.n8n) =>
	await call(connection, 'select * from upload($1, $2, $3)', CLERK, 'a.xlsx', rows);

/** Approves all that a person sees, as the page does, with a tick for everything. */
async function approve(person: string, connection = ledger.n8n) {
	const seen = await call(connection, 'select * from waiting_for($1)', person);
	return await call(connection, `select * from decide($1, 'approve', $2)`, person, {
		shown: seen.map((one) => one.external_id),
		ticked: seen.map((one) => one.tick),
	});
}

const statesOf = async () => {
	const rows = await call(ledger.owner, 'select state, count(*) from payouts.payments group by 1');
	return Object.fromEntries(rows.map((one) => [one.state, Number(one.count)]));
};

/** What *pay* does in an execution, as often as there is something to claim. */
async function pay(connection: Connection, execution: string, most = 10) {
	for (;;) {
		const claimed = await call(connection, 'select * from claim($1, $2)', most, execution);
		if (claimed.length === 0) return;
		const results = claimed.map(({ external_id: externalId }) => ({
			externalId,
			...send(externalId),
		}));
		await call(connection, 'select * from record($1, $2)', execution, results);
	}
}
function send(externalId: string) {
	const before = service.get(externalId) ?? 0;
	service.set(externalId, before + 1);
	return { outcome: before ? 'duplicate' : 'created' };
}

test('20 files that are approved at the same moment, and 4 workers, keep the limit of a day', async () => {
	for (let file = 0; file < 20; file++) await upload(fileOf(10, 500, `F${file}`));
	for (let file = 0; file < 20; file++) await approve(APPROVER);
	await Promise.all(connections.map(async (one, index) => await pay(one, String(index))));
	expect(await statesOf()).toEqual({ accepted: 100, approved: 100 });
	expect([...service.values()]).toEqual(Array<number>(100).fill(1));
}, 60_000);

test('the switch among 500 payments: what was claimed is sent, and nothing more', async () => {
	await upload(fileOf(500, 1, 'F'));
	await approve(APPROVER);
	const workers = connections.map(async (one, index) => await pay(one, String(index)));
	await waitUntil('100 are sent', () => service.size >= 100, { intervalMs: 1 });
	await call(ledger.n8n, `select * from decide($1, 'stop', '{}')`, APPROVER);
	const sent = service.size;
	await Promise.all(workers);
	expect(service.size - sent).toBeLessThanOrEqual(4 * 10);
	expect(await statesOf()).toEqual({ accepted: service.size, approved: 500 - service.size });
}, 60_000);

test('the limit of a payee, as the page adds it', async () => {
	const [, section] = read('docs/payouts.md').split('### A limit for a payee');
	const [[, sql], [, line]] = [...section.matchAll(/```sql\n([^]*?)\n```/g)];
	const [claim] = /create function claim\([^]*?\nend \$\$;/.exec(
		read('examples/payouts/schema.sql'),
	)!;
	const changed = claim
		.replace('create', 'create or replace')
		.replace(/^ *continue when one.amount > rest;$/m, line);
	expect(changed).toContain('fits_payee');
	await ledger.owner.query(sql + changed);
	await ledger.owner.query(`update payee_limits set payee = 'A', per_day = 250`);
	const other = fileOf(1, 300, 'OTHER').map((row) => ({ ...row, Payee: 'B', Account: 'vac_b' }));
	await upload([...fileOf(5, 100, 'F'), ...other]);
	await approve(APPROVER);
	for (const most of [1, 50, 50]) await pay(connections[0], '1', most);
	expect(await statesOf()).toEqual({ accepted: 3, approved: 3 });
});

test('one file that four people upload at the same moment is there once', async () => {
	const answers = await Promise.all(
		connections.map(async (one) => await upload(fileOf(5, 7, 'F'), one)),
	);
	const results = answers.flat().map((one) => one.result);
	expect(results.filter((one) => one === 'held')).toHaveLength(5);
	expect(results.filter((one) => one === 'left out')).toHaveLength(15);
});

test('one person in two tabs, and two people, at the same moment', async () => {
	await upload(fileOf(5, 20_000, 'F'));
	const [tab, otherTab, another] = connections;
	await Promise.all([approve(APPROVER, tab), approve(APPROVER, otherTab)]);
	expect(await statesOf()).toEqual({ waiting: 5 });
	await upload(fileOf(5, 20_001, 'G'));
	await Promise.all([approve(APPROVER, tab), approve(DEPUTY, another)]);
	const approvals = await call(
		ledger.owner,
		'select distinct count(*) from payouts.approvals group by external_id',
	);
	expect(approvals.map((one) => Number(one.count)).sort()).not.toContain(3);
});

/** Ends the connection of a worker, as a crash of n8n does. */
async function cut() {
	const [{ pid }] = await call(connections[0], 'select pg_backend_pid() as pid');
	await call(ledger.owner, 'select pg_terminate_backend($1)', pid);
}
async function restart() {
	await ledger.restart();
	await connectWorkers();
}

describe.each([
	['n8n ends', cut],
	['PostgreSQL is restarted', restart],
])('%s', (_, crash) =>
	test.each([
		'before the claim',
		'before the claim is there',
		'after the claim',
		'while it sends',
		'before the results are saved',
		'before the results are there',
		'after the results',
	])('%s: paid once, nothing is lost, and what is open can be looked up', async (when) => {
		await upload(fileOf(6, 50, 'F'));
		await approve(APPROVER);
		const [worker] = connections;
		const cutIf = async (now: string) => {
			if (now !== when) return;
			await crash();
			throw new Error('cut');
		};
		const work = async () => {
			await cutIf('before the claim');
			await worker.query('begin');
			const claimed = await call(worker, `select * from claim(4, '1')`);
			await cutIf('before the claim is there');
			await worker.query('commit');
			await cutIf('after the claim');
			const results = [];
			for (const { external_id: externalId } of claimed) {
				results.push({ externalId, ...send(externalId) });
				if (results.length === 2) await cutIf('while it sends');
			}
			await cutIf('before the results are saved');
			await worker.query('begin');
			await call(worker, `select * from record('1', $1)`, results);
			await cutIf('before the results are there');
			await worker.query('commit');
			await cutIf('after the results');
		};
		await expect(work()).rejects.toThrow('cut');
		const open = await call(ledger.n8n, `select * from look_up($1, 'open', '')`, CLERK);
		expect(open).toHaveLength(when === 'after the results' ? 2 : 6);
		await pay(connections[1], '2');
		await ledger.owner.query('update payouts.settings set retry_minutes = -1');
		await pay(connections[1], '3');
		expect(await statesOf()).toEqual({ accepted: 6 });
		expect(service.size).toBe(6);
	}),
);

test('what is in doubt for too long is shown, and goes out again only when somebody says so', async () => {
	await upload(fileOf(1, 50, 'F'));
	await approve(APPROVER);
	const [{ external_id: id }] = await call(ledger.n8n, `select * from claim(1, '1')`);
	await ledger.owner.query('update payouts.settings set retry_minutes = -1, retry_hours = 0');
	expect(await call(ledger.n8n, `select * from claim(1, '2')`)).toEqual([]);
	const [shown] = await call(ledger.n8n, 'select * from attention');
	expect(shown).toMatchObject({ what: expect.stringMatching(/^In doubt/), external_ids: id });
	const [, section] = read('docs/payouts.md').split('## A payment in doubt');
	const [, settle] = /```sql\n([^]*?)\n```/.exec(section)!;
	await ledger.owner.query(settle.replace('INV-7.3f9a52c1e0', id));
	await ledger.owner.query('update payouts.settings set retry_minutes = 10, retry_hours = 23');
	await pay(connections[0], '3');
	expect(await statesOf()).toEqual({ accepted: 1 });
});

test('what an event resolves while it is claimed again is not sent again', async () => {
	await upload(fileOf(2, 50, 'F'));
	await approve(APPROVER);
	const [{ external_id: externalId }, other] = await call(
		ledger.n8n,
		`select * from claim(2, '1')`,
	);
	await ledger.owner.query('update payouts.settings set retry_minutes = -1');
	const [follow, worker] = connections;
	await follow.query('begin');
	await call(follow, 'select * from record_event($1)', {
		id: 'evt_1',
		createdAt: 1e12,
		data: { status: 'COMPLETED', amount: '50.00', currency: 'EUR', metadata: { externalId } },
	});
	const claimed = call(worker, `select * from claim(2, '2')`);
	const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'claim'`;
	const isWaiting = async () => (await call(ledger.owner, waits)).length;
	await waitUntil('the claim waits for the event', isWaiting);
	await follow.query('commit');
	expect((await claimed).map((one) => one.external_id)).toEqual([other.external_id]);
	expect(await statesOf()).toEqual({ paid: 1, sending: 1 });
});

test.each([
	[['2 rejected'], 'sending'],
	[['1 rejected', '2 created'], 'accepted'],
	[['1 notSent', '2 created'], 'accepted'],
	[['2 rejected', '1 created'], 'accepted'],
	[['1 rejected', '2 rejected'], 'sending'],
	[['1 notSent', '2 notSent'], 'sending'],
	[['2 notSent', '1 duplicate'], 'accepted'],
])('results of two attempts, %p: %s', async (results, state) => {
	await upload(fileOf(1, 50, 'F'));
	await approve(APPROVER);
	const [{ external_id: externalId }] = await call(ledger.n8n, `select * from claim(1, '1')`);
	await ledger.owner.query('update payouts.settings set retry_minutes = -1');
	await call(ledger.n8n, `select * from claim(1, '2')`);
	for (const [execution, outcome] of results.map((one) => one.split(' ')))
		await call(ledger.n8n, 'select * from record($1, $2)', execution, [{ externalId, outcome }]);
	expect(await statesOf()).toEqual({ [state]: 1 });
});

test('the result of an attempt says nothing about one after a look-up, except that it is there', async () => {
	await upload(fileOf(1, 50, 'F'));
	await approve(APPROVER);
	const [{ external_id: externalId }] = await call(ledger.n8n, `select * from claim(1, '1')`);
	await ledger.owner.query(`update payouts.payments set state = 'approved', first_sent_at = null`);
	await call(ledger.n8n, `select * from claim(1, '2')`);
	await call(ledger.n8n, `select * from record('1', $1)`, [{ externalId, outcome: 'rejected' }]);
	expect(await statesOf()).toEqual({ sending: 1 });
	await call(ledger.n8n, `select * from record('2', $1)`, [{ externalId, outcome: 'rejected' }]);
	await call(ledger.n8n, `select * from record('1', $1)`, [{ externalId, outcome: 'created' }]);
	expect(await statesOf()).toEqual({ accepted: 1 });
});
