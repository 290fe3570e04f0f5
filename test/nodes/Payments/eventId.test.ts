import { spawnSync } from 'node:child_process';

import { canonical, generateEventId, nameBasedUuid } from '../../../nodes/Payments/eventId';
import { parseIdentifier } from '../../../nodes/Payments/validation/parse';
import { SAMPLE, sampleInput, validateItem } from '../../support/builders/transactions';
import { fc, propertyRuns } from '../../support/properties';
import { normalizationTest } from '../../fixtures/normalizationTest';
import { read } from '../../support/sourceTexts';

const RULES = { timeZone: 'Europe/Berlin' };

const eventIdOf = (changes: Record<string, unknown>) =>
	validateItem(sampleInput({ eventId: '', ...changes }), RULES).transaction!.eventId;

type Parts = [externalId: string, status: string | null, sender: string, recipient: string];

const eventIdOfParts = ([externalId, externalStatus, sender, recipient]: Parts) =>
	generateEventId({
		externalId,
		externalStatus,
		sender: { externalEntityId: sender },
		recipient: { externalEntityId: recipient },
	});

const docs = read('docs/idempotency.md');
const { eventIds, refused, right } = JSON.parse(read('docs/event-ids.json')) as {
	eventIds: string[][];
	refused: string[];
	right: string[];
};
const vectors = eventIds.map((row) => [row.slice(0, 4), row[4]] as unknown as [Parts, string]);

describe('the generated Event ID stays the same in every version', () => {
	// Calculated with other implementations of RFC 9562: Python's uuid.uuid5, and uuid_generate_v5 of
	// PostgreSQL.
	test.each([
		...vectors,
		[
			[SAMPLE.externalId, null, SAMPLE.sender.externalEntityId, SAMPLE.recipient.externalEntityId],
			'8cad62df-1bcc-562e-9848-21bf3ee4b0cb',
		] as [Parts, string],
	])('%j: %s', (parts, eventId) => expect(eventIdOfParts(parts)).toBe(eventId));

	test('for a whole item', () =>
		expect(eventIdOf({})).toBe('8cad62df-1bcc-562e-9848-21bf3ee4b0cb'));

	test('RFC 9562, appendix A.4', () =>
		expect(nameBasedUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
			'2ed6657d-e927-568b-95e1-2665a8aea6a2',
		));
});

test('the docs have texts that are refused as an ID, and texts that are right', () => {
	expect(refused.map((text) => parseIdentifier(text).value)).toEqual(refused.map(() => undefined));
	expect(right.map((text) => parseIdentifier(text).value)).toEqual(right);
});

test.each([
	{ amount: '2600' },
	{ baseAmount: '2411.77' },
	{ currency: 'SEK' },
	{ externalCreatedAt: 1748432324999 },
	{ externalStatus: '  ' },
	{ paymentScheme: 'SEPA' },
	{ receivedAt: '' },
	{ 'recipient.countryCode': 'DE' },
	{ 'recipient.externalPaymentChannelId': 'other' },
	{ reference: 'the invoice of May' },
	{ 'sender.countryCode': 'DE' },
	{ 'sender.externalPaymentChannelId': 'other' },
	{ externalId: `\u00a0${SAMPLE.externalId}\ufeff\n` },
])('a row that is corrected is the same transaction: %j', (changes) =>
	expect(eventIdOf(changes)).toBe(eventIdOf({})),
);

test.each(normalizationTest)('from two systems, %s is the same text', (_, source, nfc) => {
	expect(eventIdOf({ externalId: source })).toBe(eventIdOf({ externalId: nfc }));
	expect(eventIdOf({ externalStatus: source })).toBe(eventIdOf({ externalStatus: nfc }));
});

test('what is sent is trimmed, and otherwise stays as it is', () => {
	const changes = {
		reference: ' Mu\u0308ller  &\u00a0Co\u200b. ',
		externalId: '\u00a0Mu\u0308ller 7\ufeff',
		eventId: ' A\u030a ',
	};
	expect(validateItem(sampleInput(changes), RULES).transaction).toMatchObject({
		reference: 'Mu\u0308ller  &\u00a0Co\u200b.',
		externalId: 'Mu\u0308ller 7',
		eventId: 'A\u030a',
	});
});

// On a machine without Python, the vectors hold the IDs that the recipe gave.
const hasPython = spawnSync('python3', ['--version']).status === 0;
(hasPython ? test : test.skip)('the recipe of the docs in Python gives the same IDs', () => {
	// Python may know another version of Unicode, so only characters that all versions agree on.
	const characters = [
		...'aZß9é\u0301\u0308\u0323ㅎ각\u00a0\u2009\u3000\u0085\u001c\n\t \u00ad\u200b\u2060\ufeff"\\/Ω€😀',
	];
	const text = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 });
	const random = fc.sample(fc.tuple(text, fc.option(text), text, text), 200);
	const all: Parts[] = [...vectors.map(([parts]) => parts), ...random];
	const [, recipe] = /```python\n([^]*?)```/.exec(docs)!;
	const program = `${recipe}\nimport json\nimport sys\nprint(json.dumps([event_id(*p) for p in json.load(sys.stdin)]))`;
	const { stdout } = spawnSync('python3', ['-c', program], {
		input: JSON.stringify(all),
		encoding: 'utf8',
	});
	expect(JSON.parse(stdout)).toEqual(all.map(eventIdOfParts));
});

