import { created } from '../../nodes/Payments/sending/outcome';
import { SentEvents } from '../../nodes/Payments/sending/sentEvents';

const event = { fingerprint: 'f', runIndex: 0, created: created(202, {}) };

test('an event is remembered for its execution', () => {
	const sent = new SentEvents();
	sent.set('1 node', 'evt', event, 0);
	expect(sent.get('1 node', 'evt', 0)).toMatchObject(event);
	expect(sent.get('2 node', 'evt', 0)).toBeUndefined();
	expect(sent.get('1 node', 'other', 0)).toBeUndefined();
});

test('the oldest events are forgotten beyond the bound', () => {
	const sent = new SentEvents(3);
	for (const eventId of ['a', 'b', 'c']) sent.set('1', eventId, event, 0);
	// Known again, so it is no longer the oldest.
	sent.set('1', 'a', event, 0);
	sent.set('1', 'd', event, 0);
	const known = ['a', 'b', 'c', 'd'].filter((eventId) => sent.get('1', eventId, 0));
	expect(known).toEqual(['a', 'c', 'd']);
});

test('an event is forgotten after its time', () => {
	const sent = new SentEvents(10, 1000);
	sent.set('1', 'a', event, 0);
	expect(sent.get('1', 'a', 1000)).toBeDefined();
	expect(sent.get('1', 'a', 1001)).toBeUndefined();
});

test('an event beyond its time is gone, not only hidden', () => {
	const sent = new SentEvents(10, 1000);
	sent.set('1', 'a', event, 0);
	sent.set('1', 'b', event, 1000);
	expect(sent.get('1', 'a', 0)).toBeDefined();
	sent.set('1', 'b', event, 1001);
	expect(sent.get('1', 'a', 0)).toBeUndefined();
	expect(sent.get('1', 'b', 1001)).toBeDefined();
});

test('by default, 10,000 events are remembered for an hour', () => {
	const sent = new SentEvents();
	for (let i = 0; i < 10_000; i++) sent.set('1', String(i), event, 0);
	expect(sent.get('1', '0', 3_600_000)).toBeDefined();
	expect(sent.get('1', '0', 3_600_001)).toBeUndefined();
	sent.set('1', 'one more', event, 0);
	expect(sent.get('1', '0', 0)).toBeUndefined();
	expect(sent.get('1', '1', 0)).toBeDefined();
});

test('the names of executions and events do not run into each other', () => {
	const sent = new SentEvents();
	sent.set('1,2', '3', event, 0);
	expect(sent.get('1', '2,3', 0)).toBeUndefined();
});
