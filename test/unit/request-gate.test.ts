import { setImmediate as turn } from 'node:timers/promises';

import { automaticLimit, fixedLimit } from '../../nodes/Payments/sending/concurrencyLimit';
import type { ConcurrencyLimit } from '../../nodes/Payments/sending/concurrencyLimit';
import { RequestGate, type Entry } from '../../nodes/Payments/sending/requestGate';
import { fc, propertyRuns } from '../support/properties';

const never = () => false;
const wanted = { maxPause: Infinity, retry: false, isCanceled: never };

/** Lets everything happen that needs no time. */
async function settle() {
	for (let i = 0; i < 50; i++) await turn();
}

/** Time that goes on only when somebody sleeps. */
function fakeClock() {
	let now = 0;
	const sleeps: number[] = [];
	const sleep = async (ms: number) => {
		sleeps.push(ms);
		now += ms;
		await turn();
	};
	return { now: () => now, sleep, sleeps };
}

function newGate(limit: ConcurrencyLimit) {
	const clock = fakeClock();
	return { gate: new RequestGate(limit, clock), clock };
}

/** Collects what becomes of requests, by name, in the order in which it happens. */
function record() {
	const entries: Array<[name: string, entry: Entry]> = [];
	return {
		entries,
		names: () => entries.map(([name]) => name),
		enter: (gate: RequestGate, name: string, request = {}) =>
			void gate.enter({ ...wanted, ...request }).then((entry) => entries.push([name, entry])),
		leave: (
			index: number,
			feedback: Parameters<Extract<Entry, { leave: unknown }>['leave']>[0],
		) => {
			const [, entry] = entries[index];
			if (entry.kind !== 'entered') throw new Error(`Request ${index} did not enter.`);
			entry.leave(feedback);
		},
	};
}

test('requests enter in order, no more than the limit allows, and a retry enters first', async () => {
	const { gate } = newGate(fixedLimit(2));
	const requests = record();
	for (const name of ['a', 'b', 'c', 'd']) requests.enter(gate, name);
	await settle();
	requests.enter(gate, 'retry', { retry: true });
	await settle();
	expect(requests.names()).toEqual(['a', 'b']);
	requests.leave(0, { kind: 'answered' });
	await settle();
	expect(requests.names()).toEqual(['a', 'b', 'retry']);
	requests.leave(1, { kind: 'answered' });
	requests.leave(2, { kind: 'answered' });
	await settle();
	expect(requests.names()).toEqual(['a', 'b', 'retry', 'c', 'd']);
});

test('a request that is no longer wanted does not start', async () => {
	const { gate } = newGate(fixedLimit(1));
	const requests = record();
	let canceled = false;
	requests.enter(gate, 'first');
	requests.enter(gate, 'canceled', { isCanceled: () => canceled });
	requests.enter(gate, 'last');
	await settle();
	canceled = true;
	requests.leave(0, { kind: 'answered' });
	await settle();
	expect(requests.entries.map(([name, { kind }]) => [name, kind])).toEqual([
		['first', 'entered'],
		['canceled', 'canceled'],
		['last', 'entered'],
	]);
});

test('requests that are canceled while the service asks to wait are sent away when the wait ends early', async () => {
	const { gate } = newGate(fixedLimit(10));
	const requests = record();
	let canceled = false;
	requests.enter(gate, 'rejected');
	await settle();
	requests.leave(0, { kind: 'busy', retryAfter: 3000 });
	canceled = true;
	for (const name of ['a', 'b']) requests.enter(gate, name, { isCanceled: () => canceled });
	await settle();
	expect(requests.entries.slice(1).map(([, { kind }]) => kind)).toEqual(['canceled', 'canceled']);
});

test.each([
	['fixed', fixedLimit(10)],
	['automatic', automaticLimit()],
])('%s: when the service asks to wait, nobody enters until then', async (_, limit) => {
	const { gate, clock } = newGate(limit);
	const requests = record();
	requests.enter(gate, 'rejected');
	await settle();
	requests.leave(0, { kind: 'busy', retryAfter: 3000 });
	requests.enter(gate, 'impatient', { maxPause: 2999 });
	requests.enter(gate, 'patient');
	await settle();
	const kinds = Object.fromEntries(requests.entries.map(([name, entry]) => [name, entry.kind]));
	expect(kinds).toEqual({ rejected: 'entered', patient: 'entered', impatient: 'paused' });
	expect(clock.sleeps[0]).toBe(3000);
	expect(clock.now()).toBeGreaterThanOrEqual(3000);
});

test('the event loop gets a turn before everything that is allowed has entered', async () => {
	const { gate, clock } = newGate(fixedLimit(100));
	const requests = record();
	for (let i = 0; i < 100; i++) requests.enter(gate, String(i));
	await turn();
	expect(requests.entries.length).toBeLessThan(20);
	await settle();
	expect(requests.entries).toHaveLength(100);
	expect(clock.sleeps.filter((ms) => ms === 0).length).toBeGreaterThan(4);
});

