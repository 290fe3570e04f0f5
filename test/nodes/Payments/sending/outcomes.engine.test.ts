import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

import { freePort } from '../../../../host/freePort';
import { Workflow, type IDataObject, type INode } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import type { Faults } from '../../../../sandbox/types';
import { rows } from '../../../support/builders/transactions';
import { startFakeService } from '../../../support/servers/fakeService';
import { NodeTypes } from '../../../support/engine/harness';
import { useBench, type Outcome, type PaymentsBench } from '../../../support/engine/payments';

/* What the node says of a transaction is true, whatever the service, the network, or n8n does. */

let bench: PaymentsBench;
useBench((one) => (bench = one));
afterEach(() => jest.restoreAllMocks());

const transactions = async () => (await bench.sandbox.client.getCounts()).transactions;
const custom = (count: number, prefix = 'mine') =>
	rows(count, (index) => ({ eventId: `${prefix}-${index}` }));
const RETRY_ON_FAIL: Partial<INode> = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

const run = async (items: IDataObject[], options: IDataObject = {}, node: Partial<INode> = {}) =>
	await bench.run(items, { specifyTransaction: 'item', options }, node);
const outcomesOf = ({ json }: Pick<Outcome, 'json'>) => json.map(({ outcome }) => outcome);

describe('300 custom Event IDs: none is reported as rejected or not recorded, and none is doubled', () => {
	const scenarios: Array<[string, Faults, IDataObject]> = [
		[
			'30 % of the responses are 503 after recording',
			{ statuses: [{ status: 503, rate: 0.3, processed: true, retryAfter: 0 }] },
			{},
		],
		['30 % of the responses are lost', { dropResponses: 0.3 }, { retryUnknownOutcome: true }],
	];
	const nodes: Array<[string, Partial<INode>]> = [
		['stops', {}],
		['continues', CONTINUE],
		['stops, with Retry On Fail', RETRY_ON_FAIL],
		['continues, with Retry On Fail', { ...CONTINUE, ...RETRY_ON_FAIL }],
	];
	// Side by side: what takes time are the waits before retries.
	test.each(scenarios)('%s', async (_, faults, options) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await bench.sandbox.client.setFaults({ seed: 3, ...faults });
		const results = await Promise.all(
			nodes.map(async ([name, node]) => {
				const items = custom(300 / nodes.length, name);
				return await run(items, { maxConcurrentRequests: 100, ...options }, node);
			}),
		);
		expect(
			results.map((result, index) => [
				nodes[index][0],
				result.run.status,
				result.json.length,
				[...new Set(outcomesOf(result))].sort(),
			]),
		).toEqual(
			nodes.map(([name]) => [name, 'success', 300 / nodes.length, ['created', 'duplicate']]),
		);
		expect((await transactions()).created).toBe(300);
	});
});

describe('after an attempt that may have been recorded', () => {
	test('the conflict of the retry does not stop the execution, whatever On Duplicate says', async () => {
		const fault = { status: 503, processed: true, retryAfter: 0 };
		await bench.sandbox.client.setFaults({ next: [fault] });
		const { json, run: execution } = await run(custom(1), { onDuplicate: 'stop' });
		expect(execution.status).toBe('success');
		expect(outcomesOf({ json })).toEqual(['duplicate']);
		expect((await transactions()).created).toBe(1);
	});

	test('no connection leaves it open', async () => {
		const service = await startFakeService((_request, response) => {
			response.writeHead(503, { 'retry-after': '0' }).end(() => void service.stop());
		});
		await bench.seed({ authUrl: service.url, baseUrl: service.url });
		expect((await run(custom(1), { maxRetryTime: 1 }, CONTINUE)).json).toMatchObject([
			{
				outcome: 'unknown',
				message: expect.stringMatching(/503[^]*Retry: [^]*nothing responds/),
			},
		]);
	});
});

