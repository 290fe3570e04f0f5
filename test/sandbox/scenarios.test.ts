import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { document, newValidator } from '../../sandbox/contract';
import type { Scenario, WebhookEvent } from '../../sandbox/types';
import { SAMPLE } from '../support/builders/transactions';
import { eventIssues } from '../support/eventCatalog';
import { askToken, http, sendTransaction } from '../support/servers/sandboxCalls';
import type { SharedSandbox } from '../support/servers/sharedSandbox';
import { useEventReceiver } from '../support/servers/eventReceiver';

const DOCS = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');
const scenarios = document['x-scenarios'] as Scenario[];
/** Enough for every payment of a scenario. */
const LONG_MS = 60_000;

/**
 * The statuses of the responses to two or three requests with the same Event ID; null without a
 * response.
 */
const RESPONSES: Record<string, Array<number | null>> = {
	TEST_DUPLICATE: [409, 409],
	TEST_CONFLICT: [409, 409],
	TEST_UNEXPLAINED_CONFLICT: [409, 409],
	TEST_OTHER_CODE: [409, 409],
	TEST_REPLAYED: [202, 202],
	TEST_RETRY_CONFLICT: [409, 409],
	TEST_IN_PROGRESS: [409, 409],
	TEST_KEY_REUSED: [422, 422],
	TEST_INVALID: [400, 400],
	TEST_UNKNOWN: [null, 409],
	TEST_RATE_LIMITED: [429, 429, 202],
	TEST_UNAVAILABLE: [503, 202],
	TEST_TOKEN_EXPIRED: [401, 202],
};

/**
 * The events that a scenario brings, in their order: each event type with the status of what it's
 * about.
 */
function eventsOf({ statuses }: Scenario): Array<[event: string, status: string]> {
	if (!statuses) return [];
	return [
		['PAYMENT.CREATED', 'CREATED'],
		...statuses.map((status): [string, string] => ['PAYMENT.STATUS_UPDATED', status]),
		...(statuses.includes('RETURNED') ? [['RETURN.CREATED', 'COMPLETED'] as [string, string]] : []),
	];
}

let sandbox: SharedSandbox;
let received: () => WebhookEvent[];
let token: string;
useEventReceiver((...both) => ([sandbox, received] = both));
beforeEach(async () => {
	token = (await askToken(sandbox.url, await sandbox.client.createClient())).data.access_token;
	await sandbox.client.setClock({ frozen: true });
});

const request = async (changes: object) =>
	await sendTransaction(sandbox.url, token, { ...SAMPLE, ...changes });

const send = async (changes: object) =>
	await request(changes).then(
		({ status }) => status,
		() => null,
	);

