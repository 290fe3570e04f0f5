import { randomUUID } from 'node:crypto';

import { chooseCodes } from '../../check/codes';
import { readAttempt, type Attempt } from '../../check/reading';
import { verdictLines } from '../../check/report';
import type { Exchange } from '../../check/Service';
import { verdictOf, type VerdictName } from '../../check/verdict';
import { receive } from '../../nodes/shared/serviceResponse';
import { transaction } from '../support/builders/transactions';
import { fc, propertyRuns } from '../support/properties';
import { checkService, type Answers, type Reply } from '../support/servers/checkedService';

/* Which codes the check proposes, and when no code helps. */

// cspell:ignore aceptado bereits connu fehler iban montant mouvement rechazado resultado resultat
// cspell:ignore texte verbucht überschritten

/** What a service answers to a repeat, and to what it refuses. */
interface Replies {
	repeat: Reply | (() => Reply);
	created?: Reply;
	invalid?: Reply;
	otherAmount?: Reply;
}

/** Checks a service that answers so, and says what is to be entered. */
async function checkReplies(
	{ repeat, created = [202], invalid = [422, { code: 'FIELD' }], otherAmount }: Replies,
	recordedCodes = '',
) {
	const answers: Answers = ({ transaction: { amount: sent }, first }, answer) => {
		if (first === undefined) return answer(...created);
		const { amount } = JSON.parse(first) as { amount: string };
		if (otherAmount && amount !== sent) return answer(...otherAmount);
		answer(...(typeof repeat === 'function' ? repeat() : repeat));
	};
	const check = await checkService(answers, {
		recordedCodes,
		invalid: (_, answer) => answer(...invalid),
	});
	const { findings } = check;
	const set = findings.filter((one) => one.kind === 'set');
	for (const { field } of set) expect(field).toBe('Payments API → Codes for Recorded Already');
	return {
		check,
		verdict: verdictOf(findings),
		codes: set.at(-1)?.value,
		says: [...findings.map(({ text }) => text), ...verdictLines({ findings, check })].join('\n'),
	};
}

const REFUSED: Reply = [422, { error: { type: 'validation_failed', code: 'R-FIELD' } }];
const DIFFERS: Reply = [409, { error: { type: 'mismatch', code: 'DIFFERS' } }];
const of = (error: object): Replies => ({
	repeat: [409, { error }],
	invalid: REFUSED,
	otherAmount: DIFFERS,
});

describe('a code is found', () => {
	test.each<[string, string, Replies]>([
		[
			'in another language',
			'TX-4711',
			{
				repeat: [422, { fehler: { code: 'TX-4711', text: 'Bereits verbucht' } }],
				invalid: [422, { fehler: { code: 'TX-4800', text: 'Limit überschritten' } }],
			},
		],
		[
			'as a number',
			'20017',
			{
				repeat: [422, { resultat: { code: 20017, texte: 'Mouvement connu' } }],
				invalid: [422, { resultat: { code: 20001, texte: 'Montant incorrect' } }],
			},
		],
		[
			'that is no ID or time of this answer',
			'E17',
			{
				repeat: () => [
					409,
					{
						...{ traceId: randomUUID(), code: 'E17', at: new Date().toISOString() },
						...{ title: randomUUID(), message: `Known as ${randomUUID()} since this morning` },
					},
				],
			},
		],
		[
			'of a problem of RFC 9457',
			'https://example.com/problems/known',
			of({ type: 'https://example.com/problems/known', title: 'Conflict', status: 409 }),
		],
		[
			'of a problem with a code',
			'seen-before',
			of({ type: 'https://example.com/problems/state', title: 'Conflict', reason: 'seen-before' }),
		],
		[
			'beside where it happened',
			'DUPLICATE_REF',
			of({ code: 'BUSINESS_RULE', details: [{ issue: 'DUPLICATE_REF', service: 'ledger-core' }] }),
		],
		[
			'further out, if a refusal has the innermost',
			'KNOWN_TX',
			of({ code: 'KNOWN_TX', details: [{ reason: 'R-FIELD' }] }),
		],
		[
			'further out, if other content has the innermost',
			'KNOWN_TX',
			of({ code: 'KNOWN_TX', details: [{ reason: 'DIFFERS' }] }),
		],
		[
			'although other content has it, too, which is a duplicate then',
			'TX-1',
			{
				repeat: [422, { code: 'TX-1' }],
				otherAmount: [422, { code: 'TX-1', reason: 'Another amount' }],
			},
		],
		[
			'and no value that was sent',
			'TX-1',
			{ repeat: [409, { error: 'SCT', title: 'EUR', code: 'TX-1' }] },
		],
	])('%s: %s', async (_, expected, replies) => {
		const { verdict, codes, check } = await checkReplies(replies);
		expect([verdict, codes]).toEqual(['fitsIfSet', expected]);
		expect(check.asked?.same.says.outcome).toBe('duplicate');
		expect(check.asked?.invalid.says.outcome).not.toBe('duplicate');
	});
});

