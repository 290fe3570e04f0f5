import { Setbacks, type EndedAttempt } from '../../../../nodes/Payments/sending/EndedAttempt';
import {
	created,
	declined,
	ended,
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

/** Reads attempts that start one after the other, and says which setback each is. */
const setbacksOf = (...attempts: Attempt[]) => {
	const setbacks = new Setbacks();
	return attempts.map((attempt, at) => setbacks.read(ended(attempt, at)).setback);
};

test.each<[string, Attempt[], number[]]>([
	['one among decisions is bad luck', [created, lost, created], [0, 0, 0]],
	['two without a decision are a sign', [lost, refused, unavailable(), unusable], [0, 1, 2, 3]],
	['one that states a limit is none', [limited(), created], [1, 0]],
	['one that asks to wait is none', [unavailable(1000), unavailable(1000)], [1, 2]],
	['a limit after bad luck', [lost, limited(), limited()], [0, 1, 2]],
	['a decision ends them', [lost, lost, lost, declined, lost, lost], [0, 1, 2, 0, 0, 1]],
	['an answer ends them', [lost, lost, notFound, lost, lost], [0, 1, 0, 0, 1]],
	['also from elsewhere', [lost, lost, redirected, lost, lost], [0, 1, 0, 0, 1]],
	['a rejected token is none, and ends none', [lost, tokenRejected(), lost, lost], [0, 0, 1, 2]],
])('%s', (_, attempts, expected) => expect(setbacksOf(...attempts)).toEqual(expected));

test('what started before the last setback is part of it', () => {
	const setbacks = new Setbacks();
	const read = (startedAt: number, endedAt: number) =>
		setbacks.read(ended(limited(), endedAt, { startedAt })).setback;
	expect([read(0, 100), read(50, 110), read(99, 120), read(100, 150), read(149, 160)]).toEqual([
		1, 0, 0, 2, 0,
	]);
});
