import type { Answer } from '../../../../nodes/Payments/sending/answer/Says';
import { Throttle } from '../../../../nodes/Payments/sending/Throttle';
import {
	created,
	declined,
	ended,
	inProgress,
	limited,
	lost,
	notFound,
	redirected,
	refused,
	tokenRejected,
	unavailable,
	unusable,
} from '../../../support/builders/attempts';

/** An answer to what started and ended at a time. */
type Step = [answer: Answer, at?: number];

const throttle = (options: object = {}) =>
	new Throttle({
		maxConcurrentRequests: 200,
		maxRequestsPerSecond: 0,
		isFirstAlone: false,
		...options,
	});

function after(steps: Step[], options: object = {}): Throttle {
	const learned = throttle(options);
	for (const [answer, at] of steps) learned.learn(ended(answer, at), 1);
	return learned;
}
const times = (count: number, answer: Answer, at = 0): Step[] =>
	Array<Step>(count).fill([answer, at]);

describe('how many may be open', () => {
	test.each([
		[200, 50],
		[50, 50],
		[7, 7],
		[1, 1],
	])('of at most %i, it begins with %i', (maxConcurrentRequests, size) =>
		expect(throttle({ maxConcurrentRequests }).maxOpen).toBe(size),
	);

	/** A wait that is stated is a setback at once. */
	const HALVED: Step = [unavailable(1), 10];
	const OUTAGE: Step[] = [HALVED, [unusable, 20]];

	test.each<[string, Step[], number]>([
		['each decision adds one', [...times(5, created), [declined]], 56],
		['decisions make it no larger than the largest size', times(500, created), 200],
		['answers that decide nothing change nothing', [[notFound], [redirected]], 50],
		['one failure among decisions changes nothing', [[lost], [created], [unavailable()]], 51],
		['the first setback halves it', [HALVED], 25],
		[
			'two failures without a decision do',
			[
				[lost, 10],
				[refused, 11],
			],
			25,
		],
		[
			'also if what can’t be sent is one of them',
			[
				[lost, 10],
				[unusable, 11],
			],
			25,
		],
		['the second setback makes it one', OUTAGE, 1],
		['a later setback leaves it at one', [...OUTAGE, [lost, 30]], 1],
		['after an outage, it doubles in a round trip', [...OUTAGE, ...times(24, created, 30)], 25],
		[
			'from half of what it was on, it no longer doubles',
			[...OUTAGE, ...times(48, created, 30)],
			25,
		],
		[
			'from half of what it was on, it grows by one in a round trip',
			[...OUTAGE, ...times(50, created, 30)],
			26,
		],
		['what started before a setback ended says nothing', [HALVED, ...times(30, created, 9)], 25],
		['what starts when it has ended counts', [HALVED, ...times(30, created, 10)], 26],
		['a rejected token is no setback', [[lost], [tokenRejected()], [created], [lost]], 51],
		[
			'nor does it end them',
			[
				[lost, 1],
				[tokenRejected(), 2],
				[lost, 3],
				[created, 4],
			],
			25,
		],
		[
			'any answer ends them',
			[
				[lost, 1],
				[notFound, 2],
				[lost, 3],
				[redirected, 4],
				[lost, 5],
			],
			50,
		],
	])('%s', (_, steps, limit) => expect(after(steps).maxOpen).toBe(limit));

	test('it is never less than one', () =>
		expect(after([HALVED], { maxConcurrentRequests: 1 }).maxOpen).toBe(1));

	test('what started before the last setback is part of it', () => {
		const learned = throttle();
		const learn = (startedAt: number, endedAt: number) =>
			learned.learn(ended(unavailable(1), endedAt, { startedAt }), 1);
		for (const [startedAt, endedAt] of [
			[0, 100],
			[50, 110],
			[99, 120],
		])
			learn(startedAt, endedAt);
		expect(learned.maxOpen).toBe(25);
		learn(100, 150);
		expect(learned.maxOpen).toBe(1);
	});

	test('above its first size, it grows only while decisions come within twice the shortest time', () => {
		const learned = throttle();
		const learn = (answer: Answer, ms: number, startedAt = 100) =>
			learned.learn(ended(answer, startedAt + ms, { startedAt }), 1);
		learn(declined, 1);
		for (const ms of [10, 20, 21, 60]) learn(created, ms);
		expect(learned.maxOpen).toBe(53);
		learn(unavailable(1), 0);
		for (const ms of [60, 60]) learn(created, ms);
		expect(learned.maxOpen).toBe(26);
	});
});