describe('409 is entered, with a warning', () => {
	test.each<[string, Reply | (() => Reply), Reply?]>([
		['without a body', [409]],
		['with the name of the status', [409, { status: 409, error: 'Conflict' }]],
		['with what any refusal has', [409, { type: 'invalid_request', message: 'Invalid request' }]],
		['with a sentence', [409, { error: 'This was recorded before' }]],
		['with a code in a member of another meaning', [409, { host: 'zone-7', kind: 'TX-1' }]],
		['with a state that a success has', [409, { title: 'SETTLED' }], [201, { state: 'SETTLED' }]],
		['with a transaction', [409, { amount: '1.00', type: 'payout', party: { type: 'iban' } }]],
	])('%s', async (_, repeat, ...[created]) => {
		const { verdict, codes, says } = await checkReplies({ repeat, created });
		expect([verdict, codes]).toEqual(['fitsIfSet', '409']);
		expect(says).toMatch(/What to know:\n[^]*every other answer with 409 counts as recorded/);
	});
});

describe('without a code of its own, a repeat ends as the node reports it', () => {
	test.each<[string, VerdictName, Replies]>([
		['409 for a refusal, too', 'fitsBut', { repeat: [409], invalid: [409, { message: 'No' }] }],
		[
			'a code of any refusal',
			'fitsBut',
			{ repeat: [409, { code: 'TX-1' }], invalid: [409, { code: 'TX-1', field: 'amount' }] },
		],
		['a general code', 'doesntFit', { repeat: [400, { code: 'VALIDATION_ERROR' }] }],
		[
			'a code that a refusal has with another status',
			'doesntFit',
			{ repeat: [400, { code: 'TX-1' }], invalid: [403, { code: 'TX-1' }] },
		],
		['a short number', 'doesntFit', { repeat: [400, { code: 7 }] }],
		['a number where no code stands', 'doesntFit', { repeat: [400, { error: 'A', line: 4711 }] }],
		['a part of a sentence', 'doesntFit', { repeat: () => [400, `Known as ${randomUUID()}`] }],
	])('%s: %s', async (_, expected, replies) => {
		const { verdict, codes, says } = await checkReplies(replies);
		expect([verdict, codes]).toEqual([expected, undefined]);
		expect(says).toMatch(/No code tells a repeat from all other answers/);
		expect(says).toMatch(/one that means only "recorded already"/);
	});

	test('nor with one that a corrected transaction gets, which was never recorded', async () => {
		const refused = new Set<string>();
		const answers: Answers = ({ transaction: { eventId }, first }, answer) =>
			first === undefined && !refused.has(eventId)
				? answer(202)
				: answer(400, { code: 'KEY_KNOWN' });
		const check = await checkService(answers, {
			invalid: ({ transaction: { eventId } }, answer) => {
				refused.add(eventId);
				answer(400, { code: 'AMOUNT' });
			},
		});
		expect(check.codes?.entries).toEqual([]);
		expect(verdictOf(check.findings)).toBe('doesntFit');
	});
});

/** What a transaction got, as if it was sent. */
const exchangeOf = (eventId: string, status: number, body: unknown): Exchange => {
	const sent = { ...transaction(1), eventId };
	const response = receive({ status, headers: {}, body }, '');
	const answer = { says: 'response' as const, token: '', response };
	const attempt = { transaction: sent, sent: answer };
	return { ...attempt, ...readAttempt(attempt, []), key: '', sentAt: 0 };
};

const repeatOf = (eventId: string, ...[status, body]: Reply) => {
	const exchange = exchangeOf(eventId, status, body);
	return { about: 'A repeat', exchange, first: exchange };
};

const NOTHING = { refusals: [], changed: [], successes: [] };

