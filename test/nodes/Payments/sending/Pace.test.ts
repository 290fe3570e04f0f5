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

test('nothing keeps the first one back', () => expect(new Pace(0).nextStartAt).toBe(0));

test('all wait as long as the service asks for, and the longest wait counts', () => {
	const pace = new Pace(0);
	pace.learn(ended(unavailable(2000), 100));
	expect(pace.nextStartAt).toBe(2100);
	pace.learn(ended(limited(30_000), 200));
	expect(pace.nextStartAt).toBe(30_200);
	pace.learn(ended(limited(1000), 300));
	pace.learn(ended(created, 400));
	expect(pace.nextStartAt).toBe(30_200);
});

test('what one transaction waits for, the others don’t', () => {
	const pace = new Pace(0);
	for (const attempt of [inProgress, notFound])
		pace.learn(ended({ ...attempt, waitMs: 9000 }, 100));
	expect(pace.nextStartAt).toBe(0);
});

test('a setback that the window may be enough for keeps nothing back, the next ones do', () => {
	const pace = new Pace(0);
	pace.learn(ended(refused, 100));
	pace.learn(ended(refused, 100, { setback: 1 }));
	expect(pace.nextStartAt).toBe(0);
	const pauses = [2, 3, 4, 5, 6, 7, 30].map((setback) => {
		const now = pace.nextStartAt + 10;
		pace.learn(ended(refused, now, { setback }));
		return pace.nextStartAt - now;
	});
	expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000]);
});

test('a backoff doesn’t shorten a wait', () => {
	const pace = new Pace(0);
	pace.learn(ended(limited(9000), 100, { setback: 2 }));
	expect(pace.nextStartAt).toBe(9100);
	pace.learn(ended(limited(), 200, { setback: 3 }));
	expect(pace.nextStartAt).toBe(9100);
});

test('all wait for another token, or until the same is tried again', () => {
	const pace = new Pace(0);
	pace.learn(ended(tokenRejected({ waitMs: 500, counts: false }), 100));
	expect(pace.nextStartAt).toBe(600);
	pace.learn(ended(tokenRejected({ waitMs: 0 }), 200));
	expect(pace.nextStartAt).toBe(600);
});

describe('Max Requests per Second', () => {
	test('spaces the starts, 5 % further apart', () => {
		const pace = new Pace(50);
		pace.countStart(1000);
		expect(pace.nextStartAt).toBeCloseTo(1000 - 2 + 20 / 0.95);
		pace.countStart(pace.nextStartAt);
		expect(pace.nextStartAt).toBeCloseTo(1000 - 2 + 40 / 0.95);
	});

	test('makes up for a timer that came late, and for no more', () => {
		const pace = new Pace(10);
		pace.countStart(0);
		const due = pace.nextStartAt;
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
