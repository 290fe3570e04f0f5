import { readResponse } from '../../../../../nodes/Payments/sending/attempt';
import documented from '../../../../fixtures/documentedResponses.json';
import { SAMPLE } from '../../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../../support/properties';

/*
 * Response bodies from the documentation of public payment APIs, each with its source. `meaning` is
 * what that documentation says it means; where `ours` differs, the node leaves more open than the
 * documentation does, and never less. `{eventId}` stands for the idempotency key. Bodies that are
 * documented with another status (`documentedStatus`) are judged as if they came with 409.
 */

const EVENT_ID = '5609c570-3b45-4bec-a326-9d50ee465156';
const DECLINED = ['rejected', 'unknown'];

const withEventId = (body: unknown): unknown =>
	JSON.parse(JSON.stringify(body).replaceAll('{eventId}', EVENT_ID));

/** `unknown`, too, for a 409 after which the node retries. */
function outcomeOf(status: number, body: unknown): string {
	const attempt = readResponse(
		{ status, headers: {}, body },
		{ ...SAMPLE, eventId: EVENT_ID },
		{ url: '', retryUnknownOutcome: false, isSilentConflictRecorded: false },
	);
	if (attempt.kind === 'recorded') return 'duplicate';
	return attempt.kind === 'created' ? 'created' : attempt.result.outcome;
}

test.each(documented.map((row) => [row.api, JSON.stringify(row.body), row] as const))(
	'%s: %s',
	(_api, _body, { status, body, meaning, ours }) => {
		expect(outcomeOf(status, withEventId(body))).toBe(ours);
		if (DECLINED.includes(meaning)) expect(['duplicate', 'created']).not.toContain(ours);
	},
);

test('there are at least 60 of them, with sources', () => {
	expect(documented.length).toBeGreaterThanOrEqual(60);
	expect(documented.every(({ source }) => source.length > 10)).toBe(true);
});

describe('409 bodies of words of payments and compliance', () => {
	const WORDS =
		'payment payments prevention prevented preventive eventual account already blocked closed exist exists existing limit rule compliance sanctions duplicate conflict fraud risk review funds insufficient balance reference external amount currency scheme sender recipient beneficiary payee wallet card iban bank customer kyc aml screening declined rejected in use used processed received recorded is was has been the a with same and or not cannot resource request invalid state'.split(
			' ',
		);
	const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
	const code = sentence.map((words) => words.slice(0, 4).join('_').toUpperCase());
	const bodies = fc.oneof(
		fc.record({ errorCode: code, message: sentence.map((words) => words.join(' ')) }),
		fc.record({ error: fc.record({ code, message: sentence.map((words) => words.join(' ')) }) }),
		fc.record({ message: sentence.map((words) => words.join(' ')) }),
		sentence.map((words) => words.join(' ')),
		fc.record({
			errorCode: code,
			warnings: fc.array(
				fc.record({
					position: fc.constantFrom('amount', 'externalId', 'sender.externalEntityId', 'reference'),
					issue: sentence.map((words) => words.join(' ')),
				}),
				{ minLength: 1, maxLength: 2 },
			),
		}),
	);
	test('that name neither event, key, nor transaction: none is a duplicate', () => {
		fc.assert(
			fc.property(bodies, (body) => {
				expect(outcomeOf(409, body)).not.toBe('duplicate');
			}),
			{ numRuns: propertyRuns(10_000) },
		);
	});
});
