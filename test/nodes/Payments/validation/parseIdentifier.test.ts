import type { Field } from '../../../../nodes/Payments/Transaction';
import { canonical } from '../../../../nodes/Payments/eventId';
import { parseIdentifier } from '../../../../nodes/Payments/validation/parse';
import type { ValidationRules } from '../../../../nodes/Payments/validation/validate';
import { asSentences } from '../../../../nodes/shared/result';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';

const RULES: ValidationRules = { timeZone: 'UTC' };

const IDENTIFIERS: Field[] = [
	'externalId',
	'externalStatus',
	'eventId',
	'sender.externalEntityId',
	'sender.externalPaymentChannelId',
	'recipient.externalEntityId',
	'recipient.externalPaymentChannelId',
];

describe.each(IDENTIFIERS)('%s', (field) => {
	const problemsOf = (text: string) => validateItem(sampleInput({ [field]: text }), RULES).problems;

	test.each<[text: string, words: RegExp]>([
		// Characters that a service, or a person, takes for others, or for none.
		['INV-\ud83d', /"INV-\[U\+D83D\]".*half of a character.*Cut the text between/],
		['INV-\ud83e', /\[U\+D83E\].*half of a character/],
		['\udc00INV', /\[U\+DC00\].*half of a character/],
		['INV-\ufffd', /encoding.*UTF-8/],
		['INV\u200b7', /"INV\[U\+200B\]7".*invisible.*Remove/],
		['INV-7\u00ad', /\[U\+00AD\].*invisible/],
		['\u202eINV-7', /\[U\+202E\].*invisible/],
		['INV\n7', /line break.*CLEAN/],
		['INV\t7', /tab/],
		['INV\u00007', /invisible/],
		['INV\u00857', /line break/],
		['\u200b', /invisible/],
		['INV  7', /two blanks.*TRIM/],
		['INV\u00a07', /"INV\[U\+00A0\]7".*blank of another width/],
		['INV\u30007', /blank of another width/],
		['INV\u20287', /blank of another width/],
		// What isn't the value.
		['INV-{{ $json.no }}', /braces.*Expression/],
		['{{', /braces/],
		['[object Object]', /object.*Choose a value/],
		['INV-[object Object]', /object/],
		['#N/A', /"#N\/A".*placeholder.*formula/],
		['#n/a', /placeholder/],
		['#REF!', /placeholder/],
		['#DIV/0!', /placeholder/],
		['#NAME?', /placeholder/],
		['#WERT!', /placeholder/],
		['#NV', /placeholder/],
		['########', /placeholder/],
		['Err:502', /placeholder/],
		['NULL', /placeholder/],
		['null', /placeholder/],
		['(null)', /placeholder/],
		['\\N', /placeholder/],
		['nan', /placeholder/],
		['NaN', /placeholder/],
		['undefined', /placeholder/],
		['Invalid DateTime', /placeholder/],
		['n/a', /placeholder/],
		// A spreadsheet's forms of numbers.
		['2.02611E+11', /short form.*format the column as text/],
		['1E+20', /short form/],
		['9.99999999999999E+307', /short form/],
		["'00123", /apostrophe.*Remove/],
		["'7", /apostrophe/],
		['="00123"', /formula.*between the quotation marks/],
		['=""', /formula/],
	])('%j is invalid', (text, words) => {
		for (const given of [text, ` ${text}\n`]) {
			const problems = problemsOf(given)!;
			expect(problems).toHaveLength(1);
			expect(problems[0].field).toBe(field);
			expect(asSentences(problems[0])).toMatch(words);
		}
	});

	test.each([
		"'s-Gravenhage-12",
		"'7a",
		'INV-2026-0042',
		'#42',
		'#',
		'N°7 & Co. (b)/{x}',
		'Nanette',
		'null-1',
		'Mu\u0308ller',
		'2E11',
		'2.02611e+11',
		'12.5E+11',
		'1E+5',
		'1E10',
		'="a',
		'=a1',
		'E+11',
		'00123',
		'0',
		'工資-2026-11',
		'🧾-7',
		'none',
		'[object]',
	])('%j is right', (text) => expect(problemsOf(text)).toBeUndefined());
});

