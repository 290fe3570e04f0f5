import { randomUUID } from 'node:crypto';

import type { Transaction } from '../../nodes/Payments/Transaction';
import { verdictLines } from '../../check/report';
import { verdictOf, type VerdictName } from '../../check/verdict';
import {
	checkService,
	repeatsWith,
	type Answers,
	type Reply,
	type ServiceOptions,
} from '../support/servers/checkedService';

/* The verdict on services that answer something in their own way, and what has to be known. */

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS' };
const exists = repeatsWith(409, EXISTS);

/** Other content of a recorded transaction gets another answer. */
const differs =
	(name: keyof Transaction, ...reply: Reply): Answers =>
	(request, answer) => {
		const { transaction, first } = request;
		const recorded = first === undefined ? transaction : (JSON.parse(first) as Transaction);
		if (recorded[name] !== transaction[name]) answer(...reply);
		else exists(request, answer);
	};

/** A service that keeps what it answered to each Event ID, refusals included. */
function keepsRefusals(refusal: Reply, then = refusal): [Answers, ServiceOptions] {
	const refused = new Set<string>();
	const answers: Answers = (request, answer) =>
		refused.has(request.transaction.eventId) ? answer(...then) : exists(request, answer);
	const invalid: Answers = ({ transaction }, answer) => {
		refused.add(transaction.eventId);
		answer(...refusal);
	};
	return [answers, { invalid }];
}

/** A service that answers an invalid transaction as a valid one. */
const takesAll = (answers: Answers): [Answers, ServiceOptions] => [
	answers,
	{ invalid: (request, answer) => answers({ ...request, first: undefined }, answer) },
];

/** A service that records whatever it gets. */
function recordsAll(): [Answers, ServiceOptions] {
	const recorded = new Set<string>();
	const answers: Answers = ({ transaction: { eventId } }, answer) => {
		if (recorded.has(eventId)) answer(409, EXISTS);
		else answer(202);
		recorded.add(eventId);
	};
	return [answers, { invalid: answers }];
}

const isPast = ({ externalCreatedAt }: Transaction) => externalCreatedAt < Date.now() - 3e10;
const ofThePast = (...reply: Reply): Answers => {
	return ({ first, transaction }, answer) => {
		if (first !== undefined) answer(409, EXISTS);
		else if (isPast(transaction)) answer(...reply);
		else answer(202, { state: 'NEW' });
	};
};

const laterOfTwo: Answers = (request, answer) => {
	if (request.first === undefined) setTimeout(() => answer(202), 50);
	else if (request.isFirstOpen) answer(500);
	else exists(request, answer);
};

/** A service that forgets after a second. */
function forgets(): Answers {
	const known = new Map<string, number>();
	return ({ transaction: { eventId } }, answer) => {
		const isKnown = Date.now() - (known.get(eventId) ?? 0) < 1000;
		if (!isKnown) known.set(eventId, Date.now());
		answer(...((isKnown ? [409, EXISTS] : [201, { id: randomUUID() }]) as Reply));
	};
}

let limited = false;
const limitedOnce: Answers = (request, answer) => {
	if (request.first === undefined || limited) return exists(request, answer);
	limited = true;
	answer(429, undefined, { 'retry-after': '0.1' });
};

const LOOK_UP = /A repeat ends as unknown: .*Each time, look up its Event ID/;
const DECLINED =
	/with "not-a-number" and 1\.00\. An event must say that the first was declined.*be there once/;
const MISSING = /test of the credential.*PAYMENTS is missing/;

