import type { Answer } from '../../../../nodes/Payments/sending/answer/Says';
import { waitAfter, type Wait } from '../../../../nodes/Payments/sending/waitAfter';
import {
	created,
	declined,
	failed,
	inProgress,
	limited,
	lost,
	notFound,
	refused,
	tokenRejected,
	unavailable,
} from '../../../support/builders/attempts';
import { read } from '../../../support/sourceTexts';

/* How long does it wait, and why? ARCHITECTURE.md shows this table. */

/** What comes back, how often the transaction was tried, and the setbacks of the list. */
type Row = [what: string, Answer, attempts: number, setback: number];

const ROWS: Row[] = [
	['201', created, 1, 0],
	['422', declined, 1, 0],
	['404 with `Retry-After: 7`', { ...notFound, waitMs: 7000 }, 1, 0],
	['409, still in progress', inProgress, 1, 0],
	['409 with `Retry-After: 7`', { ...inProgress, waitMs: 7000 }, 1, 0],
	['one 503 among decisions', unavailable(), 1, 0],
	['503 with `Retry-After: 7`', unavailable(7000), 1, 1],
	['503, the first setback', unavailable(), 2, 1],
	['503, the second setback', unavailable(), 3, 2],
	['503, the third setback', unavailable(), 4, 3],
	['503, the sixth setback', unavailable(), 7, 6],
	['429', limited(), 1, 1],
	['429 with `Retry-After: 30`', limited(30_000), 1, 1],
	['429 with `Retry-After: 1`, the fifth setback', limited(1000), 5, 5],
	['no connection, the second setback', refused, 2, 2],
	['no answer, the second setback', lost, 1, 2],
	['no answer, with *Retry on Unknown Outcome*', { ...lost, isSentAgain: true }, 1, 0],
	['401, and the next token comes in 0.5 s', tokenRejected({ waitMs: 500 }), 1, 0],
];

const seconds = (ms: number) => (ms === 0 ? '–' : `${ms / 1000} s`);
const span = (first: number, last: number) =>
	first === last ? seconds(first) : `${first / 1000} to ${seconds(last)}`;
const REASONS: Record<Wait['because'], string> = {
	nothing: '–',
	token: 'the token',
	stated: 'the service asks for it',
	backoff: 'backoff',
};

const table = ROWS.map(([what, answer, attempts, setback]) => {
	const [least, most] = [0, 1].map((random) => waitAfter(answer, { attempts, setback, random }));
	const own = span(least.own, most.own);
	return `| ${what} | ${seconds(most.all)} | ${own} | ${REASONS[most.because]} |`;
});

test('the table of ARCHITECTURE.md is what the function answers', () =>
	expect(read('ARCHITECTURE.md')).toContain(table.join('\n')));

test('what the service asks for shortens no backoff, and a backoff no wait', () => {
	const all = (waitMs: number, setback: number) =>
		waitAfter(limited(waitMs), { attempts: 1, setback, random: 1 }).all;
	expect([all(9000, 2), all(100, 3), all(0, 3)]).toEqual([9000, 1000, 1000]);
});

test('the backoff of a transaction doubles up to 5 s, and is spread between half of it and all', () => {
	const waits = [1, 2, 3, 4, 5, 6].map((attempts) =>
		[0, 1].map((random) => waitAfter(limited(), { attempts, setback: 0, random }).own),
	);
	expect(waits).toEqual([
		[250, 500],
		[500, 1000],
		[1000, 2000],
		[2000, 4000],
		[2500, 5000],
		[2500, 5000],
	]);
});

test('what isn’t sent again waits for nothing, whatever it asks for', () => {
	for (const answer of [failed('serverError', 500), declined, notFound])
		expect(waitAfter({ ...answer, waitMs: 9000 }, { attempts: 1, setback: 0, random: 1 }).own).toBe(
			0,
		);
});
