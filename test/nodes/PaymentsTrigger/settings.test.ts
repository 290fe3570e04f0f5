import { MAX_MINUTES, readSettings } from '../../../nodes/PaymentsTrigger/settings';
import { readVerifier, verify } from '../../../nodes/PaymentsTrigger/signature/verify';
import { fc, propertyRuns } from '../../support/properties';
import { SECRET, signed } from '../../support/signed';

const DEFAULTS = { events: ['PAYMENT.CREATED'], authentication: 'webhookSignature' };
const read = (parameters: Record<string, unknown>) =>
	readSettings((name, fallback) => {
		const all: Record<string, unknown> = { ...DEFAULTS, ...parameters };
		return name in all ? all[name] : fallback;
	});
const minutesOf = (options: unknown) => {
	const { value, problem } = read({ options });
	return value ? [value.toleranceMs / 60_000, value.deduplicateMs / 60_000] : problem.message;
};

describe('the selection of event types', () => {
	test.each<[string, Record<string, unknown>, RegExp]>([
		['nothing', { events: undefined }, /'Trigger On' isn't a list/],
		['text', { events: 'PAYMENT.CREATED' }, /'Trigger On' isn't a list/],
		['a list of something else', { events: ['A', 5] }, /'Trigger On' isn't a list/],
		['an empty list', { events: [] }, /No event type/],
		['blanks', { events: ['', ' '], options: { additionalEventTypes: ' , ' } }, /No event type/],
		[
			'a list as additional ones',
			{ options: { additionalEventTypes: ['A'] } },
			/'Additional Event Types'/,
		],
	])('%s can not be read', (_, parameters, words) => {
		const { problem } = read(parameters);
		expect(problem?.message).toMatch(words);
		expect(problem?.fix).toMatch(/Select|Enter/);
	});

	test.each<[string, Record<string, unknown>, Record<string, boolean>]>([
		['those of the list', { events: ['B', 'A'] }, { A: true, B: true, C: false, '*': false }],
		['all', { events: ['*', 'A'] }, { A: true, C: true, '': true }],
		[
			'typed ones, too',
			{ events: ['A'], options: { additionalEventTypes: ' X.Y ,Z\nW' } },
			{ A: true, 'X.Y': true, Z: true, W: true, V: false, '': false },
		],
		[
			'whatever the case and outer blanks, of a selected one and of the delivered one',
			{
				events: ['PAYMENT.CREATED', ' payment.updated '],
				options: { additionalEventTypes: 'Payout.Failed,ÜBER.WEISUNG' },
			},
			{
				'payment.created': true,
				' Payment.Created\n': true,
				'PAYMENT.UPDATED': true,
				'payout.FAILED': true,
				'\u00a0über.weisung\ufeff': true,
				'PAYMENT. CREATED': false,
				'PAYMENT.CREATE': false,
				PAYMENTCREATED: false,
				'PAYMENT-CREATED': false,
			},
		],
		[
			'typed ones alone',
			{ events: [], options: { additionalEventTypes: 'X' } },
			{ X: true, A: false },
		],
		['what every object has', { events: ['A'] }, { constructor: false, __proto__: false }],
	])('%s', (_, parameters, expected) => {
		const { isSelected } = read(parameters).value!;
		for (const [name, selected] of Object.entries(expected))
			expect([name, isSelected(name)]).toEqual([name, selected]);
	});
});

test.each<[unknown, boolean]>([
	['none', false],
	['webhookSignature', true],
	['None', true],
	['', true],
	[null, true],
	[undefined, true],
])('Authentication %j: verified %p', (authentication, isVerified) =>
	expect(read({ authentication }).value?.isVerified).toBe(isVerified),
);

describe('the times', () => {
	const TOLERANCE = /'Timestamp Tolerance \(Minutes\)' isn't a number/;
	const DEDUPLICATE = /'Deduplicate \(Minutes\)' isn't a number/;

	// The window is 5 minutes longer than stated: a signature can be that much in the future.
	test.each<[object, number[]]>([
		[{}, [120, 125]],
		[{ timestampTolerance: 100 / 3 }, [100 / 3, 125]],
		[{ timestampTolerance: MAX_MINUTES }, [MAX_MINUTES, MAX_MINUTES + 5]],
		[{ deduplicate: 0 }, [120, 0]],
		[{ deduplicate: 121 }, [120, 126]],
		[{ deduplicate: MAX_MINUTES }, [120, MAX_MINUTES + 5]],
		[{ timestampTolerance: 10, deduplicate: 120 }, [10, 125]],
		[{ timestampTolerance: 200, deduplicate: 200 }, [200, 205]],
	])('%j: tolerance and window are %j', (options, minutes) =>
		expect(minutesOf(options)).toEqual(minutes),
	);

	test('the window is as long as any signature is accepted, to the millisecond', () => {
		const verifier = readVerifier({ scheme: 'messageSignature', secret: SECRET }).value!;
		const rawBody = Buffer.from('{}');
		const signedAt = Date.UTC(2026, 0, 1);
		const headers = signed(rawBody, { created: signedAt / 1000 });
		const tolerance = fc.oneof(
			fc.double({ min: 1e-6, max: MAX_MINUTES, noNaN: true }),
			fc.integer({ min: 1, max: 60_000 }).map((ms) => ms / 60_000),
		);
		fc.assert(
			fc.property(tolerance, (timestampTolerance) => {
				const deduplicate = Math.max(120, timestampTolerance);
				const { toleranceMs, deduplicateMs } = read({
					options: { timestampTolerance, deduplicate },
				}).value!;
				const isAccepted = (now: number) =>
					!verify(verifier, { rawBody, headers }, { now, toleranceMs }).problem;
				const earliest = signedAt - 300_000;
				expect([isAccepted(earliest), isAccepted(earliest - 1)]).toEqual([true, false]);
				expect(isAccepted(earliest + Math.floor(deduplicateMs) + 1)).toBe(false);
			}),
			{ numRuns: propertyRuns(2000) },
		);
	});

	test.each<[unknown, RegExp]>([
		...[0, -5, NaN, Infinity, MAX_MINUTES + 1, '5', '', null, true, [5], {}].map(
			(timestampTolerance): [object, RegExp] => [{ timestampTolerance }, TOLERANCE],
		),
		...[1, 119.9, -1, NaN, Infinity, MAX_MINUTES + 1, '120', '', null, false, [120]].map(
			(deduplicate): [object, RegExp] => [{ deduplicate }, DEDUPLICATE],
		),
		[{ timestampTolerance: 5, deduplicate: 119 }, /'Deduplicate.* from 120 up to/],
		[{ timestampTolerance: 177, deduplicate: 176 }, /'Deduplicate.* from 177 up to/],
		...['deduplicate', null, []].map((options): [unknown, RegExp] => [options, /'Options'/]),
	])('%j can not be read', (options, words) => expect(minutesOf(options)).toMatch(words));
});
