import { spawnSync } from 'node:child_process';

import { identityText } from '../../../../nodes/Payments/validation/identity';
import { generateEventId, nameBasedUuid } from '../../../../nodes/Payments/validation/eventId';
import type { ValidationRules } from '../../../../nodes/Payments/validation/validate';
import { matchColumns } from '../../../../nodes/Payments/input/columns';
import { validateItems } from '../../../../nodes/Payments/validation/validateItems';
import { SAMPLE, sampleInput, validateItem } from '../../../support/builders/transactions';
import { fc, propertyRuns } from '../../../support/properties';
import { normalizationTest } from '../../../fixtures/normalizationTest';
import { read } from '../../../support/sourceTexts';

const RULES: ValidationRules = { now: 1_763_700_000_000, timeZone: 'Europe/Berlin' };

const eventIdOf = (changes: Record<string, unknown>) =>
	validateItem(sampleInput({ eventId: '', ...changes }), RULES).transaction!.eventId;

describe('the generated Event ID', () => {
	test('stays the same in every version', () => {
		// Calculated with another implementation of RFC 9562 (Python's uuid.uuid5) over the name that
		// docs/idempotency.md describes.
		expect(eventIdOf({})).toBe('fd27e413-ad5b-5b61-b428-d318ce4c7366');
	});

	test.each([
		[{ externalCreatedAt: 1748432324999 }],
		[{ receivedAt: '' }],
		[{ amount: '2501' }],
		[{ amount: 2501 }],
		[{ amount: '02501.0' }],
		[{ baseAmount: '' }],
		[{ baseAmount: '2411.77' }],
		[{ currency: 'eur' }],
		[{ externalStatus: '  ' }],
		[{ extra: 'column' }],
		[{ paymentScheme: 'sct' }],
		[{ reference: 'Invoice #2025-0042' }],
		[{ reference: 'the invoice of May' }],
		[{ externalId: `\u00a0${SAMPLE.externalId}\u200b` }],
	])('is the same with %p', (changes) => expect(eventIdOf(changes)).toBe(eventIdOf({})));

	test.each([
		' Invoice\u00a02025-0042',
		'Invoice  2025-0042\u200b',
		'In\u00advoice 2025-0042\u2060',
		'Invoice\t2025-0042',
	])('is the same with the External ID %j', (externalId) =>
		expect(eventIdOf({ externalId })).toBe(eventIdOf({ externalId: 'Invoice 2025-0042' })),
	);

	test.each([
		[{ amount: '2501.01' }],
		[{ amount: '25010' }],
		[{ currency: 'SEK' }],
		[{ externalId: 'other' }],
		[{ externalStatus: 'settled' }],
		[{ paymentScheme: 'SEPA' }],
		[{ 'sender.externalEntityId': 'other' }],
		[{ 'sender.externalPaymentChannelId': 'other' }],
		[{ 'sender.countryCode': 'DE' }],
		[{ 'recipient.externalEntityId': 'other' }],
		[{ 'recipient.externalPaymentChannelId': 'other' }],
		[{ 'recipient.countryCode': 'DE' }],
	])('is another one with %p', (changes) => expect(eventIdOf(changes)).not.toBe(eventIdOf({})));

	test.each([
		['10.50', '10.5', true],
		['10.500', '010.5', true],
		['0010.5', '10.5', true],
		['10.0', '10', true],
		['0.5', '00.50', true],
		['0', '00.00', true],
		['10.5', '10.6', false],
		['10.5', '10.05', false],
		['10.5', '1.05', false],
		['10.5', '100.5', false],
		['0.5', '5', false],
	])('amounts of %s and %s have the same one: %p', (one, other, isSame) => {
		const [first, second] = [one, other].map((amount) => generateEventId({ ...SAMPLE, amount }));
		expect(first === second).toBe(isSame);
	});

	test('is a UUID of version 5', () => {
		// RFC 9562, appendix A.4.
		expect(nameBasedUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
			'2ed6657d-e927-568b-95e1-2665a8aea6a2',
		);
		expect(eventIdOf({})).toMatch(
			/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
		);
	});
});

describe('the same text from two systems', () => {
	test.each(normalizationTest)('%s: %j and %j', (_, source, nfc) => {
		expect(identityText(source)).toBe(identityText(nfc));
		const [one, other] = [source, nfc].map((externalId) => eventIdOf({ externalId }));
		expect(one).toBe(other);
	});

	test('text of invisible characters alone is empty', () => {
		const { problems } = validateItem(sampleInput({ reference: '\u200b\u2060 ' }), RULES);
		expect(problems).toMatchObject([{ field: 'reference', isEmpty: true }]);
	});

	test('what is sent stays as it is', () => {
		const reference = 'Mu\u0308ller  &\u00a0Co\u200b';
		expect(validateItem(sampleInput({ reference }), RULES).transaction?.reference).toBe(reference);
	});
});

