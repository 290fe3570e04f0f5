import { spawnSync } from 'node:child_process';

import { TYPESCRIPT } from '../../../../host/processes';
import { DeliveryDeduplicator } from '../../../../nodes/PaymentsTrigger/deduplication/DeliveryDeduplicator';
import { fc, propertyRuns } from '../../../support/properties';

const WINDOW = 1000;

function withClock(maxEvents = 3) {
	const clock = { now: 0 };
	const seen = new DeliveryDeduplicator(maxEvents, WINDOW, () => clock.now);
	return { clock, seen };
}

test('an event is remembered when, and only when, its delivery succeeded', () => {
	const { seen } = withClock();
	const failed = seen.begin(['a']);
	expect(seen.stateOf('a')).toBe('inFlight');
	failed(false);
	expect(seen.stateOf('a')).toBe('new');
	seen.begin(['a'])(true);
	expect([seen.stateOf('a'), seen.stateOf('b')]).toEqual(['duplicate', 'new']);
});

test('what is too old is forgotten, to the millisecond', () => {
	const { clock, seen } = withClock();
	seen.begin(['a'])(true);
	clock.now = 1000;
	expect(seen.stateOf('a')).toBe('duplicate');
	clock.now = 1001;
	expect(seen.stateOf('a')).toBe('new');
});

test('the window counts from the acknowledgement and can change meanwhile', () => {
	const { clock, seen } = withClock();
	seen.begin(['a'])(true);
	clock.now = 500;
	seen.windowMs = 499;
	expect(seen.stateOf('a')).toBe('new');
	seen.windowMs = 500;
	expect(seen.stateOf('a')).toBe('duplicate');
});

test('the oldest gives way to the youngest; an event acknowledged anew is young again', () => {
	const { seen } = withClock(2);
	for (const key of ['a', 'b', 'a', 'c']) seen.begin([key])(true);
	expect(['a', 'b', 'c'].map((key) => seen.stateOf(key))).toEqual([
		'duplicate',
		'new',
		'duplicate',
	]);
});

test('20 triggers with 10,000 events each take less than 16 MB, and nothing afterwards', () => {
	const program = `
		// Stands still until all events are acknowledged, however long that takes.
		let now = Date.now();
		Date.now = () => now;
		const { deduplicate } = require('./nodes/PaymentsTrigger/deduplication/deduplicate');
		const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed / 1e6; };
		const before = heap();
		const acknowledge = (trigger, ids) => {
			let close;
			const response = { statusCode: 200, closed: false, writableFinished: true, once: (_, listener) => (close = listener) };
			deduplicate(trigger, ids.map((id) => ({ eventType: 'E', id, json: {} })), response, 1000.5);
			close();
		};
		for (let trigger = 0; trigger < 20; trigger++)
			for (let first = 0; first < 10_000; first += 100)
				acknowledge('t' + trigger, Array.from({ length: 100 }, (_, i) => 'event-' + (first + i) + 'x'.repeat(100)));
		const full = heap() - before;
		now += 1002;
		setTimeout(() => console.log(JSON.stringify({ full, after: heap() - before })), 2000);
	`;
	const args = ['--expose-gc', '--import', TYPESCRIPT, '--eval', program];
	const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	if (stdout === '') throw new Error(stderr);
	const { full, after } = JSON.parse(stdout) as { full: number; after: number };
	expect(full).toBeLessThan(16);
	expect(after).toBeLessThan(0.8);
}, 60_000);

test('under any sequence it agrees with a plain list that holds no more than its bounds', () => {
	const step = fc.record({
		key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
		succeeded: fc.boolean(),
		pause: fc.nat(600),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { clock, seen } = withClock();
			let model: Array<{ key: string; at: number }> = [];
			for (const { key, succeeded, pause } of steps) {
				clock.now += pause;
				seen.begin([key])(succeeded);
				if (succeeded)
					model = [...model.filter((one) => one.key !== key), { key, at: clock.now }].slice(-3);
				for (const other of ['a', 'b', 'c', 'd', 'e', 'f']) {
					const known = model.some((one) => one.key === other && clock.now - one.at <= 1000);
					expect(seen.stateOf(other)).toBe(known ? 'duplicate' : 'new');
				}
			}
		}),
		{ numRuns: propertyRuns(500) },
	);
});