test('two codes for two answers', () => {
	const repeats = ['KNOWN_TX', 'ARCHIVED_TX'].flatMap((code) =>
		['E1', 'E2'].map((id) => repeatOf(id, 409, { code })),
	);
	const choice = chooseCodes({ ...NOTHING, repeats }, '');
	expect(choice.entries).toEqual(['KNOWN_TX', 'ARCHIVED_TX']);
	expect(choice.uncovered).toEqual([]);
});

test('whatever a service answers, no refusal becomes recorded, and no repeat is forgotten', () => {
	const word = fc.constantFrom(
		...['TX-1', 'TX-2', 'invalid_state', 'KNOWN_TX', 'E-1,2', 'Seen before, as it is', '409'],
		...['Conflict', 'Value is wrong', 'say "again" here', 'https://example.com/tx-known'],
	);
	const value = fc.oneof(word, fc.constantFrom(409, 7, 4711, true, null));
	const key = fc.constantFrom('code', 'error', 'a', 'amount', '__proto__');
	const body = fc.anything({ key, values: [value], maxDepth: 3, maxKeys: 3 });
	const reply = fc.tuple(fc.constantFrom(400, 403, 409, 422), body);
	const stated = fc.constantFrom('', '409', 'TX-1', '"Seen before, as it is", 409', 'TX-9');
	fc.assert(
		fc.property(reply, reply, reply, stated, (repeated, refusal, other, codes) => {
			const repeats = ['E1', 'E2'].map((id) => repeatOf(id, ...repeated));
			const refusals = [exchangeOf('E3', ...refusal)];
			const changed = [exchangeOf('E1', ...other)];
			const choice = chooseCodes({ ...NOTHING, repeats, refusals, changed }, codes);
			const outcomeOf = (attempt: Attempt) => readAttempt(attempt, choice.entries).says.outcome;
			expect(refusals.map(outcomeOf)).not.toContain('duplicate');
			for (const { exchange } of repeats) {
				const isUncovered = choice.uncovered.some((one) => one.exchange === exchange);
				const isRecorded = outcomeOf(exchange) === 'duplicate';
				expect(isRecorded).toBe(repeated[0] !== 403 && !isUncovered);
			}
		}),
		{ numRuns: propertyRuns(10_000) },
	);
});

describe('what was stated', () => {
	const TX: Reply = [422, { fehler: { code: 'TX-4711' } }];
	const LIMIT: Reply = [422, { fehler: { code: 'TX-4800' } }];

	test.each([
		['TX-9999', 'TX-9999, TX-4711', /TX-9999 was entered, but no answer had it/],
		['bereits verbucht', 'bereits verbucht, TX-4711', /bereits verbucht was entered, but no/],
		['"so, so"', '"so, so", TX-4711', /so, so was entered, but no/],
		['409', 'TX-4711', /Take 409 out, because a transaction that is refused can count/],
		['TX-4800', 'TX-4711', /Take TX-4800 out/],
	])('%s is named', async (stated, expected, reason) => {
		const { verdict, codes, says } = await checkReplies({ repeat: TX, invalid: LIMIT }, stated);
		expect([verdict, codes]).toEqual(['fitsIfSet', expected]);
		expect(says).toMatch(reason);
	});

	test('what the node recognizes anyway is not missed', async () => {
		const known: Reply = [409, { errorCode: 'EVENT_ALREADY_EXISTS' }];
		const { verdict, says } = await checkReplies({ repeat: known }, 'EVENT_ALREADY_EXISTS');
		expect(verdict).toBe('fits');
		expect(says).not.toMatch(/was entered/);
	});

	test('an entry that is right fits, and is in the verdict', async () => {
		const { verdict, says } = await checkReplies({ repeat: TX, invalid: LIMIT }, 'TX-4711');
		expect(verdict).toBe('fits');
		expect(says).toMatch(/It fits\.\nThis is with .*: TX-4711\n/);
	});
});

test.each<[string, object, object]>([
	['with a word', { resultado: 'ACEPTADO' }, { resultado: 'RECHAZADO' }],
	['in a member', { id: 'T-1' }, { validation: { passed: false } }],
])('a refusal with a success status does not fit: %s', async (_, yes, no) => {
	const { verdict, says } = await checkReplies({
		repeat: [409, { errorCode: 'EVENT_ALREADY_EXISTS' }],
		created: [200, yes],
		invalid: [200, no],
	});
	expect(verdict).toBe('doesntFit');
	expect(says).toMatch(/an amount that is no number ends as created/i);
});
