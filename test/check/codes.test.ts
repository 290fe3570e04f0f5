import { randomUUID } from 'node:crypto';

import type { Check } from '../../check/Check';
import { chooseCodes } from '../../check/codes';
import { readAttempt, type Attempt } from '../../check/reading';
import { verdictLines } from '../../check/report';
import { verdictOf } from '../../check/verdict';
import { transaction } from '../support/builders/transactions';
import { fc, propertyRuns } from '../support/properties';
import { checkService, type Answers } from '../support/servers/checkedService';

/* Which codes the check proposes, and when no code helps. */

// cspell:ignore aceptado bereits betrag buchung codigo connu diese dieser erfasst estado existe
// cspell:ignore fehler importe keine meldungen mensaje montant mouvement movimiento
// cspell:ignore rechazado resultado resultat texte ungültig verbucht válido zahl
// cspell:ignore überschritten

type Reply = [status: number, body?: object | string, headers?: Record<string, string>];

interface Refusals {
	invalid?: Reply;
	otherAmount?: Reply;
}

/** A service that answers a repeat, another amount, and an invalid transaction in its own way. */
async function checkReplies(
	replies: { repeat: () => Reply; created?: Reply } & Refusals,
	recordedCodes = '',
): Promise<{ check: Check; verdict: string; codes?: string; says: string }> {
	const { repeat, otherAmount } = replies;
	const created: Reply = replies.created ?? [202];
	const invalid: Reply = replies.invalid ?? [422, { code: 'FIELD' }];
	const answers: Answers = ({ transaction: { amount: sent }, first }, answer) => {
		if (first === undefined) return answer(...created);
		const { amount } = JSON.parse(first) as { amount: string };
		answer(...(otherAmount && amount !== sent ? otherAmount : repeat()));
	};
	const check = await checkService(answers, {
		recordedCodes,
		invalid: (_, answer) => answer(...invalid),
	});
	const { findings } = check;
	const set = findings.filter((one) => one.kind === 'set');
	expect(set.every(({ field }) => field === 'Payments API → Codes for Recorded Already')).toBe(
		true,
	);
	return {
		check,
		verdict: verdictOf(findings),
		codes: set.at(-1)?.value,
		says: [...findings.map(({ text }) => text), ...verdictLines({ findings, check })].join('\n'),
	};
}

describe('a code is found wherever it stands', () => {
	test.each<[string, Reply, Reply, string]>([
		[
			'in German',
			[409, { fehler: { code: 'TX-4711', text: 'Bereits verbucht' } }],
			[409, { fehler: { code: 'TX-4800', text: 'Limit überschritten' } }],
			'TX-4711',
		],
		[
			'in Spanish',
			[409, { estado: { codigo: 'E-DUP-7', mensaje: 'El movimiento ya existe' } }],
			[409, { estado: { codigo: 'E-VAL-1', mensaje: 'Importe no válido' } }],
			'E-DUP-7',
		],
		[
			'as a number',
			[422, { resultat: { numero: 20017, texte: 'Mouvement connu' } }],
			[422, { resultat: { numero: 20001, texte: 'Montant incorrect' } }],
			'20017',
		],
		[
			'in a list',
			[409, { meldungen: [['RB-112', 'Bereits erfasst']] }],
			[409, { meldungen: [['RB-100', 'Betrag ungültig']] }],
			'RB-112',
		],
		[
			'in a sentence only',
			[409, { fehler: 'Diese Buchung ist bereits erfasst' }],
			[409, { fehler: 'Dieser Betrag ist keine Zahl' }],
			'"Diese Buchung ist bereits erfasst"',
		],
		[
			'in a text',
			[400, 'Transaction exists already.'],
			[400, 'Amount is no number.'],
			'"Transaction exists already."',
		],
		[
			'in a text of XML',
			[409, '<fault id="1"><code>TX-4711</code><text>Bereits verbucht</text></fault>'],
			[409, '<fault id="2"><code>TX-4800</code><text>Keine Zahl</text></fault>'],
			'"Bereits verbucht"',
		],
		[
			'not where it happened',
			[422, { fehler: { nr: 88, text: 'Bereits verbucht', host: 'zone-7' } }],
			[422, { fehler: { nr: 12, text: 'Keine Zahl', host: 'zone-3' } }],
			'"Bereits verbucht"',
		],
	])('%s', async (_, repeat, invalid, expected) => {
		const { verdict, codes, check } = await checkReplies({ repeat: () => repeat, invalid });
		expect([verdict, codes]).toEqual(['fitsIfSet', expected]);
		expect(check.asked?.same.says.outcome).toBe('duplicate');
		expect(check.asked?.invalid.says.outcome).not.toBe('duplicate');
	});

	test('not an ID or a time of this answer', async () => {
		const repeat = (): Reply => [
			409,
			{
				...{
					traceId: randomUUID(),
					code: 'E17',
					at: new Date().toISOString(),
					mark: Math.random(),
				},
				message: `Known as ${randomUUID()} since this morning`,
			},
		];
		expect(await checkReplies({ repeat })).toMatchObject({ verdict: 'fitsIfSet', codes: 'E17' });
	});

	test('in a sentence about the Event ID', async () => {
		const answers: Answers = ({ transaction: { eventId }, first }, answer) =>
			first === undefined
				? answer(202)
				: answer(400, { errors: [{ message: `Event ${eventId} exists already` }] });
		const check = await checkService(answers);
		expect(check.codes?.entries).toEqual(['"exists already"']);
		expect(verdictOf(check.findings)).toBe('fitsIfSet');
	});

	test('not what was sent', async () => {
		const answers: Answers = ({ transaction: { sender }, first }, answer) =>
			first === undefined
				? answer(202)
				: answer(409, { reference: 'known', sent: { ...sender }, kind: 'TX-1' });
		const check = await checkService(answers);
		expect(check.codes?.entries).toEqual(['TX-1']);
	});
});

