import type { Answer } from '../../../../nodes/Payments/sending/answer/Says';
import { Ending } from '../../../../nodes/Payments/sending/Ending';
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

/** Lets an ending learn of answers that come one after the other, one in each ms. */
function learn(attempts: Answer[], maxRetryTime = 90_000): Ending {
	const ending = new Ending(maxRetryTime, 0);
	for (const [at, attempt] of attempts.entries()) ending.learn(ended(attempt, at));
	return ending;
}
const messageOf = (ending: Ending, now: number, pausedUntil = 0) =>
	ending.reasonAt(now, pausedUntil)?.message;
const times = (count: number, attempt: Answer): Answer[] => Array<Answer>(count).fill(attempt);

describe('nothing decided for Max Retry Time', () => {
	test.each<[string, Answer]>([
		['429', limited()],
		['503', unavailable()],
		['no response', lost],
		['no connection', refused],
		['rejected tokens', tokenRejected()],
	])('%s', (_, attempt) => {
		const ending = learn([created, attempt, attempt]);
		expect(messageOf(ending, 89_999)).toBeUndefined();
		expect(ending.reasonAt(90_000, 0)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/90 s/),
			fix: expect.stringContaining("'Max Retry Time'"),
		});
	});

	test.each<[string, Answer[], Answer, number]>([
		['created', [created], created, 150_000],
		['declined', [created], declined, 150_000],
		['still in progress', [created], inProgress, 150_000],
		['404', [created], notFound, 150_000],
		['a redirect', [created], redirected, 150_000],
		['404 before the first decision is none', [], notFound, 90_000],
		['a redirect before the first decision is none', [], redirected, 90_000],
	])('counts from the last answer: %s', (_, before, answer, endsAt) => {
		const ending = learn([...before, lost, lost]);
		ending.learn(ended(answer, 60_000));
		for (const at of [60_001, 60_002]) ending.learn(ended(lost, at));
		expect(messageOf(ending, endsAt - 1)).toBeUndefined();
		expect(messageOf(ending, endsAt)).toMatch(/90 s/);
	});

	test('at least 5 s', () => {
		const ending = learn([lost, lost], 0);
		expect(messageOf(ending, 4999)).toBeUndefined();
		expect(messageOf(ending, 5000)).toMatch(/for 5 s/);
		// The first reason stays.
		expect(messageOf(ending, 9000)).toMatch(/for 5 s/);
	});

	const later = tokenRejected({ counts: false });
	test.each<[string, Answer[]]>([
		['a single request that takes longer', [created, lost]],
		['a token that others had rejected, too', [created, tokenRejected(), later, later]],
	])('isn’t %s', (_, attempts) => expect(messageOf(learn(attempts), 1e9)).toBeUndefined());
});

const mixed = times(10, redirected).flatMap((one) => [one, lost]);
const MANY = /20 requests in a row.*status 302/;

test.each<[string, Answer[], RegExp | undefined]>([
	['19 answers at first', times(19, notFound), undefined],
	['20 at first', times(20, notFound), /20 requests in a row.*status 404/],
	['20 at first, from elsewhere', times(20, redirected), MANY],
	[
		'answers after a decision, which a row can cause',
		[created, ...times(500, notFound)],
		undefined,
	],
	['19 from elsewhere after a decision', [created, ...times(19, redirected)], undefined],
	['20 from elsewhere', [created, ...times(20, redirected)], MANY],
	...[declined, notFound].map((attempt): [string, Answer[], undefined] => [
		`${attempt.shows} among them`,
		[created, ...times(19, redirected), attempt, ...times(19, redirected)],
		undefined,
	]),
	['10 from elsewhere, and what is no answer', [created, ...mixed], undefined],
	['20 from elsewhere, and what is no answer', [created, ...mixed, ...mixed], MANY],
	['two rejected tokens at first', times(2, tokenRejected()), undefined],
	[
		'what others had rejected, too',
		[...times(2, tokenRejected()), ...times(9, tokenRejected({ counts: false }))],
		undefined,
	],
	['three rejected tokens', times(3, tokenRejected()), /every new access token/],
	['rejected tokens after a decision', [created, ...times(9, tokenRejected())], undefined],
	['one at first that can’t be sent', [unusable], /^It ended with unusable$/],
	['one that can’t be sent after a decision', [created, unusable], undefined],
	['the first reason stays', [unusable, created], /^It ended with unusable$/],
])('%s', (_, attempts, message) =>
	expect(messageOf(learn(attempts), 600)).toEqual(message && expect.stringMatching(message)),
);

test('of a row, only its first attempt is one of the 20', () => {
	const ending = learn([created]);
	for (let at = 1; at < 100; at++) ending.learn(ended(redirected, at, { number: 2 }));
	expect(messageOf(ending, 100)).toBeUndefined();
});

test('what couldn’t be sent is the reason for the others, and they weren’t tried', () => {
	const { fix } = learn([unusable]).reasonAt(1, 0)!;
	expect(fix).toMatch(/wasn't tried.*The fix/);
});

test.each([
	[90_000, 90_000, undefined],
	[90_000, 90_001, /asked to wait 91 s/],
	[0, 5000, undefined],
	[0, 5001, /asked to wait 6 s/],
])('Max Retry Time is %i ms, and the service asks to wait %i ms', (maxRetryTime, ms, message) =>
	expect(messageOf(learn([created], maxRetryTime), 1000, 1000 + ms)).toEqual(
		message && expect.stringMatching(message),
	),
);
