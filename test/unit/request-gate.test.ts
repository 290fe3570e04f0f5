import { setImmediate as turn } from 'node:timers/promises';

import {
	AutomaticThrottle,
	FixedThrottle,
	type Throttle,
	type Feedback,
} from '../../nodes/Payments/sending/throttle/throttle';
import { RequestGate, type Turn } from '../../nodes/Payments/sending/throttle/requestGate';
import { fc, propertyRuns } from '../support/properties';

const ANSWERED: Feedback = { kind: 'answered' };
const TURN: Turn = { isRetry: false, maxPauseMs: Infinity, isWanted: () => true };

/** Lets everything happen that needs no time. */
async function settle() {
	for (let i = 0; i < 50; i++) await turn();
}

/** A gate whose time goes on only when it sleeps, and a record of what its requests come to. */
function newGate(limit: Throttle) {
	let now = 0;
	const sleep = async (ms: number) => {
		now += ms;
		await turn();
	};
	const gate = new RequestGate(limit, { now: () => now, sleep });
	const started: string[] = [];
	const ended: Record<string, unknown> = {};
	const finish: Record<string, (feedback: Feedback) => void> = {};
	const request = (name: string, changes: Partial<Turn> = {}) => {
		const work = async () => {
			started.push(name);
			const feedback = await new Promise<Feedback>((resolve) => (finish[name] = resolve));
			return { feedback, result: name };
		};
		void gate.run({ ...TURN, ...changes }, work).then((end) => (ended[name] = end));
	};
	return { gate, request, started, ended, finish, now: () => now };
}

test('first come, first served, no more than the limit allows, and retries first', async () => {
	const { request, started, finish } = newGate(new FixedThrottle(2));
	for (const name of ['a', 'b', 'c', 'd']) request(name);
	await settle();
	request('retry 1', { isRetry: true });
	request('retry 2', { isRetry: true });
	await settle();
	expect(started).toEqual(['a', 'b']);
	for (const name of ['a', 'b', 'retry 1', 'retry 2', 'c', 'd']) {
		finish[name](ANSWERED);
		await settle();
	}
	expect(started).toEqual(['a', 'b', 'retry 1', 'retry 2', 'c', 'd']);
});

test('a slot is given back when a request throws', async () => {
	const { gate } = newGate(new FixedThrottle(1));
	const broken = gate.run(TURN, async () => {
		throw new Error('broken');
	});
	await expect(broken).rejects.toThrow('broken');
	const next = await gate.run(TURN, async () => ({ feedback: ANSWERED, result: 1 }));
	expect(next).toMatchObject({ kind: 'done', result: 1 });
});

test('a request that is no longer wanted does not start, and takes no slot', async () => {
	const { request, started, ended, finish } = newGate(new FixedThrottle(1));
	let isWanted = true;
	request('a');
	request('b', { isWanted: () => isWanted });
	request('c');
	isWanted = false;
	await settle();
	finish.a(ANSWERED);
	await settle();
	expect(started).toEqual(['a', 'c']);
	expect(ended.b).toEqual({ kind: 'unwanted' });
});

test('while the service asks to wait: who cannot wait is rejected at once, the others keep their order', async () => {
	const limit = new FixedThrottle(1);
	const { request, started, ended, finish, now } = newGate(limit);
	request('a');
	request('patient 1');
	request('impatient', { maxPauseMs: 999 });
	request('unwanted', { isWanted: () => false });
	request('patient 2', { maxPauseMs: 1000 });
	await settle();
	finish.a({ kind: 'busy', retryAfter: 1000 });
	await turn();
	expect(ended).toMatchObject({
		impatient: { kind: 'paused', pauseMs: 1000 },
		unwanted: { kind: 'unwanted' },
	});
	await settle();
	expect(now()).toBe(1000);
	finish['patient 1'](ANSWERED);
	await settle();
	expect(started).toEqual(['a', 'patient 1', 'patient 2']);
});

test('the event loop gets a turn while many requests start', async () => {
	const { request, started } = newGate(new FixedThrottle(200));
	for (let i = 0; i < 100; i++) request(String(i));
	await Promise.resolve();
	expect(started.length).toBeLessThan(20);
	await settle();
	expect(started).toHaveLength(100);
});

test('whatever requests come to, each gets its turn, and never more than the limit at the same time', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.oneof(
					fc.constantFrom<Feedback>(ANSWERED, { kind: 'lost' }, { kind: 'busy' }),
					fc.constant<Feedback>({ kind: 'busy', retryAfter: 50 }),
				),
				{ maxLength: 100 },
			),
			fc.option(fc.integer({ min: 1, max: 20 })),
			async (ends, number) => {
				const limit = number === null ? new AutomaticThrottle() : new FixedThrottle(number);
				const { gate } = newGate(limit);
				let inFlight = 0;
				let started = 0;
				const work = async (feedback: Feedback) => {
					started++;
					inFlight++;
					expect(inFlight).toBeLessThanOrEqual(limit.limit);
					await turn();
					inFlight--;
					return { feedback, result: undefined };
				};
				await Promise.all(ends.map(async (end) => await gate.run(TURN, () => work(end))));
				expect(started).toBe(ends.length);
			},
		),
		{ numRuns: propertyRuns(50) },
	);
});