describe('409 alone', () => {
	test.each<[string, Reply]>([
		['without a body', [409]],
		['with the name of the status', [409, { status: 409, error: 'Conflict' }]],
		['with what any refusal has', [409, { type: 'invalid_request', message: 'Invalid request' }]],
	])('%s: with a warning', async (_, repeat) => {
		const { verdict, codes, says } = await checkReplies({ repeat: () => repeat });
		expect([verdict, codes]).toEqual(['fitsIfSet', '409']);
		expect(says).toMatch(/What to know:\n[^]*every other answer with 409 counts as recorded/);
	});

	test.each<[string, Reply, Reply]>([
		['the same', [409, { error: 'Conflict' }], [409, { error: 'Conflict' }]],
		['with another sentence', [409], [409, { message: 'The amount is no number' }]],
		['with its code', [409, { code: 'TX-1' }], [409, { code: 'TX-1', field: 'amount' }]],
	])('not if a refusal has it, %s', async (_, repeat, invalid) => {
		const { verdict, codes, says } = await checkReplies({ repeat: () => repeat, invalid });
		expect([verdict, codes]).toEqual(['doesntFit', undefined]);
		expect(says).toMatch(/no value tells a repeat from a refusal/);
	});
});

describe('the most specific code', () => {
	test.each<[string, object, string]>([
		[
			'the innermost',
			{ type: 'invalid_state', errors: [{ reason: 'idempotent_creation_conflict' }] },
			'idempotent_creation_conflict',
		],
		[
			'of a problem of RFC 9457',
			{ type: 'https://example.com/problems/state', title: 'Conflict', reason: 'seen-before' },
			'seen-before',
		],
		[
			'beside where it happened',
			{ code: 'BUSINESS_RULE', details: [{ issue: 'DUPLICATE_REF', service: 'ledger-core' }] },
			'DUPLICATE_REF',
		],
		[
			'further out, if a refusal has the innermost',
			{ code: 'KNOWN_TX', details: [{ reason: 'R-FIELD' }] },
			'KNOWN_TX',
		],
		[
			'further out, if other content has the innermost',
			{ code: 'KNOWN_TX', details: [{ reason: 'DIFFERS' }] },
			'KNOWN_TX',
		],
	])('%s', async (_, error, expected) => {
		const { verdict, codes } = await checkReplies({
			repeat: () => [409, { error }],
			invalid: [422, { error: { type: 'validation_failed', code: 'R-FIELD' } }],
			otherAmount: [409, { error: { type: 'mismatch', code: 'DIFFERS' } }],
		});
		expect([verdict, codes]).toEqual(['fitsIfSet', expected]);
	});

	test.each<[string, Reply, Refusals]>([
		['a general code', [400, { code: 'VALIDATION_ERROR' }], {}],
		[
			'a code of any refusal',
			[422, { code: 'E-100', message: 'Not accepted here' }],
			{ invalid: [422, { code: 'E-100', message: 'Not accepted here' }] },
		],
		[
			'a code of other content',
			[422, { code: 'TX-1' }],
			{ otherAmount: [422, { code: 'TX-1', reason: 'Another amount' }] },
		],
		[
			'a code that a refusal has with another status',
			[400, { code: 'TX-1' }],
			{ invalid: [403, { code: 'TX-1' }] },
		],
		['a short number', [400, { code: 7 }], {}],
	])('without one it does not fit: %s', async (_, repeat, refusals) => {
		const { verdict, codes, says } = await checkReplies({ repeat: () => repeat, ...refusals });
		expect([verdict, codes]).toEqual(['doesntFit', undefined]);
		expect(says).toMatch(/without a code that means only "recorded already"/);
	});

	test('nor with one that a corrected transaction gets, which was never recorded', async () => {
		const refused = new Set<string>();
		const answers: Answers = ({ transaction: { eventId }, first }, answer) =>
			first === undefined && !refused.has(eventId)
				? answer(202)
				: answer(409, { code: 'KEY_KNOWN' });
		const check = await checkService(answers, {
			invalid: ({ transaction: { eventId } }, answer) => {
				refused.add(eventId);
				answer(400, { code: 'AMOUNT' });
			},
		});
		expect(check.codes?.entries).toEqual([]);
		expect(verdictOf(check.findings)).toBe('doesntFit');
	});

	/** What a transaction got, as if it was sent. */
	const exchangeOf = (eventId: string, status: number, body: unknown) => {
		const sent = { ...transaction(1), eventId };
		const answer = { kind: 'response' as const, token: '', status, headers: {}, body };
		const attempt = { transaction: sent, sent: answer };
		return { ...attempt, ...readAttempt(attempt, ''), key: '', sentAt: 0, ms: 1 };
	};

	test('two codes for two answers', () => {
		const repeats = ['KNOWN_TX', 'ARCHIVED_TX'].flatMap((code) =>
			['E1', 'E2'].map((id) => ({ about: 'A repeat', exchange: exchangeOf(id, 409, { code }) })),
		);
		const choice = chooseCodes(repeats, [], [], '');
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
		const stated = fc.constantFrom('', '409', 'TX-1', '"is wrong", 409', 'TX-9');
		fc.assert(
			fc.property(reply, reply, reply, stated, ([status, repeat], refusal, other, codes) => {
				const repeats = ['E1', 'E2'].map((id) => ({
					about: 'A repeat',
					exchange: exchangeOf(id, status, repeat),
				}));
				const refused = [exchangeOf('E3', ...refusal)];
				const choice = chooseCodes(repeats, refused, [exchangeOf('E1', ...other)], codes);
				const outcomeOf = (attempt: Attempt) =>
					readAttempt(attempt, choice.entries.join(', ')).says.outcome;
				expect(refused.map(outcomeOf)).not.toContain('duplicate');
				for (const { exchange } of repeats) {
					const isUncovered = choice.uncovered.some((one) => one.exchange === exchange);
					const isRecorded = outcomeOf(exchange) === 'duplicate';
					expect(isRecorded).toBe(status !== 403 && !isUncovered);
				}
			}),
			{ numRuns: propertyRuns(10_000) },
		);
	});
});

