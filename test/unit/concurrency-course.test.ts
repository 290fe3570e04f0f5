import {
	automaticLimit,
	type ConcurrencyLimit,
} from '../../nodes/Payments/sending/concurrencyLimit';
import * as service from '../support/serviceSimulation';
import { simulate } from '../support/serviceSimulation';

/*
 * What the automatic limit does, number by number, so that nothing of it changes unnoticed. How good it is, test/unit/concurrency-limit.test.ts
 * says: after a change that those tests and the benchmark confirm, take over the new numbers.
 */

/** ms of this machine's processor per request, and of what else it does now and then. */
const HTTP = { processorTime: 0.35 };
const HTTPS = { processorTime: 1.4 };
const HTTPS_BUSY = { processorTime: 1.4, otherWork: 60 };

/** The limits one after the other. */
function watched(limit: ConcurrencyLimit, course: number[]): ConcurrencyLimit {
	return {
		get limit() {
			return limit.limit;
		},
		get pausedUntil() {
			return limit.pausedUntil;
		},
		delay: (now) => limit.delay(now),
		started: (now) => limit.started(now),
		finished(feedback, startedAt, now) {
			limit.finished(feedback, startedAt, now);
			if (course.at(-1) !== limit.limit) course.push(limit.limit);
		},
	};
}

type NewService = () => Parameters<typeof simulate>[0];

test.each<[string, NewService, object, number, [number, number], string]>([
	['fixedLatency(1)', () => service.fixedLatency(1), HTTP, 1000, [352, 0], '10 20 24 20 24 20 24'],
	[
		'fixedLatency(92)',
		() => service.fixedLatency(92),
		HTTPS,
		3000,
		[4496, 0],
		'10 23 40 68 116 198 116 140 116 140 116 140 116',
	],
	[
		'fixedLatency(92), machine busy',
		() => service.fixedLatency(92),
		HTTPS_BUSY,
		3000,
		[8812, 0],
		'10 23 40 68 40 48 40 48 58 48 58 46 55 46 55 67 55 44 53 64 77 64 51 61',
	],
	['fixedLatency(302)', () => service.fixedLatency(302), HTTP, 1000, [2300, 0], '10 75 127 200'],
	[
		'slowsDown(25, 20)',
		() => service.slowsDown(25, 20),
		HTTP,
		5000,
		[6549, 0],
		'10 20 40 20 24 20 24 20 24 20 24 20 24 20 24 20 24 20 24 20',
	],
	[
		'slowsDown(100, 60)',
		() => service.slowsDown(100, 60),
		HTTP,
		5000,
		[10871, 0],
		'10 25 43 73 124 73 87 73 87 73 87 73 87 73 87 73',
	],
	[
		'limitsConcurrency(50, 20)',
		() => service.limitsConcurrency(50, 20),
		HTTP,
		1000,
		[3081, 25],
		'10 12 21 10 12 15 18 22 17 21 17 20 24 19 23 19 22 18 21 17 21 16 20 24',
	],
	['fixedWindow(92, 50)', () => service.fixedWindow(92, 50), HTTPS, 1000, [21860, 42], '10 25 42'],
	['slidingWindow(92, 5)', () => service.slidingWindow(92, 5), HTTPS, 100, [21656, 24], '10 25'],
	[
		'slidingWindow(302, 200)',
		() => service.slidingWindow(302, 200),
		HTTP,
		2000,
		[13601, 108],
		'10 75 127',
	],
	[
		'shrinkingWindow(92, 200, 5000)',
		() => service.shrinkingWindow(92, 200, 5000),
		HTTPS,
		1200,
		[44153, 180],
		'10 25 42 72 123',
	],
	['tokenBucket(92, 50)', () => service.tokenBucket(92, 50), HTTPS, 2000, [39887, 38], '10 25 42'],
	[
		'randomlyBusy(50, 0.1)',
		() => service.randomlyBusy(50, 0.1),
		HTTP,
		1000,
		[14887, 115],
		'10 12 6 5 4 3 4 5 4 3 4 3 4 3 4 3 4 5 4 5 6 5 4 5',
	],
	[
		'randomlyBusy(50, 0.1, 1000)',
		() => service.randomlyBusy(50, 0.1, 1000),
		HTTP,
		300,
		[29705, 39],
		'10 12 15',
	],
])('%s: as ever', (_, newService, machine, items, [duration, rejected], expectedCourse) => {
	const limit = automaticLimit();
	const course = [limit.limit];
	const work = { items, ...HTTP, ...machine };
	const run = simulate(newService(), watched(limit, course), work);
	expect({ duration: Math.round(run.duration), rejected: run.rejected }).toEqual({
		duration,
		rejected,
	});
	expect(course.slice(0, 24).join(' ')).toBe(expectedCourse);
});
