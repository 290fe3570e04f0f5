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

const decide = (window: Window, count: number, startedAt = 0) => {
	for (let nth = 0; nth < count; nth++) window.learn(ended(created, startedAt));
};

test.each([
	[200, 50],
	[50, 50],
	[7, 7],
	[1, 1],
])('of at most %i, it begins with %i', (max, size) => {
	expect(new Window(max, false).limit).toBe(size);
});

test('each decision adds one, up to the largest size', () => {
	const window = new Window(60, false);
	decide(window, 5);
	window.learn(ended(declined));
	expect(window.limit).toBe(56);
	decide(window, 100);
	expect(window.limit).toBe(60);
});

test('answers that decide nothing, and failures that are no setback, change nothing', () => {
	const window = new Window(200, false);
	for (const attempt of [notFound, redirected, lost, unavailable()]) window.learn(ended(attempt));
	expect(window.limit).toBe(50);
});

test('the first setback halves it, each later one makes it one', () => {
	const window = new Window(200, false);
	window.learn(ended(unavailable(), 10, { setback: 1 }));
	expect(window.limit).toBe(25);
	window.learn(ended(unusable, 20, { setback: 2 }));
	expect(window.limit).toBe(1);
	window.learn(ended(lost, 30, { setback: 3 }));
	expect(window.limit).toBe(1);
});

test('it is never less than one', () => {
	const window = new Window(1, false);
	window.learn(ended(limited(), 10, { setback: 1 }));
	expect(window.limit).toBe(1);
});

test('after a setback, it doubles in a round trip up to half of what it was, then it grows by one', () => {
	const window = new Window(200, false);
	window.learn(ended(limited(), 10, { setback: 1 }));
	window.learn(ended(limited(), 20, { setback: 2 }));
	decide(window, 24, 30);
	expect(window.limit).toBe(25);
	decide(window, 24, 30);
	expect(window.limit).toBe(25);
	decide(window, 2, 30);
	expect(window.limit).toBe(26);
});

test('what started before a setback says nothing about the window after it', () => {
	const window = new Window(200, false);
	window.learn(ended(unavailable(), 10, { setback: 1 }));
	decide(window, 30, 9);
	expect(window.limit).toBe(25);
	decide(window, 30, 10);
	expect(window.limit).toBe(26);
});

describe('one request at a time', () => {
	test.each([
		['created', created],
		['declined', declined],
		['404', notFound],
		['a redirect', redirected],
	])('until the first answer, if it is to be alone: %s', (_, attempt) => {
		const window = new Window(200, true);
		expect(window.limit).toBe(1);
		for (const failure of [unavailable(), lost, tokenRejected()]) window.learn(ended(failure));
		expect(window.limit).toBe(1);
		window.learn(ended(attempt));
		expect(window.limit).toBeGreaterThanOrEqual(50);
	});

	test('after a rejected token, until the next is accepted, and then as many as before', () => {
		const window = new Window(200, false);
		decide(window, 10);
		window.learn(ended(tokenRejected()));
		expect(window.limit).toBe(1);
		window.learn(ended(unavailable()));
		expect(window.limit).toBe(1);
		window.learn(ended(notFound));
		expect(window.limit).toBe(60);
	});

	test('after a 429, until one that started after it is answered, and then half', () => {
		const window = new Window(200, false);
		window.learn(ended(limited(), 10, { setback: 1 }));
		decide(window, 30, 9);
		expect(window.limit).toBe(1);
		decide(window, 1, 11);
		expect(window.limit).toBe(25);
		window.learn(ended(limited(), 12));
		expect(window.limit).toBe(1);
		window.learn(ended(notFound, 13));
		expect(window.limit).toBe(25);
	});
});
