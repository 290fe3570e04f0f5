import { randomUUID } from 'node:crypto';

import type { Transaction } from '../../nodes/Payments/Transaction';
import { verdictLines } from '../../check/report';
import { verdictOf, type VerdictName } from '../../check/verdict';
import { checkService, type Answers, type ServiceOptions } from '../support/servers/checkedService';

/* What fits, and has to be known, stands in the verdict. */

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS' };
const exists: Answers = ({ first }, answer) =>
	first === undefined ? answer(202) : answer(409, EXISTS);

async function verdictFor(answers: Answers, options?: ServiceOptions) {
	const check = await checkService(answers, options);
	const { findings } = check;
	return { verdict: verdictOf(findings), lines: verdictLines({ findings, check }) };
}

const differs =
	(name: keyof Transaction, status: number, body: object): Answers =>
	({ transaction, first }, answer) => {
		const recorded = first === undefined ? transaction : (JSON.parse(first) as Transaction);
		if (recorded[name] !== transaction[name]) answer(status, body);
		else exists({ transaction, first, body: '', isFirstOpen: false, id: '' }, answer);
	};

test.each<[string, Answers, RegExp]>([
	[
		'500 to a repeat',
		({ first }, answer) => answer(first === undefined ? 202 : 500),
		/ends as unknown. So a row whose response was lost/,
	],
	[
		'502 to a repeat',
		({ first }, answer) =>
			first === undefined ? answer(202) : answer(502, '<html><h1>502 Bad Gateway</h1></html>'),
		/ends as unknown. So a row whose response was lost/,
	],
	[
		'another reference is other content',
		differs('reference', 422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }),
		/whose reference was changed after it was recorded ends as unknown/,
	],
	[
		'another reference is declined',
		differs('reference', 400, { message: 'Reference: Differs from the first' }),
		/whose reference was changed after it was recorded ends as rejected/,
	],
	[
		'the first answer again for another amount',
		({ id }, answer) => answer(202, { id }),
		/whose amount was corrected after it was recorded ends as created/,
	],
])('%s', async (_, answers, says) => {
	const { verdict, lines } = await verdictFor(answers);
	expect(verdict).toBe('fits');
	expect(lines.slice(0, 2)).toEqual(['It fits.', 'What to know:']);
	expect(lines.filter((line) => says.test(line))).toHaveLength(1);
});

test.each([
	['another scope', 'payments.read', 1],
	['less', 'OTHER', 1],
	['more', 'OTHER, PAYMENTS', 0],
	['nothing that it says', undefined, 0],
])('a token is granted for %s', async (_, scope, count) => {
	const { verdict, lines } = await verdictFor(exists, { grant: { scope } });
	expect(verdict).toBe('fits');
	expect(
		lines.filter((line) => /test of the credential.*PAYMENTS is missing/.test(line)),
	).toHaveLength(count);
});

/** A service that keeps what it answered to each Event ID, refusals included. */
function repeatsRefusals(status: number, body: object, then: [number, object] = [status, body]) {
	const refused = new Set<string>();
	const answers: Answers = (request, answer) =>
		refused.has(request.transaction.eventId) ? answer(...then) : exists(request, answer);
	const invalid: Answers = ({ transaction }, answer) => {
		refused.add(transaction.eventId);
		answer(status, body);
	};
	return { answers, invalid };
}

test.each<[string, ReturnType<typeof repeatsRefusals>, VerdictName, RegExp]>([
	[
		'the refusal again',
		repeatsRefusals(400, { message: 'The amount is no number' }),
		'fits',
		/refused ends as rejected when it's corrected.*External ID of its own/,
	],
	[
		'409 for other content',
		repeatsRefusals(422, { code: 'AMOUNT' }, [409, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }]),
		'fits',
		/refused ends as unknown when it's corrected.*External ID of its own/,
	],
	[
		'recorded already',
		repeatsRefusals(400, { code: 'AMOUNT' }, [409, EXISTS]),
		'doesntFit',
		/rejected counts as recorded when it's corrected, and is never recorded/,
	],
])('a corrected row gets %s', async (_, { answers, invalid }, expected, says) => {
	const { verdict, lines } = await verdictFor(answers, { invalid });
	expect(verdict).toBe(expected);
	expect(lines.filter((line) => says.test(line))).toHaveLength(1);
});

describe('an invalid transaction gets the answer to a valid one', () => {
	test.each<[string, VerdictName, (recorded: Set<string>) => Answers]>([
		[
			'and is recorded',
			'fits',
			(recorded) =>
				({ transaction: { eventId }, first }, answer) =>
					first !== undefined || recorded.has(eventId) ? answer(409, EXISTS) : answer(202),
		],
		['and is not', 'doesntFit', () => exists],
		['and nobody knows', 'notKnown', () => (_request, answer) => answer(202)],
		['and has an ID', 'doesntFit', () => (_request, answer) => answer(202, { id: randomUUID() })],
	])('%s: %s', async (_, expected, answersOf) => {
		const recorded = new Set<string>();
		const answers = answersOf(recorded);
		const { verdict } = await verdictFor(answers, {
			invalid: (request, answer) => {
				answers({ ...request, first: undefined }, answer);
				recorded.add(request.transaction.eventId);
			},
		});
		expect(verdict).toBe(expected);
	});
});

const isPast = ({ externalCreatedAt }: Transaction) => externalCreatedAt < Date.now() - 3e10;

test.each<[string, Parameters<Parameters<Answers>[1]>, VerdictName, RegExp]>([
	['takes it', [202, { state: 'NEW' }], 'fits', /takes a 'Created At' of a year ago/],
	[
		'declines it',
		[422, { code: 'TOO_OLD' }],
		'fits',
		/ends as rejected.*TOO_OLD.*Ask how far back/,
	],
	['declines it with a success', [202, { state: 'TOO_OLD' }], 'notKnown', /Event ID/],
])('a movement of the past: the service %s', async (_, reply, expected, says) => {
	const { verdict, lines } = await verdictFor((request, answer) => {
		if (request.first !== undefined) answer(409, EXISTS);
		else if (isPast(request.transaction)) answer(...reply);
		else answer(202, { state: 'NEW' });
	});
	expect(verdict).toBe(expected);
	expect(lines.filter((line) => says.test(line))).toHaveLength(1);
});

test('a limit that is met is waited for, and what it announces is said', async () => {
	let isFirst = true;
	const { verdict, lines } = await verdictFor((request, answer) => {
		if (request.first !== undefined && isFirst) {
			isFirst = false;
			answer(429, undefined, { 'retry-after': '1' });
		} else exists(request, answer);
	});
	expect(verdict).toBe('fits');
	expect(lines.join('\n')).toMatch(/announces retry-after: 1. .* waits 1 s after a 429/);
});

test('without the header, no request has it', async () => {
	const keys = new Set<string | undefined>();
	const answers: Answers = (request, answer) => {
		keys.add(request.key);
		exists(request, answer);
	};
	const { lines } = await verdictFor(answers, { sendIdempotencyKey: false });
	expect([...keys]).toEqual([undefined]);
	expect(lines.join('\n')).not.toContain('Idempotency-Key');
});