test('a whole number of a spreadsheet becomes text, and a long one must be text', () => {
	expect(parseIdentifier(202611000000)).toEqual({ value: '202611000000' });
	expect(parseIdentifier(2.02611e21).problem?.fix).toContain('format the column as text');
});

describe.each<Field>(['reference', 'paymentScheme'])('%s is free text', (field) => {
	test.each([
		'INV\u200b7',
		'a  b\u00a0c\nd',
		'#N/A',
		'2.02611E+11',
		'{{ x }}',
		'\ufffd',
		'Gift 😀',
	])('%j is right', (text) =>
		expect(validateItem(sampleInput({ [field]: text }), RULES).problems).toBeUndefined(),
	);

	test.each(['Gift 😀'.slice(0, 6), '\ude00 Gift', 'Gift \ud83d Co'])(
		'%j has half of a character, which UTF-8 cannot have',
		(text) => {
			const [problem, ...others] = validateItem(sampleInput({ [field]: text }), RULES).problems!;
			expect(others).toEqual([]);
			expect(problem.field).toBe(field);
			expect(asSentences(problem)).toMatch(/half of a character.*Cut the text/);
		},
	);
});

test('two External IDs have one Event ID only if they are equal, trimmed and in form C', () => {
	const eventIdOf = (externalId: string) =>
		validateItem(sampleInput({ externalId, eventId: '' }), RULES).transaction?.eventId;
	const pieces = fc.constantFrom(
		...['INV', '-', '7', 'é', 'e\u0301', 'Å', '\u212b', 'A\u030a', '가', '\u1100\u1161', '😀'],
		...[' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u2028', '\u0085', '\u001c'],
		...['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u{e0041}', '\ufe0f'],
		...['\ud83d', '\ude00', '\ufffd', '#N/A', 'null', "'", '="', '"', 'E+11', '{{', '\u0000'],
	);
	const text = fc.oneof(
		fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
		fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
		fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
	);
	/** Another way to write the same or nearly the same text. */
	const respelled = (one: string) =>
		fc.oneof(
			fc.constantFrom(one.normalize('NFD'), one.normalize('NFC'), one.normalize('NFKC')),
			pieces.map((piece) => one + piece),
			pieces.map((piece) => piece + one),
			fc
				.tuple(fc.nat({ max: one.length }), pieces)
				.map(([at, piece]) => one.slice(0, at) + piece + one.slice(at)),
			fc.constantFrom(one.toUpperCase(), one.replace(/\s+/g, ' '), one.replace(/\p{Cf}/gu, '')),
		);
	const pair = text.chain((one) => fc.tuple(fc.constant(one), fc.oneof(respelled(one), text)));
	const seen = { same: 0, two: 0, refused: 0 };
	fc.assert(
		fc.property(pair, ([one, other]) => {
			const [first, second] = [eventIdOf(one), eventIdOf(other)];
			if (first === undefined || second === undefined) seen.refused++;
			else {
				const isSame = canonical(one) === canonical(other);
				seen[isSame ? 'same' : 'two']++;
				expect(first === second).toBe(isSame);
			}
		}),
		{ numRuns: propertyRuns(10_000, 1000) },
	);
	// The generator must reach all three, or the property says nothing.
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('no ID of hexadecimal digits, base 32, or as a ULID is refused, nor any word with a number', () => {
	const stringOf = (characters: string, minLength: number, maxLength = minLength) =>
		fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
	const hex = fc.oneof(
		stringOf('0123456789abcdef', 8, 64),
		stringOf('0123456789ABCDEF', 8, 64),
		fc.uuid(),
	);
	const base32 = stringOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 8, 52);
	const ulid = stringOf('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26);
	// What a spreadsheet's short form looks like, but for the plus sign.
	const digitsAndE = stringOf('0123456789E', 4, 24);
	const name = fc
		.tuple(
			fc.constantFrom("'s-Gravenhage", "'t Hoen", 'Nan', 'Null', 'O’Brien', 'd’Été', '#'),
			fc.nat(),
		)
		.map(([word, number]) => `${word}-${number}`);
	fc.assert(
		fc.property(fc.oneof(hex, base32, ulid, digitsAndE, name), (id) => {
			if (parseIdentifier(id).value !== id) throw new Error(parseIdentifier(id).problem?.message);
		}),
		{ numRuns: propertyRuns(100_000, 10_000) },
	);
});
