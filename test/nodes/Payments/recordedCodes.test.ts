import { parseRecordedCodes } from '../../../nodes/Payments/recordedCodes';
import { fc } from '../../support/properties';

const code = (text: string) => ({ text, isPart: false });
const part = (text: string) => ({ text, isPart: true });

test.each([
	[undefined, []],
	['  ', []],
	[' A ,B.c-d, Idempotency violation', [code('A'), code('B.c-d'), code('Idempotency violation')]],
	[409, [code('409')]],
	['A, "exists, already" ,409', [code('A'), part('exists, already'), code('409')]],
	// What is between the quotes stays as it is.
	['" already exists."', [part(' already exists.')]],
	["can't be used twice", [code("can't be used twice")]],
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
	expect(problem?.fix).toMatch(/Correct it in the credential.*Nothing is sent until then/);
});

test('an entry is what was written, or the field is refused', () => {
	const texts = fc.string({ unit: fc.constantFrom(...'aB1_ ",\'.“'), maxLength: 12 });
	fc.assert(
		fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (written) => {
			const { value } = parseRecordedCodes(written.join(','));
			for (const { text, isPart } of value ?? []) {
				expect(written.join(',')).toContain(isPart ? `"${text}"` : text);
				expect(text).not.toContain('"');
				expect(text).toMatch(/[\p{L}\p{N}]/u);
			}
		}),
	);
});
