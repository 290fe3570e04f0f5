import { checkSelectedEvents } from '../../../nodes/PaymentsTrigger/events/selectedEvents';
import { deduplicate } from '../../../nodes/PaymentsTrigger/deduplication/deduplicate';

describe('the value of Trigger On', () => {
	test.each([
		[undefined, /isn't a list/],
		['PAYMENT.CREATED', /isn't a list/],
		[['A', 5], /isn't a list/],
		[[], /No event type/],
		[['', ' '], /No event type/],
	])('%j: %s', (events, words) => {
		const problem = checkSelectedEvents(events);
		expect(problem?.message).toMatch(words);
		expect(problem?.fix).toContain('Select');
	});

	test.each([[['', 'A']], [['*']]])('%j selects events', (events) =>
		expect(checkSelectedEvents(events)).toBeUndefined(),
	);
});

describe('deduplication', () => {
	let triggers = 0;
	const event = (id?: string, eventType = 'A') => ({ eventType, id, json: { id } });

	/** A response that ends when it is told to. */
	function newResponse({ closed = false } = {}) {
		const listeners: Array<() => void> = [];
		const response = {
			statusCode: 200,
			closed,
			writableFinished: false,
			once: (name: 'close', listener: () => void) => {
				expect(name).toBe('close');
				listeners.push(listener);
			},
			end(statusCode: number, writableFinished = true) {
				Object.assign(response, { statusCode, writableFinished, closed: true });
				for (const listener of listeners) listener();
			},
		};
		return response;
	}

	/** One trigger, to which events are delivered one after the other. */
	function newTrigger() {
		const name = `trigger ${++triggers}`;
		return (events: Array<ReturnType<typeof event>>, response = newResponse()) => {
			const result = deduplicate(name, events, response, 60_000);
			return result ? result.map(({ id }) => id) : 'inFlight';
		};
	}

	test.each([
		[200, true, []],
		[299, true, []],
		[199, true, ['1']],
		[300, true, ['1']],
		[500, true, ['1']],
		[200, false, ['1']],
	])('after %i, sent %p, the next delivery runs %j', (statusCode, writableFinished, next) => {
		const deliver = newTrigger();
		const response = newResponse();
		expect(deliver([event('1')], response)).toEqual(['1']);
		expect(deliver([event('1')])).toBe('inFlight');
		response.end(statusCode, writableFinished);
		expect(deliver([event('1')])).toEqual(next);
	});

	test('a sender that has hung up retries, so nothing is remembered', () => {
		const deliver = newTrigger();
		expect(deliver([event('1')], newResponse({ closed: true }))).toEqual(['1']);
		expect(deliver([event('1')])).toEqual(['1']);
	});

	test('an event twice in one delivery runs once; without an ID, or of another type, it is another', () => {
		const deliver = newTrigger();
		const events = [event('1'), event('1'), event(), event(), event('1', 'B')];
		const response = newResponse();
		expect(deliver(events, response)).toEqual(['1', undefined, undefined, '1']);
		response.end(200);
		expect(deliver([event(), event('1'), event('2')])).toEqual([undefined, '2']);
	});

	test('one event that is being processed holds back the whole delivery', () => {
		const deliver = newTrigger();
		deliver([event('1')]);
		expect(deliver([event('2'), event('1')])).toBe('inFlight');
		expect(deliver([event('2')])).toEqual(['2']);
	});

	test('each trigger has events of its own', () => {
		const [one, other] = [newTrigger(), newTrigger()];
		one([event('1')]);
		expect(other([event('1')])).toEqual(['1']);
	});
});
