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
const [rowsOfDocs, refused, right] = [...docs.matchAll(/```json\n([^]*?)```/g)].map(
	([, json]) => JSON.parse(json) as unknown,
) as [string[][], string[], string[]];
const vectors = rowsOfDocs.map((row) => [row.slice(0, 4), row[4]] as unknown as [Parts, string]);

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
