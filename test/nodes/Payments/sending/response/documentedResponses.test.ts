import { CODES, normalize } from '../../../../../nodes/Payments/sending/response/codes';
import { readErrorBody } from '../../../../../nodes/Payments/sending/response/errorBody';
import { readResponse } from '../../../../../nodes/Payments/sending/response/readResponse';
import documented from '../../../../fixtures/documentedResponses.json';
import { SAMPLE } from '../../../../support/builders/transactions';

/*
 * Responses from the documentation of public APIs, each with its source. `meaning` is what that
 * documentation says it means, `ours` what the node makes of it with a custom Event ID, and
 * `stated` what the credential states so that a repeat is a duplicate. `{eventId}` stands for the
 * idempotency key. `inProgress`: sent again, then unknown.
 */

function outcomeOf({ status, headers, body }: (typeof documented)[number], recordedCodes = '') {
	const quoted = JSON.stringify(body).replaceAll('{eventId}', SAMPLE.eventId);
	const attempt = readResponse(
		{ status, headers: headers ?? {}, body: JSON.parse(quoted) },
		{ transaction: SAMPLE, hasCustomEventId: true },
		{ retryUnknownOutcome: false, recordedCodes },
	);
	if (attempt.kind === 'recorded') return 'duplicate';
	if (attempt.kind === 'created') return 'created';
	return attempt.retryable && [409, 422].includes(status) ? 'inProgress' : attempt.result.outcome;
}

const named = documented.map((row) => [row.api, JSON.stringify(row.body), row] as const);

test.each(named)('%s: %s', (_api, _body, row) => {
	const { meaning, ours } = row;
	expect(outcomeOf(row)).toBe(ours);
	// Never more certain than its documentation, and never the opposite of it.
	if (ours === 'created' || ours === 'duplicate' || ours === 'inProgress')
		expect(meaning).toContain(ours);
	if (ours === 'rejected') expect(['rejected', 'duplicate']).toContain(meaning);
});

test.each(named.filter(([, , { stated }]) => stated !== undefined))(
	'%s: %s is a duplicate once the credential states it',
	(_api, _body, row) => {
		expect(row.meaning).toBe('duplicate');
		expect(outcomeOf(row)).not.toBe('duplicate');
		expect(outcomeOf(row, `ANOTHER_CODE, ${row.stated}`)).toBe('duplicate');
	},
);

test('a repeat that isn’t recognized can be stated', () => {
	const repeats = documented.filter(({ meaning }) => meaning === 'duplicate');
	expect(repeats.filter(({ ours, stated }) => ours !== 'duplicate' && !stated)).toEqual([]);
});

describe('the tables of codes', () => {
	const codes = Object.values(CODES).flat().map(normalize);

	test('have each code once', () => expect(new Set(codes).size).toBe(codes.length));

	test('have only codes of a response in test/fixtures/documentedResponses.json', () => {
		const inResponses = documented.flatMap(({ body, status }) => readErrorBody(body, status).codes);
		const documentedCodes = new Set(inResponses.map(normalize));
		expect(codes.filter((code) => !documentedCodes.has(code))).toEqual([]);
	});
});
