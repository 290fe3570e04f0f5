import { FIELD_TABLE, FIELDS } from '../../../../nodes/Payments/Transaction';
import { canonical } from '../../../../nodes/Payments/eventId';
import { parseIdentifier } from '../../../../nodes/Payments/validation/parse';
import { quote } from '../../../../nodes/shared/values';
import { sampleInput, validateItem } from '../../../support/builders/transactions';
import { expectProblem } from '../../../support/expectResult';
import { fc, propertyRuns } from '../../../support/properties';

const RULES = { timeZone: 'UTC' };

test.each<[words: RegExp, texts: string[]]>([
	// Characters that a service, or a person, takes for others, or for none.
	[/half of a character.*Cut the text/, ['INV-\ud83d', 'INV-\ud83e', '\udc00INV']],
	[/encoding.*UTF-8/, ['INV-\ufffd']],
	[/line break, a tab.*CLEAN/, ['INV\n7', 'INV\t7', 'INV\u00857']],
	[/invisible.*Remove/, ['INV\u200b7', 'INV-7\u00ad', '\u202eINV-7', 'INV\u00007', '\u200b']],
	[/two blanks.*TRIM/, ['INV  7']],
	[/blank of another width/, ['INV\u00a07', 'INV\u30007', 'INV\u20287']],
	// What isn't the value.
	[/braces.*Expression/, ['INV-{{ $json.no }}', '{{']],
	[/object.*Choose a value/, ['[object Object]', 'INV-[object Object]']],
	[/placeholder.*formula/, ['#N/A', '#n/a', '#NV', '#REF!', '#DIV/0!', '#NAME?', '#WERT!']],
	[/placeholder.*formula/, ['########', 'Err:502']],
	[/placeholder.*query/, ['NULL', 'null', '(null)', '\\N', 'nan', 'NaN', 'undefined', 'n/a']],
	[/placeholder.*expression/, ['Invalid DateTime']],
	[/placeholder.*another word.*prefix/, ['None', 'none', 'False', 'FALSE', 'NA', 'NaT', '<NA>']],
	// What spreadsheets and programs make of numbers.
	[/short form.*as text/, ['2.02611E+11', '1E+20', '9.99999999999999E+307']],
	[/short form.*as text/, ['1,23E+05', '1,23e+05', '2.02611e+11', '1e+05', '2.02611e+011']],
	// MariaDB, and Java from ten million on.
	[/short form.*digits/, ['1.234567890123456e15', '1.2345678E7']],
	// A part, as R pastes numbers.
	[/short form.*digits/, ['INV-1e+05', 'INV1e+05', '1e+05-7', '7-2.02611e+11/A', 'a.1e+05']],
	[/as a decimal.*prefix/, ['1001.0', '42.0', '0.0', '007.00', '1001,0']],
	[/apostrophe.*Remove.*prefix/, ["'00123", "'7"]],
	[/formula.*between the quotation marks.*prefix/, ['="00123"', '=""']],
])('no ID or status, as its problem says: %s, %j', (words, texts) => {
	for (const text of texts) {
		for (const given of [text, ` ${text}\n`]) {
			const { problem } = parseIdentifier(given);
			expectProblem(problem, words);
			expect(problem?.message).toContain(quote(text));
		}
	}
});

test.each([
	[
		'names',
		["'s-Gravenhage-12", "'7a", 'Nanette', 'null-1', 'none-1', 'Falsework', '[object]', '#42', '#'],
	],
	['signs', ['N°7 & Co. (b)/{x}', '="a', '=a1']],
	['other scripts', ['Mu\u0308ller', '工資-2026-11', '🧾-7']],
	['numbers', ['00123', '0', '2E11', '1E10', '12.5E+11', '1E+5', 'E+11', '2.02611E-11']],
	['parts', ['INV-2E11', 'INV-1.5E3', '1.5E3', '1e+05a', 'ab+1e+5']],
	['decimals', ['7.10', '1001.05', '1.0.0', 'v1.0', '1001.0-1', '-7.0', '1.001', '1,001']],
])('right: %s, %j', (_, texts) =>
	expect(texts.map((text) => parseIdentifier(text).value)).toEqual(texts),
);

test('a whole number of a spreadsheet becomes text, and a long one must be text', () => {
	expect(parseIdentifier(202611000000)).toEqual({ value: '202611000000' });
	expect(parseIdentifier(2.02611e21).problem?.fix).toContain('format the column as text');
});

test('six fields are IDs, and one is a status, so an invisible character is no empty one', () => {
	const problems = FIELDS.flatMap((field) => {
		const input = sampleInput({ [field]: '\u200b' });
		return (validateItem(input, RULES).problems ?? []).filter(({ message }) =>
			message.includes('invisible'),
		);
	});
	expect(problems.map(({ field }) => FIELD_TABLE[field!].displayName)).toEqual([
		'External ID',
		'Sender Entity ID',
		'Sender Payment Channel ID',
		'Recipient Entity ID',
		'Recipient Payment Channel ID',
		'Event ID',
		'External Status',
	]);
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
		{ numRuns: propertyRuns(10_000, 400) },
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
		{ numRuns: propertyRuns(100_000, 2000) },
	);
});
