import type { ServerResponse } from 'node:http';
import { inspect as format } from 'node:util';

import { Workflow, type IDataObject, type INode } from 'n8n-workflow';

import { freePort } from '../../../../host/freePort';
import { Payments } from '../../../../nodes/Payments/Payments.node';
import type { Faults, NextResponse } from '../../../../sandbox/types';
import { rows } from '../../../support/builders/transactions';
import { isNightly } from '../../../support/nightly';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';
import { NodeTypes } from '../../../support/engine/harness';
import { useBench, type Outcome, type PaymentsBench } from '../../../support/engine/payments';

/*
 * How a list of transactions is sent through n8n's engine: real time, real connections, Retry On
 * Fail, and the tokens of the credential. What becomes of a list is tested in
 * TransactionList.test.ts, and of a transaction, in sequences.engine.test.ts.
 */

let bench: PaymentsBench;
useBench((one) => (bench = one));

let service: FakeService | undefined;
afterEach(async () => {
	jest.restoreAllMocks();
	await service?.stop();
	service = undefined;
});

/** Starts a service that answers each transaction so, and points the credential to it. */
async function serve(answer: (response: ServerResponse) => void): Promise<void> {
	service = await startFakeService((_request, response) => answer(response));
	await bench.seed({ authUrl: service.url, baseUrl: service.url });
}

const transactions = async () => (await bench.sandbox.client.getCounts()).transactions;
const custom = (count: number, prefix = 'mine') =>
	rows(count, (index) => ({ eventId: `${prefix}-${index}` }));
const RETRY_ON_FAIL: Partial<INode> = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

const run = async (items: IDataObject[], options: IDataObject = {}, node: Partial<INode> = {}) =>
	await bench.run(items, { specifyTransaction: 'item', options }, node);
const outcomesOf = ({ json }: Pick<Outcome, 'json'>) => json.map(({ outcome }) => outcome);

/** Of custom Event IDs, none is reported as rejected or not recorded, and none is doubled. */
describe('through faults, each transaction is recorded once, and its item says so', () => {
	const COUNT = isNightly ? 1000 : 200;
	const MAYBE_BEFORE = ['created', 'duplicate'];
	const scenarios: Array<[string, Faults, string[], IDataObject]> = [
		[
			'10 % of the responses are 503 after recording',
			{ statuses: [{ status: 503, rate: 0.1, processed: true, retryAfter: 0 }] },
			MAYBE_BEFORE,
			{},
		],
		[
			'10 % of the responses are lost',
			{ dropResponses: 0.1 },
			MAYBE_BEFORE,
			{ retryUnknownOutcome: true },
		],
		[
			'10 % are 429, 5 % are 503, and tokens are revoked',
			{
				statuses: [
					{ status: 429, rate: 0.1, retryAfter: 0 },
					{ status: 503, rate: 0.05 },
				],
				revokeTokens: { every: COUNT * 0.5 },
			},
			['created'],
			{},
		],
	];
	const nodes: Array<[string, Partial<INode>]> = [
		['stops', {}],
		['continues', CONTINUE],
		['stops, with Retry On Fail', RETRY_ON_FAIL],
		['continues, with Retry On Fail', { ...CONTINUE, ...RETRY_ON_FAIL }],
	];
	// Side by side: what takes time are the waits before retries.
	test.each(scenarios)('%s', async (_, faults, outcomes, options) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await bench.sandbox.client.setFaults({ seed: 3, ...faults });
		const results = await Promise.all(
			nodes.map(async ([name, node]) => {
				const items = custom(COUNT / nodes.length, name);
				const result = await run(items, { maxConcurrentRequests: 100, ...options }, node);
				const seen = [...new Set(outcomesOf(result))].sort();
				return [name, result.run.status, result.json.length, seen];
			}),
		);
		expect(results).toEqual(
			nodes.map(([name]) => [name, 'success', COUNT / nodes.length, outcomes]),
		);
		const { created } = await transactions();
		expect(created).toBe(COUNT);
	});
});

