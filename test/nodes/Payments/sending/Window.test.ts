import type { EndedAttempt } from '../../../../nodes/Payments/sending/EndedAttempt';
import { Window } from '../../../../nodes/Payments/sending/Window';
import {
	created,
	declined,
	ended,
	limited,
	lost,
	notFound,
	redirected,
	tokenRejected,
	unavailable,
	unusable,
} from '../../../support/builders/attempts';

/** An attempt that started and ended at a time. */
type Step = [attempt: EndedAttempt['attempt'], at?: number, setback?: number];

const decided = (count: number, at = 0): Step[] => Array<Step>(count).fill([created, at]);

function limitAfter(steps: Step[], maxSize = 200, isFirstAlone = false): number {
	const window = new Window(maxSize, isFirstAlone);
	for (const [attempt, at, setback] of steps) window.learn(ended(attempt, at, { setback }));
	return window.limit;
}

test.each([
	[200, 50],
	[50, 50],
	[7, 7],
	[1, 1],
])('of at most %i, it begins with %i', (max, size) => expect(limitAfter([], max)).toBe(size));

const HALVED: Step = [unavailable(), 10, 1];
const OUTAGE: Step[] = [HALVED, [unusable, 20, 2]];

test.each<[string, Step[], number]>([
	['each decision adds one', [...decided(5), [declined]], 56],
	['decisions make it no larger than the largest size', decided(500), 200],
	['answers that decide nothing change nothing', [[notFound], [redirected]], 50],
	['failures that are no setback change nothing', [[lost], [unavailable()]], 50],
	['the first setback halves it', [HALVED], 25],
	['the second setback makes it one', OUTAGE, 1],
	['a later setback leaves it at one', [...OUTAGE, [lost, 30, 3]], 1],
	['after an outage, it doubles in a round trip', [...OUTAGE, ...decided(24, 30)], 25],
	['from half of what it was on, it no longer doubles', [...OUTAGE, ...decided(48, 30)], 25],
	[
		'from half of what it was on, it grows by one in a round trip',
		[...OUTAGE, ...decided(50, 30)],
		26,
	],
	['what started before a setback ended says nothing', [HALVED, ...decided(30, 9)], 25],
	['what starts when it has ended counts', [HALVED, ...decided(30, 10)], 26],
])('%s', (_, steps, limit) => expect(limitAfter(steps)).toBe(limit));

test('it is never less than one', () => expect(limitAfter([HALVED], 1)).toBe(1));

test('above its first size, it grows only while decisions come within twice the shortest time', () => {
	const window = new Window(200, false);
	const learn = (attempt: EndedAttempt['attempt'], ms: number) =>
		window.learn(ended(attempt, 100 + ms, { startedAt: 100 }));
	learn(declined, 1);
	for (const ms of [10, 20, 21, 60]) learn(created, ms);
	expect(window.limit).toBe(53);
	window.learn(ended(unavailable(), 100, { setback: 1 }));
	for (const ms of [60, 60]) learn(created, ms);
	expect(window.limit).toBe(26);
});

describe('one request at a time', () => {
	test.each([
		['created', created, 51],
		['declined', declined, 51],
		['404', notFound, 50],
		['a redirect', redirected, 50],
	])('until the first answer, if it is to be alone: %s', (_, answer, limit) => {
		const failures: Step[] = [[unavailable()], [lost], [tokenRejected()]];
		expect(limitAfter([], 200, true)).toBe(1);
		expect(limitAfter(failures, 200, true)).toBe(1);
		expect(limitAfter([...failures, [answer]], 200, true)).toBe(limit);
	});

	const token: Step[] = [...decided(10), [tokenRejected()]];
	const limit: Step[] = [[limited(), 10, 1], ...decided(30, 9)];
	test.each<[string, Step[], number]>([
		['after a rejected token', token, 1],
		['after no answer to the next', [...token, [unavailable()]], 1],
		['not after its answer: as many as before', [...token, [notFound]], 60],
		['after a 429, while what started before it is answered', limit, 1],
		['not after an answer to what started since: half', [...limit, ...decided(1, 11)], 25],
		['after a 429 that is no setback', [...limit, ...decided(1, 11), [limited(), 12]], 1],
		['not after any answer', [...limit, [limited(), 12], [notFound, 13]], 25],
	])('%s', (_, steps, size) => expect(limitAfter(steps)).toBe(size));
});