test('whatever the requests come to, all of them get an entry, and never more than the limit are open at the same time', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom('answered', 'lost', 'busy', 'wait'), { maxLength: 100 }),
			fc.option(fc.integer({ min: 1, max: 20 })),
			async (ends, number) => {
				const limit = number === null ? automaticLimit() : fixedLimit(number);
				const { gate } = newGate(limit);
				let inFlight = 0;
				let entered = 0;
				await Promise.all(
					ends.map(async (end) => {
						const entry = await gate.enter(wanted);
						if (entry.kind !== 'entered') return;
						entered++;
						inFlight++;
						expect(inFlight).toBeLessThanOrEqual(limit.limit);
						await turn();
						inFlight--;
						if (end === 'wait') entry.leave({ kind: 'busy', retryAfter: 50 });
						else entry.leave({ kind: end } as { kind: 'answered' });
					}),
				);
				expect(entered).toBe(ends.length);
			},
		),
		{ numRuns: propertyRuns(50) },
	);
});

/** A limit that does as it is told, and notes what the gate tells it. */
function obedientLimit(limit: number, log: unknown[]) {
	return {
		limit,
		pausedUntil: 0,
		delays: [] as number[],
		delay(this: { delays: number[] }) {
			return this.delays.shift() ?? 0;
		},
		started: (now: number) => void log.push(['started', now]),
		finished: (...args: unknown[]) => void log.push(['finished', ...args]),
	} satisfies ConcurrencyLimit & { delays: number[] };
}

test('the event loop gets a turn after each twelve requests', async () => {
	const log: unknown[] = [];
	const clock = { now: () => 0, sleep: async (ms: number) => void log.push(['sleep', ms]) };
	const gate = new RequestGate(obedientLimit(100, log), clock);
	for (let i = 0; i < 30; i++) void gate.enter(wanted);
	await settle();
	const started = (count: number) => Array.from({ length: count }, () => ['started', 0]);
	expect(log).toEqual([...started(12), ['sleep', 0], ...started(12), ['sleep', 0], ...started(6)]);
});

test('the limit learns when a request started, and how and when it ended', async () => {
	const log: unknown[] = [];
	const clock = fakeClock();
	const limit = obedientLimit(1, log);
	const gate = new RequestGate(limit, clock);
	limit.delays = [5, 7];
	const requests = record();
	requests.enter(gate, 'first');
	await settle();
	await clock.sleep(30);
	requests.leave(0, { kind: 'lost' });
	expect(log).toEqual([
		['started', 12],
		['finished', { kind: 'lost' }, 12, 42],
	]);
	requests.enter(gate, 'second');
	await settle();
	expect(requests.names()).toEqual(['first', 'second']);
});

test('a canceled request waits for its turn when nobody has to pause', async () => {
	const gate = new RequestGate(obedientLimit(1, []), fakeClock());
	const requests = record();
	requests.enter(gate, 'first');
	requests.enter(gate, 'canceled', { isCanceled: () => true });
	await settle();
	expect(requests.names()).toEqual(['first']);
	requests.leave(0, { kind: 'answered' });
	await settle();
	expect(requests.entries[1]).toEqual(['canceled', { kind: 'canceled' }]);
});

test('a canceled request takes no place, and starts nothing', async () => {
	const log: unknown[] = [];
	const gate = new RequestGate(obedientLimit(1, log), fakeClock());
	const requests = record();
	for (const name of ['a', 'b']) requests.enter(gate, name, { isCanceled: () => true });
	requests.enter(gate, 'c');
	await settle();
	expect(requests.entries.map(([, { kind }]) => kind)).toEqual(['canceled', 'canceled', 'entered']);
	expect(log).toEqual([['started', 0]]);
});

describe('while the service asks to wait', () => {
	/** A gate with one request that entered, and a pause of 3 s. */
	async function paused() {
		const clock = fakeClock();
		const limit = obedientLimit(1, []);
		const gate = new RequestGate(limit, clock);
		const requests = record();
		requests.enter(gate, 'first');
		await settle();
		limit.pausedUntil = 3000;
		return { gate, clock, requests };
	}

	test.each([
		[2999, false, { kind: 'paused', pause: 3000 }],
		[3000, false, undefined],
		[3000, true, { kind: 'canceled' }],
		[0, true, { kind: 'canceled' }],
	])('a request that can wait %i ms, canceled %p: %j', async (maxPause, isCanceled, expected) => {
		const { gate, requests } = await paused();
		requests.enter(gate, 'next', { maxPause, isCanceled: () => isCanceled });
		await settle();
		expect(requests.entries[1]?.[1]).toEqual(expected);
	});

	test.each([
		[1000, 1999, { kind: 'paused', pause: 2000 }],
		[1000, 2000, undefined],
		[2999, 0, { kind: 'paused', pause: 1 }],
		[3000, 0, undefined],
		[4000, 0, undefined],
	])('%i ms later, one that can wait %i ms: %j', async (ms, maxPause, expected) => {
		const { gate, clock, requests } = await paused();
		await clock.sleep(ms);
		requests.enter(gate, 'next', { maxPause });
		await settle();
		expect(requests.entries[1]?.[1]).toEqual(expected);
	});

	test('those who can wait keep their order', async () => {
		const { gate, requests } = await paused();
		for (const name of ['a', 'b', 'c']) requests.enter(gate, name);
		requests.enter(gate, 'retry', { retry: true });
		for (let i = 0; i < 4; i++) {
			requests.leave(i, { kind: 'answered' });
			await settle();
		}
		expect(requests.names()).toEqual(['first', 'retry', 'a', 'b', 'c']);
	});
});