describe('what was stated', () => {
	const TX: Reply = [409, { fehler: { code: 'TX-4711' } }];
	const LIMIT: Reply = [409, { fehler: { code: 'TX-4800' } }];

	test.each([
		['TX-9999', 'TX-9999, TX-4711', /TX-9999 was entered, but no answer had it/],
		['"bereits verbucht"', '"bereits verbucht", TX-4711', /"bereits verbucht" was entered, but no/],
		['409', 'TX-4711', /Take 409 out, because a transaction that is refused can count/],
		['TX-4800', 'TX-4711', /Take TX-4800 out/],
	])('%s is named', async (stated, expected, reason) => {
		const replies = { repeat: () => TX, invalid: LIMIT };
		const { verdict, codes, says } = await checkReplies(replies, stated);
		expect([verdict, codes]).toEqual(['fitsIfSet', expected]);
		expect(says).toMatch(reason);
	});

	test('what the node recognizes anyway is not missed', async () => {
		const known: Reply = [409, { errorCode: 'EVENT_ALREADY_EXISTS' }];
		const { verdict, says } = await checkReplies({ repeat: () => known }, 'EVENT_ALREADY_EXISTS');
		expect(verdict).toBe('fits');
		expect(says).not.toMatch(/was entered/);
	});

	test('409 goes if the service has a code', async () => {
		const { codes, says } = await checkReplies({ repeat: () => TX }, '409');
		expect(codes).toBe('TX-4711');
		expect(says).toMatch(/Take 409 out, because a transaction that is refused can count/);
	});

	test('an entry that is right fits, and is in the verdict', async () => {
		const { verdict, says } = await checkReplies({ repeat: () => TX, invalid: LIMIT }, 'TX-4711');
		expect(verdict).toBe('fits');
		expect(says).toMatch(/It fits\.\nThis is with .*: TX-4711\n/);
	});
});

describe('a refusal with a success status does not fit', () => {
	test.each<[string, object, object]>([
		['with a code', { code: 'OK' }, { code: 'PARAMS_INVALID' }],
		['with a number', { ResponseCode: '0' }, { ResponseCode: '1' }],
		['with a word', { resultado: 'ACEPTADO' }, { resultado: 'RECHAZADO' }],
		['in a member', { id: 'T-1' }, { validation: { passed: false } }],
	])('%s', async (_, yes, no) => {
		const { verdict, says } = await checkReplies({
			repeat: () => [409, { errorCode: 'EVENT_ALREADY_EXISTS' }],
			created: [200, yes],
			invalid: [200, no],
		});
		expect(verdict).toBe('doesntFit');
		expect(says).toMatch(/an amount that is no number ends as created/i);
	});
});
