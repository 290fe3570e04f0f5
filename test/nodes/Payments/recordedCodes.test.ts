import { parseRecordedCodes } from '../../../nodes/Payments/recordedCodes';
import { fc } from '../../support/properties';

test.each([
	[undefined, []],
	['  ', []],
	[' A ,B.c-d, Idempotency violation', ['A', 'B.c-d', 'Idempotency violation']],
	[409, ['409']],
	// A text with a comma.
	['A, "It exists, already." ,409', ['A', 'It exists, already.', '409']],
	['"already exists"', ['already exists']],
	["can't be used twice", ["can't be used twice"]],
])('%j is %j', (field, entries) => expect(parseRecordedCodes(field).value).toEqual(entries));

test.each([
	['A,,B', /entry 2 is empty/],
	['A, ', /entry 2 is empty/],
	['A, -', /entry 2, "-", has no letter/],
	['""', /entry 1, .* has no letter/],
	['"already exists', /entry 1, .*straight double quotes/],
	['A, already exists"', /entry 2, .*straight double quotes/],
	// The comma is in the quotes that aren't closed.
	['A, "b, c', /entry 2, ""b, c", .*straight double quotes/],
	['"a" b', /entry 1, .*straight double quotes/],
	['A, „gibt es schon“', /entry 2, .*straight double quotes/],
	["'already exists'", /entry 1, .*straight double quotes/],
	[true, /isn't text/],
])('%j is refused, because %s', (field, because) => {
	const { problem } = parseRecordedCodes(field);
	expect(problem?.message).toMatch(/'Codes for Recorded Already' in the credential/);
	expect(problem?.message).toMatch(because);
	expect(problem?.fix).toMatch(/Correct it in the credential/);
});

test('an entry is what was written, or the field is refused', () => {
	const texts = fc.string({ unit: fc.constantFrom(...'aB1_ ",\'.“'), maxLength: 12 });
	fc.assert(
		fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (written) => {
			const { value } = parseRecordedCodes(written.join(','));
			for (const text of value ?? []) {
				expect(written.join(',')).toContain(text);
				expect(text).not.toContain('"');
				expect(text).toMatch(/[\p{L}\p{N}]/u);
			}
		}),
	);
});