describe('Retry On Fail', () => {
	test.each([
		['custom', custom],
		['generated', rows],
	])('%s Event IDs: what the first try created is a duplicate in the second', async (_, items) => {
		const rejected = { status: 422, body: { errorCode: 'LIMIT' } };
		const taken = { status: 202, processed: true };
		await bench.sandbox.client.setFaults({ next: [taken, taken, rejected] });
		const result = await run(items(5), { maxConcurrentRequests: 1 }, RETRY_ON_FAIL);
		expect(outcomesOf(result)).toEqual('duplicate duplicate created created created'.split(' '));
		expect(await transactions()).toMatchObject({ created: 5, requests: 8 });
	});

	test('and On Duplicate: Stop are a contradiction, and nothing is sent', async () => {
		const { error } = await run(custom(2), { onDuplicate: 'stop' }, RETRY_ON_FAIL);
		expect(error?.message).toMatch(/'On Duplicate' can't stop.*'Retry On Fail'/);
		expect(error?.description).toMatch(/Turn off 'Retry On Fail'.*Nothing was sent/);
		expect((await transactions()).requests).toBe(0);
	});
});

describe('the whole workflow executed again with custom Event IDs', () => {
	beforeEach(async () => {
		await run(custom(3));
	});

	test('goes on, each item a duplicate', async () => {
		const result = await run(custom(3));
		expect(result.json).toMatchObject(
			custom(3).map(({ eventId }) => ({
				outcome: 'duplicate',
				message: expect.stringContaining('Recorded before'),
				statusCode: 409,
				eventId,
				response: expect.objectContaining({ errorCode: 'EVENT_ALREADY_EXISTS' }),
			})),
		);
		expect(await transactions()).toMatchObject({ created: 3 });
	});

	test('stops if the user says so, and counts the duplicate as recorded', async () => {
		const { error } = await run(custom(3), {
			onDuplicate: 'stop',
			maxConcurrentRequests: 1,
		});
		expect(error).toMatchObject({
			message: expect.stringMatching(/Recorded before/),
			description: expect.stringMatching(
				/External ID of its own[^]*Recorded: 1 of 3, not started: 2[^]*On Duplicate/,
			),
		});
		expect(error?.description).not.toContain('is safe');
	});

	test('uses the error output if the user says so', async () => {
		const { outputs } = await run(
			[...custom(3), ...rows(1)],
			{ onDuplicate: 'stop' },
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs.map((items) => items.map(({ json }) => json.outcome))).toEqual([
			['created'],
			['duplicate', 'duplicate', 'duplicate'],
		]);
	});
});

test('a 409 response about something else leaves it open, in the words of the service', async () => {
	await bench.sandbox.client.setFaults({ rejectDuplicateExternalIds: true });
	await run(rows(2));
	const { json } = await run(
		rows(2, () => ({ externalStatus: 'corrected' })),
		{},
		CONTINUE,
	);
	expect(json).toMatchObject(
		rows(2).map(({ externalId }) => ({
			outcome: 'unknown',
			message: expect.stringContaining('EXTERNAL_ID_IN_USE: The externalId'),
			externalId,
			statusCode: 409,
			response: expect.objectContaining({
				errorCode: 'EXTERNAL_ID_IN_USE',
				warnings: [{ position: 'externalId', issue: 'Is already in use' }],
			}),
		})),
	);
	expect((await transactions()).created).toBe(2);
});

describe('a connection that exists and then fails', () => {
	test.each([
		['EHOSTUNREACH', 'read'],
		['ENETUNREACH', 'write'],
		['ECONNRESET', 'read'],
		['EPIPE', 'write'],
	])('%s in %s leaves the outcome unknown', async (code, syscall) => {
		await run(rows(1, () => ({ externalId: 'fetches a token' })));
		await bench.sandbox.client.reset();
		// Long enough for the connection to break first, however busy this machine is.
		await bench.sandbox.client.setFaults({ latencyMs: 10_000 });
		const { port } = new URL(bench.sandbox.url);
		const breakConnection = (message: unknown) => {
			const { socket } = message as { socket: Socket };
			socket.once('connect', () => {
				const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
				if (String(socket.remotePort) === port) setTimeout(() => socket.destroy(error), 150);
			});
		};
		subscribe('net.client.socket', breakConnection);
		const result = await run(rows(1), {}, CONTINUE);
		unsubscribe('net.client.socket', breakConnection);
		expect(outcomesOf(result)).toEqual(['unknown']);
		expect((await transactions()).requests).toBe(1);
	});
});

describe("n8n's database fails while it stores a token", () => {
	/** As TypeORM's QueryFailedError: the driver's members are copied to it. */
	const databaseErrors: Array<[string, object]> = [
		['a full disk', { code: 'SQLITE_FULL', errno: 13 }],
		['PostgreSQL is down', { code: 'ECONNREFUSED', syscall: 'connect' }],
		['the connection to PostgreSQL broke', { code: 'ECONNRESET', syscall: 'read' }],
		['the pool is exhausted', {}],
	];
	const fail = (members: object) => {
		const error = Object.assign(new Error('QueryFailedError'), { query: 'UPDATE', ...members });
		return jest.spyOn(bench.credentials, 'updateCredentials').mockRejectedValue(error);
	};
	beforeEach(async () => {
		await bench.seed({ ...(await bench.sandbox.client.createClient()) } as never);
	});

	test.each(databaseErrors)('%s: the token is used all the same', async (_, members) => {
		const write = fail(members);
		expect(outcomesOf(await run(rows(3)))).toEqual(Array(3).fill('created'));
		await bench.sandbox.client.setFaults({ expireTokens: true });
		expect(outcomesOf(await run(custom(3)))).toEqual(Array(3).fill('created'));
		expect(write).toHaveBeenCalledTimes(2);
	});

	test('without time for a retry, the item that wanted it stored was not sent', async () => {
		fail({ code: 'SQLITE_FULL' });
		const { json } = await run(rows(3), { maxRetryTime: 0, maxConcurrentRequests: 1 }, CONTINUE);
		expect(json).toMatchObject([
			{
				outcome: 'notSent',
				message: expect.stringMatching(/wasn't sent, because n8n's database/),
				fix: expect.stringMatching(/Nothing was sent/),
			},
			{ outcome: 'created' },
			{ outcome: 'created' },
		]);
		expect(await transactions()).toMatchObject({ requests: 2 });
	});

	test('nor was one whose token the service rejected before', async () => {
		await run(rows(1, () => ({ externalId: 'fetches a token' })));
		await bench.sandbox.client.setFaults({ expireTokens: true });
		fail({ code: 'ECONNREFUSED', syscall: 'connect' });
		const { json } = await run(rows(1), { maxRetryTime: 0 }, CONTINUE);
		expect(json).toMatchObject([
			{ outcome: 'notSent', message: expect.stringMatching(/n8n's database/) },
		]);
	});
});

describe('a host that cannot be reached', () => {
	test.each([
		['nothing listens', async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}` })],
		// Too long for a name, so that no name server is asked, which can take many seconds.
		['a misspelled host', async () => ({ baseUrl: `https://${'x'.repeat(64)}.invalid` })],
		['no token endpoint', async () => ({ authUrl: `http://127.0.0.1:${await freePort()}` })],
	])('%s: 200 items cost the retry time of one', async (_, changes) => {
		await bench.seed({
			...(await bench.sandbox.client.createClient()),
			...(await changes()),
		} as never);
		const started = Date.now();
		const { json } = await run(rows(200), { maxRetryTime: 1 }, CONTINUE);
		expect(Date.now() - started).toBeLessThan(10_000);
		expect(json.map(({ outcome }) => outcome)).toEqual(Array(200).fill('notSent'));
		const reasonOf = ({ message }: IDataObject) => (message as string).split(/, for | \(tried/)[0];
		expect(new Set(json.map(reasonOf)).size).toBe(1);
		expect(json[199].fix).toMatch(/Nothing was sent/);
	});

	test('one that recovers goes on', async () => {
		await run(rows(1, () => ({ externalId: 'fetches a token' })));
		await bench.sandbox.client.changeFaults({ refuseConnections: { ms: 600 } });
		const result = await run(rows(50), { maxRetryTime: 20 }, CONTINUE);
		expect(outcomesOf(result)).toEqual(Array(50).fill('created'));
	});
});

describe('the JSON of every item begins with outcome, message, fix, and externalId', () => {
	const FIRST = ['outcome', 'externalId', 'amount', 'currency'];
	/** One item of each outcome. */
	const all = async (node: Partial<INode>) => {
		await run(custom(1));
		await bench.sandbox.client.setFaults({
			next: [
				{ status: 409, body: { errorCode: 'EVENT_ALREADY_EXISTS' } },
				{ status: 400 },
				{ status: 500 },
			],
		});
		const items = custom(5).map((item, index) => (index === 4 ? { ...item, amount: 'x' } : item));
		return await run(items, { maxConcurrentRequests: 1 }, node);
	};

	test('in one output', async () => {
		const { json } = await all(CONTINUE);
		expect(json.map(({ outcome }) => outcome)).toEqual([
			'duplicate',
			'rejected',
			'unknown',
			'created',
			'invalid',
		]);
		for (const item of json) {
			expect(Object.keys(item).slice(0, 4)).toEqual(FIRST);
			expect(item).toMatchObject({ currency: 'EUR', amount: expect.any(String) });
		}
	});

	test('with an error output, the fields of the input item come first, as n8n has it', async () => {
		const { outputs } = await all({ onError: 'continueErrorOutput' });
		const [success, failed] = outputs.map((items) => items.map(({ json }) => json));
		expect(success.map(({ outcome }) => outcome)).toEqual(['duplicate', 'created']);
		expect(failed.map(({ outcome }) => outcome)).toEqual(['rejected', 'unknown', 'invalid']);
		for (const item of success) expect(Object.keys(item).slice(0, 4)).toEqual(FIRST);
		for (const item of failed) {
			expect(item).toMatchObject({ message: expect.any(String), eventId: expect.any(String) });
		}
		expect(outputs[1].map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 1 },
			{ item: 2 },
			{ item: 4 },
		]);
	});

	test('an invalid item without IDs', async () => {
		const { json } = await run(
			rows(1, () => ({ externalId: '' })),
			{},
			CONTINUE,
		);
		expect(json[0]).toMatchObject({ outcome: 'invalid' });
		expect(json[0]).not.toHaveProperty('eventId');
	});

	test('a dry run', async () => {
		const { json } = await run(custom(1), { dryRun: true });
		expect(Object.keys(json[0]).slice(0, 4)).toEqual(FIRST);
	});
});

test.each([
	[{}, 'create: transaction'],
	[{ dryRun: false }, 'create: transaction'],
	[{ dryRun: true }, 'create: transaction (dry run)'],
])('the subtitle with the options %j', (options, subtitle) => {
	const nodeType = new Payments();
	const node: INode = {
		id: '1',
		name: 'Payments',
		type: 'payments',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'transaction', operation: 'create', options },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: new NodeTypes({ payments: nodeType }),
	});
	const value = workflow.expression.getSimpleParameterValue(
		node,
		nodeType.description.subtitle,
		'internal',
		{},
	);
	expect(value).toBe(subtitle);
});