test.each([
	['custom', custom],
	['generated', rows],
])(
	'Retry On Fail, %s Event IDs: what the first try created is a duplicate in the second',
	async (_, items) => {
		const rejected = { status: 422, body: { errorCode: 'LIMIT' } };
		const taken = { status: 202, processed: true };
		await bench.sandbox.client.setFaults({ next: [taken, taken, rejected] });
		const result = await run(items(5), { maxConcurrentRequests: 1 }, RETRY_ON_FAIL);
		expect(outcomesOf(result)).toEqual('duplicate duplicate created created created'.split(' '));
		expect(await transactions()).toMatchObject({ created: 5, requests: 8 });
	},
);

test('the whole workflow executed again stops if the user says so, and the duplicate counts as recorded', async () => {
	await run(custom(3));
	const { error } = await run(custom(3), { onDuplicate: 'stop', maxConcurrentRequests: 1 });
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/had this Event ID already.*Of 3 items: 1 duplicate, 2 not started/,
		),
		description: expect.stringMatching(/External ID of its own[^]*On Duplicate/),
	});
	expect(error?.description).not.toContain('stay the same');
});

test('a wrong secret stops at the row that was tried, and the service finds the token request', async () => {
	await bench.seed({ clientSecret: 'a-wrong-secret' });
	const { error } = await run(rows(5));
	expect(error?.message).toMatch(
		/invalid_client.*"pmt_0"\]\. Of 5 items: 1 not sent, 4 not started$/,
	);
	expect(error?.description).toMatch(/request ID \S+, 1 attempt at 2.*Z\./);
	const { json } = await run(rows(3), {}, CONTINUE);
	expect(json.every(({ outcome }) => outcome === 'notSent')).toBe(true);
	const tried = json.filter(({ attempts }) => attempts === 1);
	expect(tried.map(({ requestId }) => requestId)).not.toContain(undefined);
});

test('Max Requests per Second spaces requests', async () => {
	const arrivals: number[] = [];
	await serve((response) => {
		arrivals.push(Date.now());
		response.writeHead(202).end();
	});
	const result = await run(rows(16), { maxRequestsPerSecond: 50 });
	expect(outcomesOf(result)).toEqual(Array(16).fill('created'));
	// They leave over 0.3 s or more. On a busy machine, the first one arrives late.
	expect(arrivals.at(-1)! - arrivals[0]).toBeGreaterThan(150);
});

test('Timeout is the total time of a request, also for a response that drips', async () => {
	await serve((response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 100);
		response.on('close', () => clearInterval(timer));
	});
	const startedAt = Date.now();
	const { json } = await run(rows(1), { timeout: 1 }, CONTINUE);
	expect(Date.now() - startedAt).toBeLessThan(15_000);
	expect(json[0]).toMatchObject({
		outcome: 'unknown',
		message: expect.stringContaining("didn't respond in time"),
	});
});

