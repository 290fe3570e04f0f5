import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

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

test('no connection leaves open what an earlier attempt left open', async () => {
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
		message: expect.stringMatching(/had this Event ID already.*Recorded: 1 of 3, not started: 2/),
		description: expect.stringMatching(/External ID of its own[^]*On Duplicate/),
	});
	expect(error?.description).not.toContain('stay the same');
});

test('a connection that exists and then fails leaves the outcome unknown', async () => {
	await run(rows(1, () => ({ externalId: 'fetches a token' })));
	await bench.sandbox.client.reset();
	// Long enough for the connection to break first, however busy this machine is.
	await bench.sandbox.client.setFaults({ latencyMs: 10_000 });
	const { port } = new URL(bench.sandbox.url);
	const breakConnection = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		socket.once('connect', () => {
			const members = { code: 'EHOSTUNREACH', syscall: 'read' };
			const error = Object.assign(new Error('read EHOSTUNREACH'), members);
			if (String(socket.remotePort) === port) setTimeout(() => socket.destroy(error), 150);
		});
	};
	subscribe('net.client.socket', breakConnection);
	const result = await run(rows(1), {}, CONTINUE);
	unsubscribe('net.client.socket', breakConnection);
	expect(outcomesOf(result)).toEqual(['unknown']);
	expect((await transactions()).requests).toBe(1);
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
		await bench.sandbox.client.setFaults({ revokeTokens: true });
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
});

test.each([
	[{}, 'create: transaction'],
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
