import {
	VerifierCache,
	MAX_AGE_MS,
	MAX_ENTRIES,
	REREAD_INTERVAL_MS,
} from '../../../../nodes/PaymentsTrigger/signature/VerifierCache';
import { failed, ok, type Result } from '../../../../nodes/shared/result';
import { FastClock, useTimersOf } from '../../../support/fastClock';
import { fc, propertyRuns } from '../../../support/properties';

/** Lets time pass. */
const advance = async (clock: FastClock, ms: number) => await clock.until(clock.sleep(ms));

/** A delivery is accepted, as the value of the result, or not. */
const resultOf = (accepted: boolean) =>
	accepted ? ok('accepted') : failed('another secret', 'Compare them.');
const isAccepted = async (result: Promise<Result<unknown>>) => !(await result).problem;

/** A credential that can change, and deliveries that are checked with it. */
class World {
	readonly clock = new FastClock();
	readonly cache = new VerifierCache<string>(this.clock.now);
	secret = 'old';
	reads = 0;
	readMs = 0;
	failure?: Error;

	readonly read = async () => {
		this.reads++;
		if (this.readMs > 0) await this.clock.sleep(this.readMs);
		if (this.failure) throw this.failure;
		return this.secret;
	};

	/** Returns whether the delivery was accepted. */
	async deliver(signedWith = this.secret, key = 'trigger') {
		return await isAccepted(
			this.cache.verify(key, this.read, (secret) => resultOf(secret === signedWith)),
		);
	}

	async accepts(signedWith?: string, key?: string) {
		const result = this.deliver(signedWith, key);
		await advance(this.clock, this.readMs);
		return await result;
	}
}

let world: World;
beforeEach(() => {
	world = new World();
	useTimersOf(world.clock);
});
afterEach(() => jest.restoreAllMocks());

test.each([
	[MAX_AGE_MS - 1, true, 1],
	[MAX_AGE_MS, false, 2],
	[MAX_AGE_MS + 1, false, 2],
])(
	'a credential of %i ms ago counts (%p), also when the timers are late',
	async (ms, accepted, reads) => {
		const clock = { time: 0 };
		const cache = new VerifierCache<string>(() => clock.time);
		const deliver = () =>
			isAccepted(cache.verify('trigger', world.read, (secret) => resultOf(secret === 'old')));
		await deliver();
		world.secret = 'new';
		clock.time = ms;
		const delivery = deliver();
		// Before a reading in the background begins.
		expect(world.reads).toBe(reads);
		expect(await delivery).toBe(accepted);
	},
);

test('concurrent deliveries share one reading, also a failed one', async () => {
	world.readMs = 50;
	const deliveries = Array.from({ length: 20 }, () => world.deliver());
	await advance(world.clock, 50);
	expect(await Promise.all(deliveries)).toEqual(Array(20).fill(true));
	expect(world.reads).toBe(1);

	await advance(world.clock, MAX_AGE_MS);
	world.failure = new Error('no such credential');
	const failing = Array.from({ length: 20 }, () => world.deliver());
	const settled = Promise.allSettled(failing);
	await advance(world.clock, 50);
	expect((await settled).map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
	expect(world.reads).toBe(2);
	// It isn't kept.
	world.failure = undefined;
	expect(await world.accepts()).toBe(true);
});

test('concurrent deliveries that a changed secret has signed share one reading', async () => {
	await world.accepts();
	await advance(world.clock, REREAD_INTERVAL_MS);
	world.secret = 'new';
	const deliveries = Array.from({ length: 20 }, () => world.deliver());
	expect(await Promise.all(deliveries)).toEqual(Array(20).fill(true));
	expect(world.reads).toBe(2);
});

test('a flood of forged deliveries: never more readings than deliveries, and about one a second', async () => {
	expect(await world.accepts('forged')).toBe(false);
	expect(world.reads).toBe(1);
	world.readMs = 30;
	for (let ms = 0; ms < 60_000; ms += 10) {
		void world.deliver('forged');
		await advance(world.clock, 10);
	}
	expect(world.reads).toBeLessThanOrEqual(1 + 60 + 6);
});

test('there are never more credentials than the maximum; the oldest give way', async () => {
	for (let i = 0; i < MAX_ENTRIES + 10; i++) await world.accepts('old', `trigger ${i}`);
	expect(world.reads).toBe(MAX_ENTRIES + 10);
	await world.accepts('old', `trigger ${MAX_ENTRIES + 9}`);
	expect(world.reads).toBe(MAX_ENTRIES + 10);
	await world.accepts('old', 'trigger 0');
	expect(world.reads).toBe(MAX_ENTRIES + 11);
});

const READ_MS = 200;
const step = fc.record({
	key: fc.constantFrom('a', 'b'),
	what: fc.constantFrom('rotate', 'current', 'current', 'current', 'previous', 'forged'),
	pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(3000), fc.nat(12_000)),
	readMs: fc.nat(READ_MS),
});

test('whatever comes, no secret is used too long, new ones work soon, and no delivery costs more than one reading', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			const clock = new FastClock();
			useTimersOf(clock);
			const cache = new VerifierCache<string>(clock.now);
			/** When each secret of a credential became the current one. */
			const since: Record<string, number[]> = { a: [-1e6], b: [-1e6] };
			const currentOf = (key: string) => since[key].length - 1;
			const deliveries: Array<Promise<void>> = [];

			const deliver = async (key: string, version: number, readMs: number) => {
				const arrivedAt = clock.now();
				let reads = 0;
				const read = async () => {
					reads++;
					// What is read is of some moment between beginning and end.
					await clock.sleep(readMs / 2);
					const secret = `${key}${currentOf(key)}`;
					await clock.sleep(readMs / 2);
					return secret;
				};
				const accepted = await isAccepted(
					cache.verify(key, read, (secret) => {
						expect(secret[0]).toBe(key);
						return resultOf(secret === `${key}${version}`);
					}),
				);
				expect(reads).toBeLessThanOrEqual(1);
				const replacedAt = since[key][version + 1] ?? Infinity;
				if (accepted) {
					expect(version).toBeGreaterThanOrEqual(0);
					expect(arrivedAt - replacedAt).toBeLessThan(MAX_AGE_MS);
				}
				const isSettled = arrivedAt - since[key][version] >= REREAD_INTERVAL_MS + READ_MS;
				if (isSettled && clock.now() < replacedAt) expect(accepted).toBe(true);
			};

			for (const { key, what, pause, readMs } of steps) {
				await advance(clock, pause);
				if (what === 'rotate') since[key].push(clock.now());
				else {
					const version = { current: currentOf(key), previous: currentOf(key) - 1, forged: -2 };
					deliveries.push(deliver(key, version[what], readMs));
				}
			}
			await advance(clock, 60_000);
			await Promise.all(deliveries);
		}),
		{ numRuns: propertyRuns(300) },
	);
});
