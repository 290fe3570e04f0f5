import { Breaker } from '../../../../nodes/Payments/sending/Breaker';
import type { EndedAttempt } from '../../../../nodes/Payments/sending/EndedAttempt';
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

type Attempt = EndedAttempt['attempt'];
const NONE = undefined;

/** Lets a breaker learn attempts that end one after the other, one in each ms. */
function learn(attempts: Attempt[], maxRetryTime = 90_000): Breaker {
	const breaker = new Breaker(maxRetryTime, 0);
	for (const [at, attempt] of attempts.entries()) breaker.learn(ended(attempt, at));
	return breaker;
}
const messageOf = (breaker: Breaker, now: number, pausedUntil = 0) =>
	breaker.reasonToEnd(now, pausedUntil)?.message;
const times = (count: number, attempt: Attempt): Attempt[] => Array<Attempt>(count).fill(attempt);

describe('nothing decided for Max Retry Time', () => {
	test.each<[string, Attempt]>([
		['429', limited()],
		['503', unavailable()],
		['no response', lost],
		['no connection', refused],
		['rejected tokens', tokenRejected()],
	])('%s', (_, attempt) => {
		const breaker = learn([created, attempt, attempt]);
		expect(breaker.reasonToEnd(89_999, 0)).toBe(NONE);
		expect(breaker.reasonToEnd(90_000, 0)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/90 s/),
			fix: expect.stringContaining("'Max Retry Time'"),
		});
	});

	test.each<[string, Attempt]>([
		['created', created],
		['declined', declined],
		['still in progress', inProgress],
		['404 after a decision', notFound],
		['a redirect after a decision', redirected],
	])('counts from the last answer: %s', (_, answer) => {
		const breaker = learn([created, lost, lost]);
		breaker.learn(ended(answer, 60_000));
		breaker.learn(ended(lost, 60_001));
		breaker.learn(ended(lost, 60_002));
		expect(breaker.reasonToEnd(149_999, 0)).toBe(NONE);
		expect(messageOf(breaker, 150_000)).toMatch(/90 s/);
	});

	test.each([404, 302])('an answer with %i before the first decision isn’t one', (status) => {
		const breaker = learn([lost, lost]);
		breaker.learn(ended(status === 404 ? notFound : redirected, 60_000));
		expect(messageOf(breaker, 90_000)).toMatch(/90 s/);
	});

	test('at least 5 s', () => {
		const breaker = learn([lost, lost], 0);
		expect(breaker.reasonToEnd(4999, 0)).toBe(NONE);
		expect(messageOf(breaker, 5000)).toMatch(/5 s/);
	});

	test('not for a single request that takes longer', () => {
		expect(learn([created, lost]).reasonToEnd(1e9, 0)).toBe(NONE);
		expect(learn([]).reasonToEnd(1e9, 0)).toBe(NONE);
	});

	test('a token that others had rejected, too, is no failure of its own', () => {
		const later = tokenRejected({ counts: false });
		expect(learn([created, tokenRejected(), later, later]).reasonToEnd(90_000, 0)).toBe(NONE);
	});
});

describe('20 answers in a row that decide nothing', () => {
	test.each<[string, Attempt]>([
		['404', notFound],
		['a redirect', redirected],
	])('before the first decision, any counts: %s', (_, attempt) => {
		expect(learn(times(19, attempt)).reasonToEnd(100, 0)).toBe(NONE);
		expect(learn(times(20, attempt)).reasonToEnd(100, 0)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/20 requests in a row.*status (404|302)/),
		});
	});

	test('after it, what no row causes', () => {
		expect(learn([created, ...times(500, notFound)]).reasonToEnd(600, 0)).toBe(NONE);
		expect(learn([created, ...times(19, redirected)]).reasonToEnd(600, 0)).toBe(NONE);
		expect(messageOf(learn([created, ...times(20, redirected)]), 600)).toMatch(/status 302/);
	});

	test.each<[string, Attempt]>([
		['a decision', declined],
		['after a decision, an answer about the row', notFound],
	])('%s ends the row', (_, attempt) => {
		const breaker = learn([created, ...times(19, redirected), attempt, ...times(19, redirected)]);
		expect(breaker.reasonToEnd(100, 0)).toBe(NONE);
	});

	test('what isn’t an answer neither counts nor ends the row', () => {
		const mixed = times(10, redirected).flatMap((one) => [one, lost]);
		expect(learn([created, ...mixed]).reasonToEnd(100, 0)).toBe(NONE);
		expect(messageOf(learn([created, ...mixed, ...mixed]), 100)).toMatch(/status 302/);
	});

	test('the first attempts of transactions count, and no retries', () => {
		const breaker = learn([created]);
		for (let at = 1; at < 100; at++) breaker.learn(ended(redirected, at, { isFirst: false }));
		expect(breaker.reasonToEnd(100, 0)).toBe(NONE);
	});
});

describe('at first', () => {
	test('three tokens that are rejected', () => {
		const uncounted = tokenRejected({ counts: false });
		expect(learn([...times(2, tokenRejected()), ...times(9, uncounted)]).reasonToEnd(9, 0)).toBe(
			NONE,
		);
		const [, , third] = times(3, tokenRejected());
		expect(messageOf(learn([...times(2, tokenRejected()), third]), 9)).toMatch(
			/every new access token/,
		);
		expect(learn([created, ...times(9, tokenRejected())]).reasonToEnd(9, 0)).toBe(NONE);
	});

	test('one that can’t be sent, in its own words', () => {
		expect(learn([unusable]).reasonToEnd(1, 0)).toMatchObject({
			message: unusable.result.message,
			fix: expect.stringMatching(/wasn't tried.*The fix/),
		});
		expect(learn([created, unusable]).reasonToEnd(1, 0)).toBe(NONE);
	});
});

describe('a pause', () => {
	test('that is longer than Max Retry Time', () => {
		const breaker = learn([created]);
		expect(breaker.reasonToEnd(1000, 91_000)).toBe(NONE);
		expect(messageOf(breaker, 1000, 91_001)).toMatch(/asked to wait 91 s/);
	});

	test('but not one of up to 5 s', () => {
		expect(learn([created], 0).reasonToEnd(0, 5000)).toBe(NONE);
		expect(messageOf(learn([created], 0), 0, 5001)).toMatch(/asked to wait 6 s/);
	});
});

test('what has ended stays so, with its first reason', () => {
	const breaker = learn([unusable]);
	breaker.learn(ended(created, 10));
	expect(messageOf(breaker, 20, 1e9)).toBe(unusable.result.message);
});