test('an outage is waited out, also when the clock of this machine is set back and forth', async () => {
	const realNow = Date.now.bind(Date);
	const startedAt = performance.now();
	let step = 7_200_000;
	await serve((response) => {
		if (performance.now() - startedAt > 1000) return void response.writeHead(202).end();
		step = -step;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + step);
		response.writeHead(503, { 'retry-after': '1' }).end();
	});
	const result = await run(rows(100), {}, CONTINUE);
	expect(outcomesOf(result)).toEqual(Array(100).fill('created'));
	expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('an hour that the issuer of tokens asks to wait ends the list at once', async () => {
	await bench.sandbox.client.setFaults({ token: { status: 503, retryAfter: 3600 } });
	const { json } = await run(rows(60), {}, CONTINUE);
	expect(outcomesOf({ json })).toEqual(Array(60).fill('notSent'));
	expect(json.at(-1)).toMatchObject({ message: expect.stringMatching(/asked to wait 3\d{3} s/) });
});

describe("n8n's database fails while it stores a token", () => {
	/** As TypeORM's QueryFailedError: the driver's members are copied to it. */
	const fail = (members: object) => {
		const error = Object.assign(new Error('QueryFailedError'), { query: 'UPDATE', ...members });
		return jest.spyOn(bench.credentials, 'updateCredentials').mockRejectedValue(error);
	};

	test.each([
		['a full disk', { code: 'SQLITE_FULL', errno: 13 }],
		['PostgreSQL is down', { code: 'ECONNREFUSED', syscall: 'connect' }],
		['the connection to PostgreSQL broke', { code: 'ECONNRESET', syscall: 'read' }],
		['the pool is exhausted', {}],
	])('%s: the token is used all the same', async (_, members) => {
		const write = fail(members);
		expect(outcomesOf(await run(rows(3)))).toEqual(Array(3).fill('created'));
		expect(write).toHaveBeenCalledTimes(1);
	});

	test('without time for a retry, the item that wanted it stored was not sent', async () => {
		fail({ code: 'SQLITE_FULL' });
		const { json } = await run(rows(3), { maxRetryTime: 0, maxConcurrentRequests: 1 }, CONTINUE);
		expect(json).toMatchObject([
			{
				outcome: 'notSent',
				message: expect.stringMatching(/^Not sent: n8n's database/),
				fix: expect.stringMatching(/Nothing was sent/),
			},
			{ outcome: 'created' },
			{ outcome: 'created' },
		]);
		expect(await transactions()).toMatchObject({ requests: 2 });
	});
});

test('no secret and no token in items, messages or logs', async () => {
	const logged: string[] = [];
	for (const name of ['stdout', 'stderr'] as const)
		jest.spyOn(process[name], 'write').mockImplementation((text) => logged.push(String(text)) > 0);
	const seen: unknown[] = [];
	const see = async (count: number, next: NextResponse[]) => {
		await bench.sandbox.client.setFaults({ next });
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const)
			seen.push(await run(rows(count), { maxRetryTime: 0 }, { onError }));
	};
	await see(2, []);
	await see(2, [{ status: 401 }]);
	await see(2, [{ status: 400 }]);
	await see(2, [{ fault: 'reset' }]);
	await see(2, [{ fault: 'html' }]);
	// A token is kept behind its client and its expiry.
	const stored = (await bench.credentials.stored.get('c1')!.getData()) as { accessToken: string };
	const token = stored.accessToken.split(' ').at(-1)!;
	const body = { [token]: [`Invalid access token: ${token}`] };
	for (const status of [202, 400]) await see(1, [{ status, body, times: 2 }]);
	await bench.seed({ clientSecret: 'a-wrong-secret-of-mine' });
	await see(1, []);
	await bench.seed({ authUrl: `http://127.0.0.1:${await freePort()}` });
	await see(1, []);
	jest.restoreAllMocks();

	const haystack = inspect(seen) + logged.join('');
	expect(haystack).toContain('pmt_1');
	expect(haystack).toContain('•••');
	expect(token.length).toBeGreaterThan(8);
	for (const needle of [
		...[bench.client.clientSecret, 'a-wrong-secret-of-mine', token],
		...['Bearer ', 'client_secret'],
	])
		expect(haystack.includes(needle)).toBe(false);
});

/** Everything that hangs on a value, hidden members and causes included. */
const inspect = (value: unknown) =>
	format(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
	});

test.each([
	[{}, 'create: transaction'],
	[{ dryRun: true }, 'create: transaction (dry run)'],
])('the subtitle with the options %j', (options, text) => {
	const nodeType = new Payments();
	const node: INode = {
		...{ id: '1', name: 'Payments', type: 'payments', typeVersion: 1, position: [0, 0] },
		parameters: { resource: 'transaction', operation: 'create', options },
	};
	const nodeTypes = new NodeTypes({ payments: nodeType });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle } = nodeType.description;
	expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(text);
});