test('transactions that differ in one part have two IDs, whatever the texts are', () => {
	const text = fc
		.string({ unit: 'binary', minLength: 1, maxLength: 20 })
		.filter((value) => parseIdentifier(value).problem === undefined);
	const parts = fc.tuple(text, fc.option(text), text, text);
	fc.assert(
		fc.property(parts, parts, (one, other) => {
			for (const [index, part] of other.entries()) {
				if (canonical(part ?? '') === canonical(one[index] ?? '')) continue;
				expect(eventIdOfParts(one.with(index, part) as Parts)).not.toBe(eventIdOfParts(one));
			}
			const [id, , sender, recipient] = one;
			if (canonical(id) !== canonical(other[0]))
				expect(eventIdOfParts([id, other[0], sender, recipient])).not.toBe(
					eventIdOfParts([other[0], id, sender, recipient]),
				);
		}),
		{ numRuns: propertyRuns(1000) },
	);
});

describe('an ID that a tool writes otherwise on another day is the same transaction, or refused', () => {
	const eventIdIfValid = (externalId: unknown) =>
		validateItem(sampleInput({ eventId: '', externalId }), RULES).transaction?.eventId;
	const exponent = (digits: number, sign: string) => (text: string) =>
		Number(text).toExponential(digits).replace('e+', sign);
	/** Exponents have at least two digits. */
	const padded = (text: string) => text.replace(/([eE]\+)(\d)$/, '$10$2');
	/** Ways to write a whole number. A tool that groups thousands writes another text: `1,001`. */
	const OF_NUMBERS: Record<string, (text: string) => unknown> = {
		'text, as typed': (text) => text,
		"a number, of n8n's Google Sheets and of XLSX": Number,
		'pandas, beside an empty cell; SQLite, real': (text) => `${text}.0`,
		'pandas, decimal=","': (text) => `${text},0`,
		'pandas, float_format="%.3f"; Access; SQL Server, decimal': (text) => `${text}.000`,
		'pandas, float_format="%g"': (text) => padded(exponent(5, 'e+')(text)),
		'R, and PostgreSQL float8, shortest': (text) => padded(exponent(0, 'e+')(text)),
		'Excel, a narrow column': (text) => padded(exponent(5, 'E+')(text)),
		'Excel and LibreOffice with a decimal comma': (text) =>
			padded(exponent(2, 'E+')(text)).replace('.', ','),
		'SQL Server, float as text': (text) => exponent(5, 'e+0')(text),
		'Excel, text that was marked': (text) => `'${text}`,
		'Excel, a formula for text': (text) => `="${text}"`,
		'with blanks around it, of fixed width': (text) => `  ${text}\u00a0`,
		'behind a byte order mark': (text) => `\ufeff${text}`,
		'with a line break in the cell': (text) => `${text.slice(0, 1)}\n${text.slice(1)}`,
	};
	const OF_TEXTS: Record<string, (text: string) => unknown> = {
		'macOS, and services on it': (text) => text.normalize('NFD'),
		'in form C': (text) => text.normalize('NFC'),
		'with blanks around it': (text) => `\t${text} `,
		'with a blank that does not break': (text) => text.replaceAll(' ', '\u00a0'),
		'with a hyphen that nobody sees': (text) => text.replace('-', '-\u00ad'),
		// UTF-8 that is read as Latin-1 is another text, and nobody can tell.
		'Latin-1, read as UTF-8': (text) => text.replace(/[^ -~]/g, '\ufffd'),
		'cut by bytes': (text) => Buffer.from(text).subarray(0, -1).toString('utf8') + '\ufffd',
	};
	const number = fc.oneof(
		fc.integer({ min: 1, max: 99_999 }),
		fc.integer({ min: 1e5, max: 1e15 }),
		fc.nat({ max: 15 }).map((zeros) => 10 ** zeros),
	);
	const word = fc.constantFrom('Müller', 'Société', 'Œuvre', 'INV', 'Ångström & Co', '工資');
	const nightly = { numRuns: propertyRuns(10_000, 500) };

	test('a whole number', () => {
		const seen = { same: 0, refused: 0 };
		fc.assert(
			fc.property(number.map(String), fc.constantFrom(...Object.keys(OF_NUMBERS)), (id, tool) => {
				const written = OF_NUMBERS[tool](id);
				const eventId = eventIdIfValid(written);
				seen[eventId === undefined ? 'refused' : 'same']++;
				if (eventId !== undefined)
					expect({ written, eventId }).toEqual({ written, eventId: eventIdOf({ externalId: id }) });
			}),
			nightly,
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
	});

	test('a text', () => {
		const id = fc.tuple(word, fc.nat()).map(([name, no]) => `${name} 7-${no}`);
		fc.assert(
			fc.property(id, fc.constantFrom(...Object.keys(OF_TEXTS)), (text, tool) => {
				const written = OF_TEXTS[tool](text);
				const eventId = eventIdIfValid(written);
				if (eventId !== undefined)
					expect({ written, eventId }).toEqual({
						written,
						eventId: eventIdOf({ externalId: text }),
					});
			}),
			nightly,
		);
	});
});