test.each<[string, VerdictName, [Answers, ServiceOptions?], RegExp?]>([
	['500 to a repeat', 'fitsBut', [repeatsWith(500)], LOOK_UP],
	[
		'502 to a repeat',
		'fitsBut',
		[repeatsWith(502, '<html><h1>502 Bad Gateway</h1></html>')],
		LOOK_UP,
	],
	['500 to the second of two at once', 'fits', [laterOfTwo]],
	['no valid transaction created', 'doesntFit', [(_, answer) => answer(200, { success: false })]],
	[
		'another reference is other content',
		'fits',
		[differs('reference', 422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' })],
		/whose reference changed after it was accepted ends as unknown/,
	],
	[
		'another reference is declined',
		'fitsBut',
		[differs('reference', 400, { message: 'Reference: Differs from the first' })],
		/whose reference changed after it was accepted ends as rejected.*look up whether/,
	],
	[
		'other times are other content',
		'fits',
		[differs('externalCreatedAt', 422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' })],
		/whose times changed .* ends as unknown.*take 'Created At' from your data/,
	],
	[
		'the first answer again for another amount',
		'fits',
		[({ id }, answer) => answer(201, { id })],
		/whose amount, times, or reference changed after it was recorded ends as created/,
	],
	['a token for less', 'fits', [exists, { grant: { scope: 'OTHER' } }], MISSING],
	[
		'a refusal with a success status that says no',
		'fitsBut',
		[exists, { invalid: (_, answer) => answer(200, { success: false }) }],
		/no number ends as unknown.*look up a row that the service refused before you correct it/,
	],
	[
		'a corrected row gets the refusal again',
		'fitsBut',
		keepsRefusals([400, { message: 'The amount is no number' }]),
		/refused ends as rejected when it's corrected.*External ID of its own/,
	],
	[
		'a corrected row gets 409 for other content',
		'fitsBut',
		keepsRefusals([422, { code: 'AMOUNT' }], [409, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }]),
		/refused ends as unknown when it's corrected.*External ID of its own/,
	],
	[
		'a corrected row gets recorded already',
		'doesntFit',
		keepsRefusals([400, { code: 'AMOUNT' }], [409, EXISTS]),
		/refused counts as known when it's corrected, and is never recorded/,
	],
	['an invalid one is known from then on', 'notKnown', recordsAll(), DECLINED],
	[
		'and needs an External ID of its own',
		'notKnown',
		recordsAll(),
		/can't be corrected.*of its own/,
	],
	['an invalid one is accepted, and not known', 'notKnown', takesAll(exists), DECLINED],
	['all is accepted', 'notKnown', takesAll((_, answer) => answer(202)), DECLINED],
	[
		'an invalid one gets an ID',
		'doesntFit',
		takesAll((_, answer) => answer(202, { id: randomUUID() })),
	],
	[
		'the past is taken',
		'fits',
		[ofThePast(202, { state: 'NEW' })],
		/takes a 'Created At' of a year ago/,
	],
	[
		'the past is declined',
		'fits',
		[ofThePast(422, { code: 'TOO_OLD' })],
		/ends as rejected.*TOO_OLD.*Ask how far back/,
	],
	[
		'the past gets another success',
		'notKnown',
		[ofThePast(202, { state: 'TOO_OLD' })],
		/Event ID .* of a year ago, and must be there/,
	],
	[
		'no limit is met',
		'fits',
		[exists],
		/No answer announces a limit. After a 429 that doesn't say how long to wait, .* 0.5 s/,
	],
	['a limit is met', 'fits', [limitedOnce], /announces retry-after: 0.1. .* waits 1 s after a 429/],
	[
		'an Event ID is forgotten before the last repeat',
		'doesntFit',
		[forgets(), { waitMs: 1500 }],
		/records the same Event ID again.*A repeat after [12] s got/,
	],
	[
		'an Event ID is remembered',
		'fits',
		[exists, { waitMs: 1500 }],
		/remembers an Event ID for [12] s at least: ask for how long/,
	],
])('%s: %s', async (_, verdict, [answers, options], ...[says]) => {
	const check = await checkService(answers, options);
	const { findings } = check;
	expect(verdictOf(findings)).toBe(verdict);
	const lines = verdictLines({ findings, check });
	if (says) expect(lines.filter((line) => says.test(line))).toHaveLength(1);
	if (verdict === 'fits') expect(lines.slice(0, 2)).toEqual(['It fits.', 'What to know:']);
});

test.each(['OTHER, PAYMENTS', undefined])('a token for %s needs no warning', async (scope) => {
	const check = await checkService(exists, { grant: { scope } });
	expect(verdictLines({ findings: check.findings, check }).join()).not.toMatch(MISSING);
});

test('without the header, no request has it', async () => {
	const keys = new Set<string | undefined>();
	const answers: Answers = (request, answer) => {
		keys.add(request.key);
		exists(request, answer);
	};
	const check = await checkService(answers, { sendIdempotencyKey: false });
	expect([...keys]).toEqual([undefined]);
	expect(verdictLines({ findings: check.findings, check }).join()).not.toContain('Idempotency-Key');
});
