import { parseOptions } from '../../../../nodes/Payments/options/parseOptions';

test('the options that are not set have their defaults, and so have numbers that are cleared', () => {
	expect(parseOptions({ timeout: '' }).value).toEqual({
		decimalSeparator: 'dot',
		dryRun: false,
		maxAmount: new Map(),
		maxConcurrentRequests: 0,
		maxRequestsPerSecond: 0,
		maxRetryTime: 60,
		maxTotal: new Map(),
		onDuplicate: 'continue',
		retryUnknownOutcome: false,
		timeout: 30,
	});
});

test.each([
	[{ dryRun: '' }, /'Dry Run'/],
	[{ dryRun: undefined }, /'Dry Run'/],
	[{ timeout: 'soon' }, /'Timeout \(Seconds\)' is "soon"/],
	[{ timeout: 601 }, /'Timeout \(Seconds\)' is 601/],
	[{ maxAmount: '5,000' }, /"5,000" can be 5000 or 5\.000\./],
	[{ maxAmount: 'KWD 100.500' }, /"100\.500" can be 100500 or 100\.500\..*100500 or 100\.5000$/],
	[{ maxAmount: 'USD 100, EUR 5.000' }, /"5\.000" can be/],
	[{ maxTotal: "1'000'000" }, /Leave them out: 1000000/],
	[{ maxTotal: 'EUR 1.000.000' }, /Leave them out: 1000000/],
	[{ maxTotal: 'EUR 1 000' }, /Leave them out: 1000/],
])('%j must not mean that nothing is set, or something else', (given, message) =>
	expect(parseOptions(given).problem?.message).toMatch(message),
);

test('a switch can be text, as an expression gives it', () => {
	const { value } = parseOptions({ retryUnknownOutcome: 'false', dryRun: 'true' });
	expect(value).toMatchObject({ retryUnknownOutcome: false, dryRun: true });
});

test.each(['', ' ', null, undefined, 'EUR', '-5', 'EUR 1e3', '{{ 5 }}', ['1'], 'XYZ 5'])(
	'a limit that is %p is not taken for no limit',
	(value) => {
		for (const name of ['maxAmount', 'maxTotal']) {
			const { problem } = parseOptions({ [name]: value });
			expect(problem?.message).toMatch(/'Max (Amount|Total per Execution)'/);
			expect(problem?.fix).toMatch(/EUR 1000.*Nothing was sent/);
		}
	},
);

test.each([
	'1000',
	'1000.50',
	'EUR 1000, USD 1200.50',
	'EUR 100, any 500',
	'EUR 100,USD 200',
	'KWD 100.5000',
])('%s has no thousands separator', (maxAmount) =>
	expect(parseOptions({ maxAmount }).problem).toBeUndefined(),
);
