import type { EndedAttempt } from '../../../../nodes/Payments/sending/EndedAttempt';
import { Pace } from '../../../../nodes/Payments/sending/Pace';
import {
	created,
	ended,
	inProgress,
	limited,
	notFound,
	refused,
	tokenRejected,
	unavailable,
} from '../../../support/builders/attempts';

type Step = [attempt: EndedAttempt['attempt'], endedAt: number, setback?: number];

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
	['what one transaction waits for', [[{ ...inProgress, waitMs: 9000 }, 100]], 0],
	['what one answer asks for', [[{ ...notFound, waitMs: 9000 }, 100]], 0],
	['the first setback, for which the window may be enough', [[refused, 100, 1]], 0],
	[
		'a backoff doesn’t shorten a wait',
		[
			[limited(9000), 100, 2],
			[limited(), 200, 3],
		],
		9100,
	],
	[
		'all wait until the same token is tried again',
		[
			[tokenRejected({ waitMs: 500, counts: false }), 100],
			[tokenRejected({ waitMs: 0 }), 200],
		],
		600,
	],
])('%s', (_, steps, nextStartAt) => {
	const pace = new Pace(0);
	for (const [attempt, endedAt, setback] of steps) pace.learn(ended(attempt, endedAt, { setback }));
	expect(pace.nextStartAt).toBe(nextStartAt);
});

test('from the second setback on, everything waits, twice as long each time up to 5 s', () => {
	const pace = new Pace(0);
	const pauses = [2, 3, 4, 5, 6, 7, 30].map((setback) => {
		const now = pace.nextStartAt + 10;
		pace.learn(ended(refused, now, { setback }));
		return pace.nextStartAt - now;
	});
	expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000]);
});

describe('Max Requests per Second', () => {
	test('spaces the starts, 5 % further apart, and makes up for a timer that came late', () => {
		const pace = new Pace(10);
		pace.countStart(1000);
		const due = pace.nextStartAt;
		expect(due).toBeCloseTo(998 + 100 / 0.95);
		pace.countStart(due + 2);
		expect(pace.nextStartAt).toBeCloseTo(due + 100 / 0.95);
		pace.countStart(5000);
		expect(pace.nextStartAt).toBeCloseTo(4998 + 100 / 0.95);
	});

	test('and a pause hold at the same time', () => {
		const pace = new Pace(1);
		pace.learn(ended(limited(300), 0));
		expect(pace.nextStartAt).toBe(300);
		pace.countStart(300);
		expect(pace.nextStartAt).toBeCloseTo(298 + 1000 / 0.95);
	});

	test('without one, starts change nothing', () => {
		const pace = new Pace(0);
		pace.countStart(1000);
		expect(pace.nextStartAt).toBe(0);
	});
});
