import { OPTIONS, parseOptions, type OptionName } from '../../../nodes/Payments/options';
import { parseAmount } from '../../../nodes/Payments/validation/amount';
import { expectProblem } from '../../support/expectResult';
import { fc, leastOf, propertyRuns } from '../../support/properties';

test('the options that are not set have their defaults', () => {
	expect(parseOptions({}).value).toEqual({
		decimalSeparator: undefined,
		dryRun: false,
		includeResponse: false,
		maxAmount: new Map(),
		maxConcurrentRequests: 0,
		maxRequestsPerSecond: 0,
		maxRetryTime: 90,
		maxTotal: new Map(),
		onDuplicate: 'continue',
		retryUnknownOutcome: false,
		timeout: 30,
	});
});

/** What an option that somebody has just added does. Without a value, nothing is sent. */
const ADDED: Record<OptionName, unknown> = {
	dryRun: true,
	maxAmount: /'Max Amount' is ""/,
	maxTotal: /'Max Total per Execution' is ""/,
	decimalSeparator: 'comma',
	onDuplicate: 'stop',
	includeResponse: true,
	maxConcurrentRequests: 1,
	maxRequestsPerSecond: 1,
	maxRetryTime: 90,
	retryUnknownOutcome: true,
	timeout: 30,
};
test.each(Object.entries(ADDED))('%s, when it is added: %p', (name, expected) => {
	const { value, problem } = parseOptions({ [name]: OPTIONS[name as OptionName].shown.default });
	if (expected instanceof RegExp) expectProblem(problem, expected);
	else expect(value).toMatchObject({ [name]: expected });
});

test.each([
	[{ maxConcurrentRequests: ' 5 ' }, { maxConcurrentRequests: 5 }],
	[{ maxConcurrentRequests: '2.0' }, { maxConcurrentRequests: 2 }],
	[{ maxRequestsPerSecond: 0.25 }, { maxRequestsPerSecond: 0.25 }],
	[{ timeout: 600 }, { timeout: 600 }],
	// A switch can be text, as an expression gives it.
	[
		{ retryUnknownOutcome: 'false', dryRun: 'true' },
		{ retryUnknownOutcome: false, dryRun: true },
	],
	[{ maxAmount: 349.965 }, { maxAmount: new Map([['any', '349.965']]) }],
	[{ maxAmount: '007' }, { maxAmount: new Map([['any', '7']]) }],
	[{ maxAmount: 'KWD 100.5000' }, { maxAmount: new Map([['KWD', '100.5000']]) }],
	[
		{ maxTotal: 'EUR 1000,usd 1200.50, any 500' },
		{
			maxTotal: new Map([
				['EUR', '1000'],
				['USD', '1200.50'],
				['any', '500'],
			]),
		},
	],
])('%j is %j', (given, expected) => expect(parseOptions(given).value).toMatchObject(expected));

test.each([
	[{ dryRun: '' }, /'Dry Run'/],
	[{ dryRun: undefined }, /'Dry Run'/],
	[{ onDuplicate: 'Stop' }, /'On Duplicate' is "Stop"/],
	[{ timeout: undefined }, /'Timeout \(Seconds\)' is undefined/],
	[{ timeout: null }, /is null/],
	[{ maxRequestsPerSecond: null }, /'Max Requests per Second' is null/],
	[{ maxConcurrentRequests: '' }, /is ""/],
	[{ decimalSeparator: null }, /'Decimal Separator' is null/],
	[{ decimalSeparator: undefined }, /'Decimal Separator' is undefined/],
	[{ onDuplicate: null }, /is null/],
	[{ dryRun: null }, /is null/],
	[{ timeout: 'soon' }, /is "soon"/],
	[{ timeout: Infinity }, /is Infinity/],
	[{ timeout: 601 }, /is 601.*whole number from 1 to 600/],
	[{ timeout: 0 }, /is 0/],
	[{ maxConcurrentRequests: 0.5 }, /is 0\.5.*whole number from 0 to 200/],
	[{ maxConcurrentRequests: '1e2' }, /is "1e2"/],
	[{ maxConcurrentRequests: true }, /is true/],
	[{ maxConcurrentRequests: [5] }, /is A list/],
	[{ maxConcurrentRequests: NaN }, /is NaN/],
	[{ maxRetryTime: '2.5' }, /'Max Retry Time \(Seconds\)' is "2\.5"/],
	[{ maxRetryTime: '0x10' }, /is "0x10"/],
	[{ maxRequestsPerSecond: '5,5' }, /is "5,5"/],
	[{ maxRequestsPerSecond: 2000 }, /is 2000.* a number from 0 to 1000/],
	[{ maxAmount: '5,000' }, /"5,000" can be 5000 or 5\.000\./],
	[{ maxAmount: 'KWD 100.500' }, /"100\.500" can be 100500 or 100\.500\..*100500 or 100\.5000/],
	[{ maxAmount: 'USD 100, EUR 5.000' }, /"5\.000" can be/],
	[{ maxTotal: 'EUR 1.000.000' }, /Write 1000000\./],
	[{ maxTotal: 'EUR 1.000,50' }, /Write 1000\.50\./],
	[{ maxTotal: 'EUR 1,000.50' }, /Write 1000\.50\./],
	[{ maxTotal: 'EUR 1000, 500' }, /"EUR 1000, 500" is neither/],
	[{ maxTotal: 'EUR 100 USD 200' }, /"EUR 100 USD 200" is neither/],
	[{ maxTotal: '1000, any 500' }, /"1000" is neither/],
	[{ maxTotal: 'EUR 100, eur 200' }, /two amounts for EUR/],
])('%j must not mean that nothing is set, or something else', (given, words) => {
	const { problem } = parseOptions(given);
	expectProblem(problem, words);
	expect(problem?.fix).toMatch(/remove the option\.$/);
});

test.each(['', ' ', null, undefined, 'EUR', '-5', 'EUR 1e3', '{{ 5 }}', ['1'], 'XYZ 5'])(
	'a limit that is %p is not taken for no limit',
	(value) => {
		for (const name of ['maxAmount', 'maxTotal'])
			expectProblem(
				parseOptions({ [name]: value }).problem,
				/'Max (Amount|Total per Execution)'.*EUR 1000/,
			);
	},
);

test('a limit is read as the amount of an item is, if it can be read in one way only', () => {
	const amount = fc.stringMatching(/^0?\d{1,4}([.,' ]\d{2,4}){0,2}$/);
	let read = 0;
	fc.assert(
		fc.property(amount, fc.constantFrom('', 'EUR ', 'any '), (text, currency) => {
			const { maxAmount } = parseOptions({ maxAmount: currency + text }).value ?? {};
			const ofItem = parseAmount(text, { allowZero: true });
			const [limit] = maxAmount?.values() ?? [];
			if (limit === undefined) return ofItem.value === undefined;
			read++;
			return limit === ofItem.value;
		}),
		{ numRuns: propertyRuns(5_000) },
	);
	expect(read).toBeGreaterThan(leastOf(0.2, propertyRuns(5_000)));
});