describe('a scenario', () => {
	it.each(scenarios)('$name does what it says', async (scenario) => {
		const { name } = scenario;
		const expected = RESPONSES[name] ?? [202, 409];
		const statuses: Array<number | null> = [];
		const durations: number[] = [];
		while (statuses.length < expected.length) {
			const startedAt = Date.now();
			statuses.push(await send({ reference: `Invoice ${name} 7` }));
			durations.push(Date.now() - startedAt);
		}
		expect(statuses).toEqual(expected);
		// Whatever the clock of the sandbox says.
		if (name === 'TEST_SLOW') expect(durations[0]).toBeGreaterThanOrEqual(2990);
		await sandbox.client.setClock({ advanceMs: LONG_MS });
		const words = received().map(({ event, data }) => [event, data.status]);
		const events = eventsOf(scenario);
		if (name === 'TEST_REORDERED') words.reverse();
		expect(words).toEqual(
			name === 'TEST_REDELIVERED' ? events.flatMap((one) => [one, one]) : events,
		);
		expect(received().flatMap(eventIssues)).toEqual([]);
	});

	it('concerns only the transactions that name it, in the reference or the External ID', async () => {
		expect(await send({ reference: 'TEST_INVALID' })).toBe(400);
		const { status, data } = await request({ externalId: 'x-TEST_INVALID-1' });
		expect([status, data.warnings]).toEqual([400, undefined]);
		expect(await send({ reference: 'TEST_NOTHING', externalId: 'test_invalid' })).toBe(202);
		expect((await sandbox.client.listTransactions()).items).toHaveLength(1);
	});

	it('of a return brings the event of a return of that payment', async () => {
		await send({ reference: 'TEST_RETURNED' });
		await sandbox.client.setClock({ advanceMs: LONG_MS });
		const [payment] = (await sandbox.client.listPayments()).items;
		expect(payment.status).toBe('RETURNED');
		const { data } = received().at(-1)!;
		expect(data).toMatchObject({ paymentId: payment.id, amount: payment.amount, currency: 'EUR' });
	});

	it('that is delayed has five seconds between two statuses', async () => {
		await send({ reference: 'TEST_DELAYED' });
		const payments: number[] = [];
		for (const advanceMs of [4999, 1, 4999, 1]) {
			await sandbox.client.setClock({ advanceMs });
			payments.push(received().length);
		}
		expect(payments).toEqual([0, 1, 1, 2]);
	});

	it('in progress responds with 409 for three seconds of the clock, and is recorded then', async () => {
		const inProgress = {
			status: 409,
			data: {
				errorCode: 'REQUEST_IN_PROGRESS',
				message: 'A request is outstanding for this Event ID.',
			},
		};
		const recorded = async () => (await sandbox.client.listTransactions()).items;
		const { now } = await sandbox.client.getClock();
		const first = await request({ reference: 'TEST_IN_PROGRESS' });
		expect(first).toMatchObject(inProgress);
		expect(first.headers).not.toHaveProperty('retry-after');
		await sandbox.client.setClock({ advanceMs: 2999 });
		// Whatever else the body says: the Event ID is what counts.
		expect(await request({ reference: 'Another one' })).toMatchObject(inProgress);
		expect(await request({ reference: 'TEST_IN_PROGRESS', eventId: 'b' })).toMatchObject(
			inProgress,
		);
		expect(await recorded()).toEqual([]);
		await sandbox.client.setClock({ advanceMs: 1 });
		expect(await request({ reference: 'TEST_IN_PROGRESS' })).toMatchObject({
			status: 409,
			data: { errorCode: 'EVENT_ALREADY_EXISTS' },
		});
		expect(await recorded()).toMatchObject([
			{ eventId: SAMPLE.eventId, firstSeenAt: now, seen: 3 },
		]);
		expect((await sandbox.client.getCounts()).transactions).toMatchObject({
			created: 1,
			duplicates: 1,
			processing: 2,
		});
	});

	it('in progress ends with a reset', async () => {
		await send({ reference: 'TEST_IN_PROGRESS' });
		await sandbox.client.reset();
		await sandbox.client.setClock({ frozen: true, advanceMs: LONG_MS });
		expect((await sandbox.client.getCounts()).transactions).toMatchObject({
			created: 0,
			processing: 0,
		});
		expect(await send({})).toBe(202);
	});

	it('of an unexplained conflict has a 409 without a body, and its transaction is recorded', async () => {
		const { status, data, headers } = await request({ reference: 'TEST_UNEXPLAINED_CONFLICT' });
		expect([status, data, headers['content-length']]).toEqual([409, '', '0']);
		expect((await sandbox.client.listTransactions()).items).toHaveLength(1);
		const later = await request({ reference: 'Another one' });
		expect(later.data.errorCode).toBe('EVENT_ALREADY_EXISTS');
	});

	it('counts the requests of each Event ID', async () => {
		const responses = async (eventId: string) => [
			await send({ reference: 'TEST_UNAVAILABLE', eventId }),
			await send({ reference: 'TEST_UNAVAILABLE', eventId }),
		];
		expect([...(await responses('a')), ...(await responses('b'))]).toEqual([503, 202, 503, 202]);
	});
});

describe('the list of scenarios', () => {
	const validate = newValidator({ strictSchema: false, validateSchema: false })
		.addSchema(document, 'contract')
		.getSchema('contract#/components/schemas/Scenario')!;

	it('fits its schema, and no name contains another', () => {
		expect(scenarios.map((one) => validate(one) && one.name)).toEqual(
			scenarios.map(({ name }) => name),
		);
		for (const { name } of scenarios)
			expect(scenarios.filter((other) => other.name.includes(name))).toHaveLength(1);
	});

	it('is in the documentation by outcome, and in the vocabulary of the page', async () => {
		const rows = DOCS.split('\n').filter((line) => /^\| `\w+`.*\| `TEST_/.test(line));
		for (const { name, outcome } of scenarios)
			expect(rows.filter((row) => row.includes(`\`${name}\``))).toEqual([
				expect.stringMatching(new RegExp(`^\\| \`${outcome}\``)),
			]);
		const { data } = await http.get<{ scenarios: Scenario[] }>(`${sandbox.url}/sandbox/vocabulary`);
		expect(data.scenarios).toEqual(scenarios);
	});
});