describe('one request at a time', () => {
	test.each([
		['created', created, 51],
		['declined', declined, 51],
		['404', notFound, 50],
		['a redirect', redirected, 50],
	])('until the first answer, if it is to be alone: %s', (_, answer, limit) => {
		const failures: Step[] = [[unavailable()], [tokenRejected()]];
		const alone = { isFirstAlone: true };
		expect(after([], alone).maxOpen).toBe(1);
		expect(after(failures, alone).maxOpen).toBe(1);
		expect(after([...failures, [answer]], alone).maxOpen).toBe(limit);
	});

	const token: Step[] = [...times(10, created), [tokenRejected()]];
	const limit: Step[] = [[limited(), 10], ...times(30, created, 9)];
	test.each<[string, Step[], number]>([
		['after a rejected token', token, 1],
		['after no answer to the next', [...token, [unavailable()]], 1],
		['not after its answer: as many as before', [...token, [notFound]], 60],
		['after a 429, while what started before it is answered', limit, 1],
		['not after an answer to what started since: half', [...limit, [created, 11]], 25],
		['after another 429', [...limit, [created, 11], [limited(), 12]], 1],
		[
			'not after any answer: half of half',
			[...limit, [created, 11], [limited(), 12], [notFound, 13]],
			12,
		],
	])('%s', (_, steps, size) => expect(after(steps).maxOpen).toBe(size));
});

describe('from when on the next may start', () => {
	test.each<[string, Step[], number]>([
		['nothing keeps the first one back', [], 0],
		['all wait as long as the service asks for', [[unavailable(2000), 100]], 2100],
		[
			'the longest wait counts',
			[
				[limited(30_000), 200],
				[limited(1000), 300],
				[created, 400],
			],
			30_200,
		],
		['what one transaction waits for', [[{ ...inProgress, waitMs: 9000 }, 100]], 100],
		['the first setback, for which the window may be enough', times(2, refused, 100), 100],
		[
			'all wait until the same token is tried again',
			[
				[tokenRejected({ waitMs: 500, counts: false }), 100],
				[tokenRejected({ waitMs: 0 }), 200],
			],
			600,
		],
	])('%s', (_, steps, nextStartAt) => expect(after(steps).nextStartAt).toBe(nextStartAt));

	test('from the second setback on, everything waits, twice as long each time up to 5 s', () => {
		const learned = after(times(2, refused));
		const pauses = [2, 3, 4, 5, 6, 7].map(() => {
			const now = learned.nextStartAt + 10;
			learned.learn(ended(refused, now), 1);
			return learned.nextStartAt - now;
		});
		expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
	});

	test('Max Requests per Second spaces the starts, 5 % further apart, and makes up for a timer that came late', () => {
		const spaced = throttle({ maxRequestsPerSecond: 10 });
		spaced.countStart(1000);
		const due = spaced.nextStartAt;
		expect(due).toBeCloseTo(998 + 100 / 0.95);
		spaced.countStart(due + 2);
		expect(spaced.nextStartAt).toBeCloseTo(due + 100 / 0.95);
		spaced.countStart(5000);
		expect(spaced.nextStartAt).toBeCloseTo(4998 + 100 / 0.95);
	});

	test('Max Requests per Second and a pause hold at the same time', () => {
		const spaced = throttle({ maxRequestsPerSecond: 1 });
		spaced.learn(ended(limited(300), 0), 1);
		expect(spaced.nextStartAt).toBe(300);
		spaced.countStart(300);
		expect(spaced.nextStartAt).toBeCloseTo(298 + 1000 / 0.95);
	});

	test('without it, starts change nothing', () => {
		const free = throttle();
		free.countStart(1000);
		expect(free.nextStartAt).toBe(0);
	});
});
