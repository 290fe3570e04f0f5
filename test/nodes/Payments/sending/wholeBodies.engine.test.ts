import type { ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { rows } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/*
 * A service that compares whole bodies with the first one of an Event ID, as Stripe does
 * (docs.stripe.com/api/idempotent_requests): the same body gets the first response again, another
 * one 400 `idempotency_error`.
 */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const COUNT = 200;
const RUNS = 5;

let service: FakeService;
let recorded: Map<string, string>;
let requests: number;
/** From 0 to 1, the same in each run of the test. */
let random: () => number;
let isFaulty: boolean;
/** The request after which it restarts, another one in each execution. */
let restartsAfter: number;

beforeEach(async () => {
	recorded = new Map();
	requests = 0;
	isFaulty = true;
	random = randomFrom(7);
	jest.spyOn(Math, 'random').mockReturnValue(0);
	service = await startFakeService(({ body }, response) => answer(body, response));
	await bench.seed({ authUrl: service.url, baseUrl: service.url, clientId: service.url });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** A linear congruential generator, whose numbers are the same everywhere. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** 5 % of the responses are lost, 5 % are 503, half of them after recording, and it restarts. */
function answer(body: string, response: ServerResponse): void {
	requests++;
	const isRestarting = requests > restartsAfter && requests < restartsAfter + 10;
	if (isFaulty && isRestarting) return void response.destroy();
	const chance = isFaulty ? random() : 1;
	if (chance < 0.025) return unavailable(response);
	const { eventId } = JSON.parse(body) as { eventId: string };
	const first = recorded.get(eventId);
	recorded.set(eventId, first ?? body);
	if (chance < 0.05) return unavailable(response);
	if (chance < 0.1) return void response.destroy();
	if (first === undefined) return void response.writeHead(202).end();
	if (first === body) {
		response.writeHead(202, { 'idempotent-replayed': 'true' }).end();
		return;
	}
	response.writeHead(400, { 'content-type': 'application/json' });
	response.end(
		JSON.stringify({ error: { type: 'idempotency_error', message: 'Other parameters' } }),
	);
}

const unavailable = (response: ServerResponse) =>
	void response.writeHead(503, { 'retry-after': '0' }).end();

/** Runs the same rows several times, the last time with a service that is well. */
async function runAgainAndAgain(changes: IDataObject): Promise<IDataObject[][]> {
	const items = rows(COUNT, (index) => ({ externalId: `invoice-${index}`, ...changes }));
	const runs: IDataObject[][] = [];
	for (let run = 1; run <= RUNS; run++) {
		isFaulty = run < RUNS;
		requests = 0;
		restartsAfter = run * 30;
		const { json } = await bench.run(
			items,
			{ specifyTransaction: 'item' },
			{ onError: 'continueRegularOutput' },
		);
		// Each row that is a duplicate is recorded.
		for (const { outcome, eventId } of json)
			if (outcome === 'duplicate') expect(recorded.has(eventId as string)).toBe(true);
		runs.push(json);
	}
	return runs;
}

const outcomesOf = (run: IDataObject[]) => [...new Set(run.map(({ outcome }) => outcome))].sort();

test('with Created At and Received At from the data, every item is recorded once in the end', async () => {
	const runs = await runAgainAndAgain({});
	expect(outcomesOf(runs.at(-1)!)).toEqual(expect.arrayContaining(['duplicate']));
	for (const { outcome } of runs.at(-1)!) expect(['created', 'duplicate']).toContain(outcome);
	expect(recorded.size).toBe(COUNT);
	// What is new adds up: an item is created at most once, however often it is run.
	for (let index = 0; index < COUNT; index++) {
		const created = runs.filter((run) => run[index].outcome === 'created');
		expect(created.length).toBeLessThanOrEqual(1);
	}
	expect(runs.flatMap(outcomesOf)).not.toContain('rejected');
}, 120_000);

test('without, nothing is rejected or taken for recorded that is not, and each item says what to set', async () => {
	const runs = await runAgainAndAgain({ externalCreatedAt: '', receivedAt: '' });
	expect(recorded.size).toBe(COUNT);
	expect(runs.flatMap(outcomesOf)).not.toContain('rejected');
	for (const { outcome, fix } of runs.at(-1)!) {
		expect(outcome).toBe('unknown');
		expect(fix).toMatch(/Look up.*'Created At' and 'Received At'/);
	}
}, 120_000);