describe('the recipe of docs/idempotency.md in Python gives the same IDs', () => {
	const recipe = /```python\n([^]*?)```/.exec(read('docs/idempotency.md'))![1];
	const hasPython = spawnSync('python3', ['--version']).status === 0;
	const inPython = (payments: unknown[]): string[] => {
		const program = `${recipe}\nimport sys\nprint(json.dumps([event_id(p) for p in json.load(sys.stdin)]))`;
		const { stdout, stderr } = spawnSync('python3', ['-c', program], {
			input: JSON.stringify(payments),
			encoding: 'utf8',
		});
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout) as string[];
	};
	// On a machine without Python, the vector above holds the ID that the recipe gave.
	(hasPython ? test : test.skip)('for whatever text', () => {
		// Python may know another version of Unicode, so only characters that all versions agree on.
		const characters = [
			...'aZß9é\u0301\u0308\u0323ㅎ각\u00a0\u2009\u3000\u0085\t \u00ad\u200b\u2060\ufeff"\\/Ω€😀',
		];
		const text = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 });
		const payments = fc.sample(
			fc.record({
				externalId: text,
				paymentScheme: text,
				amount: fc.constantFrom('1', '010.50', '0.10'),
			}),
			200,
		);
		const all = [...normalizationTest.map(([, externalId]) => ({ externalId })), ...payments].map(
			(changes) => ({ ...SAMPLE, ...changes }),
		);
		const ids = inPython(all);
		expect(all.filter((payment, index) => ids[index] !== generateEventId(payment))).toEqual([]);
	});
});

describe('properties of the generated Event ID', () => {
	const text = fc
		.string({ unit: 'binary', minLength: 1, maxLength: 20 })
		.filter((value) => identityText(value) !== '');
	const cents = fc.bigInt({ min: 1n, max: 10n ** 14n });
	const timestamp = fc.integer({ min: 1e11, max: 9_999_999_999_999 });
	const payment = fc.record({
		externalId: text,
		externalStatus: fc.oneof(fc.constant(null), text),
		currency: fc.constantFrom('EUR', 'USD', 'GBP'),
		paymentScheme: text,
		'sender.externalEntityId': text,
		'sender.externalPaymentChannelId': text,
		'sender.countryCode': fc.constantFrom('DE', 'DK', 'FR'),
		'recipient.externalEntityId': text,
		'recipient.externalPaymentChannelId': text,
		'recipient.countryCode': fc.constantFrom('DE', 'DK', 'FR'),
	});
	/** What may differ when the same payment is retried. */
	const circumstances = fc.record({
		baseAmount: fc.oneof(fc.constant(''), fc.nat().map(String)),
		externalCreatedAt: timestamp,
		receivedAt: timestamp,
		reference: text,
	});
	/** The same amount in the forms that a source may give it. */
	const formatted = (hundredths: bigint) => {
		const decimals = (hundredths % 100n).toString().padStart(2, '0');
		const plain = `${hundredths / 100n}.${decimals}`;
		const short = plain.replace(/\.?0+$/, '');
		return fc.constantFrom(plain, short, `0${plain}`, `000${plain}`, ` ${plain} `);
	};

	test('the same payment with another reference, base amount, amount format, and other times has one ID', () => {
		const samePaymentTwice = cents.chain((amount) =>
			fc.tuple(payment, circumstances, circumstances, formatted(amount), formatted(amount)),
		);
		fc.assert(
			fc.property(samePaymentTwice, ([fields, once, again, amount, sameAmount]) => {
				const first = eventIdOf({ ...fields, ...once, amount });
				const second = eventIdOf({ ...fields, ...again, amount: sameAmount });
				expect(second).toBe(first);
			}),
			{ numRuns: propertyRuns(2000) },
		);
	});

	test('a payment that differs in one identifying field has another ID', () => {
		const twoPayments = fc.tuple(payment, payment, cents, cents);
		fc.assert(
			fc.property(twoPayments, ([fields, others, amountInCents, otherInCents]) => {
				const original: Record<string, unknown> = { ...fields, amount: `${amountInCents}` };
				const replacements = { ...others, amount: `${otherInCents}` };
				for (const [field, value] of Object.entries(replacements)) {
					const normalize = (given: unknown) =>
						typeof given === 'string' ? identityText(given).toUpperCase() : given;
					if (normalize(value) === normalize(original[field])) continue;
					const changed = { ...original, [field]: value };
					expect(eventIdOf(changed)).not.toBe(eventIdOf(original));
				}
			}),
			{ numRuns: propertyRuns(300) },
		);
	});
});

test.each([
	['the same generated Event ID', '', 'externalId', 'External ID'],
	['the same Event ID of their own', 'e-1', 'eventId', 'Event ID'],
])('two items with %s are a problem of the later one', (_, eventId, field, fix) => {
	const inputs = [
		matchColumns(sampleInput({ eventId })),
		matchColumns(sampleInput({ eventId: '', amount: '1' })),
		matchColumns(sampleInput({ eventId, baseAmount: '7' })),
	];
	const [first, second, third] = validateItems(inputs, RULES);
	expect([first.problems, second.problems]).toEqual([undefined, undefined]);
	expect(third.problems).toEqual([
		{
			field,
			message: expect.stringContaining('item 0') as string,
			fix: expect.stringContaining(fix) as string,
		},
	]);
});
