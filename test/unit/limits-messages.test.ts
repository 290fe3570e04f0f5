import { enforceLimits, throwIfRejected } from '../../nodes/shared/limits/enforceLimits';
import { parseAmountLimits } from '../../nodes/shared/limits/amountLimits';
import { limitRequest, type OutgoingRequest } from '../../nodes/shared/limits/limitRequest';
import { parseStrictJson } from '../../nodes/shared/limits/strictJson';
import { checkLimits, parseLimits } from '../../nodes/shared/limits/transactionLimits';
import { SAMPLE } from '../support/builders/transactions';

/*
 * The limits of the credential word by word, and at their bounds. test/unit/limits.test.ts has what is allowed and what isn't.
 */

const URL_ = 'https://api.example.com/api/v1/transactions';
const { limits } = parseLimits({ maxAmounts: 'EUR 1000, any 5', allowedCurrencies: 'EUR, USD' });
const BODY = { ...SAMPLE, amount: '1000.00', currency: 'EUR' };
const limited = (request: OutgoingRequest) =>
	limitRequest({ method: 'POST', url: URL_, body: BODY, ...request }, limits!, URL_);

describe('what the amounts of the credential cannot be', () => {
	const neither = (entry: string) =>
		`"${entry}" is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`;
	test.each([
		['', []],
		['0', [['any', '0']]],
		['10.50', [['any', '10.50']]],
		[
			'EUR 1;USD 2\nSEK 3,any 4',
			[
				['EUR', '1'],
				['USD', '2'],
				['SEK', '3'],
				['any', '4'],
			],
		],
		[
			'EUR 1  ,  USD   2',
			[
				['EUR', '1'],
				['USD', '2'],
			],
		],
		['Any 5', [['any', '5']]],
	])('%j', (text, expected) =>
		expect([...(parseAmountLimits(text).value ?? [])]).toEqual(expected),
	);

	test.each([
		['01', neither('01')],
		['1.', neither('1.')],
		['.5', neither('.5')],
		['1x', neither('1x')],
		['x1', neither('x1')],
		['EUR 1, 5', neither('5')],
		['EUR 1 x', neither('EUR 1 x')],
		['xEUR 1', neither('xEUR 1')],
		['EU 1', neither('EU 1')],
		['EUR1', neither('EUR1')],
		['EUR 01', neither('EUR 01')],
		['x'.repeat(50), neither('x'.repeat(40))],
		['EUR 1,', neither('')],
		['XXZ 5', '"XXZ" is not a currency code such as EUR'],
		['eur 1, EUR 2', 'it has two amounts for EUR'],
		['any 1, ANY 2', 'it has two amounts for any'],
	])('%j', (text, problem) => expect(parseAmountLimits(text)).toEqual({ problem }));
});

test.each([
	[
		{ maxAmounts: 'x' },
		`'Max Amount per Transaction' in the credential can't be used, because "x" is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00. Nothing is sent until it is corrected in the credential.`,
	],
	[
		{ maxAmounts: null },
		"'Max Amount per Transaction' in the credential can't be used, because its value is not text. Nothing is sent until it is corrected in the credential.",
	],
	[
		{ allowedCurrencies: 'EUR, X' },
		`'Allowed Currencies' in the credential can't be used, because "X" is not a currency code such as EUR. Nothing is sent until it is corrected in the credential.`,
	],
	[
		{ allowedCurrencies: {} },
		"'Allowed Currencies' in the credential can't be used, because its value is not text. Nothing is sent until it is corrected in the credential.",
	],
])('the fields %j: %s', (fields, problem) => expect(parseLimits(fields)).toEqual({ problem }));

test.each([
	[{ maxAmounts: ' 5 ' }, [['any', '5']], []],
	[{ allowedCurrencies: ' eur ; USD ' }, [], ['EUR', 'USD']],
])('the fields %j are limits', (fields, maxAmounts, currencies) => {
	const parsed = parseLimits(fields).limits!;
	expect([[...parsed.maxAmounts], [...parsed.allowedCurrencies]]).toEqual([maxAmounts, currencies]);
});

test.each([
	[
		{ amount: '1', currency: ` ${'x'.repeat(50)}` },
		{
			field: 'currency',
			problem: `The credential limits transactions, and "${'x'.repeat(40)}" is not a currency code in capital letters such as EUR`,
			fix: 'Correct the currency.',
		},
	],
	[
		{ amount: '1', currency: ['EUR'] },
		{
			field: 'currency',
			problem:
				'The credential limits transactions, and its value is not a currency code in capital letters such as EUR',
			fix: 'Correct the currency.',
		},
	],
	[
		{ amount: 1, currency: 'EUR' },
		{
			field: 'amount',
			problem:
				'The credential limits transactions, and the amount is not a decimal number as text, such as "1234.50"',
			fix: 'Correct the amount.',
		},
	],
	[
		{ amount: '1', currency: 'SEK' },
		{
			field: 'currency',
			problem:
				"SEK is not one of the currencies that the credential allows ('Allowed Currencies': EUR, USD)",
			fix: 'Use one of them, or ask the owner of the credential to change the limit.',
		},
	],
	[
		{ amount: '9'.repeat(40), currency: 'EUR' },
		{
			field: 'amount',
			problem: `${'9'.repeat(40)} EUR is more than 1000 EUR, the 'Max Amount per Transaction' that is set in the credential`,
			fix: 'Lower the amount, or ask the owner of the credential to raise the limit.',
		},
	],
	[
		{ amount: '9'.repeat(41), currency: 'USD' },
		{
			field: 'amount',
			problem: `${'9'.repeat(40)}… USD is more than 5 USD, the 'Max Amount per Transaction' that is set in the credential`,
			fix: 'Lower the amount, or ask the owner of the credential to raise the limit.',
		},
	],
])('%j', (transaction, issue) => expect(checkLimits(transaction, limits!)).toEqual(issue));

test('a currency without a limit', () => {
	const { limits } = parseLimits({ maxAmounts: 'EUR 1, SEK 2' });
	expect(checkLimits({ amount: '1', currency: 'USD' }, limits!)).toEqual({
		field: 'currency',
		problem:
			"The credential has a 'Max Amount per Transaction' for EUR, SEK and none for USD, so USD is not allowed",
		fix: 'Use one of these currencies, or ask the owner of the credential to add USD.',
	});
});

test('with currencies alone, amounts are not limited, and with amounts alone, currencies are not', () => {
	const currencies = parseLimits({ allowedCurrencies: 'EUR' }).limits!;
	expect(checkLimits({ amount: '9'.repeat(30), currency: 'EUR' }, currencies)).toBeUndefined();
	const amounts = parseLimits({ maxAmounts: '5' }).limits!;
	expect(checkLimits({ amount: '5', currency: 'SEK' }, amounts)).toBeUndefined();
});

describe('JSON that every parser reads in the same way', () => {
	test.each([
		['{"a\\"b":1,"a\\"b":2}', 'contains "a"b" twice'],
		['{"a\\\\":1,"a\\\\":2}', 'contains "a\\" twice'],
		['{"a" :1,"a"\n :2}', 'contains "a" twice'],
		['{"x":{"b":1},"a":1,"a":2}', 'contains "a" twice'],
		['{"x":[1,[2]],"a":1,"a":2}', 'contains "a" twice'],
		['{"x":"\\\\","x":1}', 'contains "x" twice'],
		['{"x":"\\"","x":1}', 'contains "x" twice'],
		[`{"${'x'.repeat(50)}":1,"${'x'.repeat(50)}":2}`, `contains "${'x'.repeat(40)}" twice`],
		['{', 'is not JSON'],
		['', 'is not JSON'],
	])('%s: %s', (text, problem) => expect(parseStrictJson(text)).toEqual({ problem }));

	test.each([
		['[{"a":1},{"a":2}]'],
		['{"a":{"a":{"a":1}}}'],
		['{"a":["a","a"]}'],
		['{"a":"b","c":"b"}'],
		['{"a":"{\\"b\\":1,\\"b\\":2}"}'],
		['"a"'],
		['null'],
	])('%s', (text) => expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) as unknown }));
});

describe('why a request is not sent', () => {
	const because = (reason: string) => ({
		problem: `The request was not sent, because the credential limits transactions: ${reason}.`,
	});
	const body = (reason: string) =>
		because(
			`the body must be one transaction as JSON, and this body ${reason}. Send JSON with 'amount' and 'currency' as text`,
		);
	const header = (name: string) =>
		because(`the header "${name}" can change how the request is read. Remove the header`);
	const notReading = because(
		'apart from reading, the only request that may be sent is POST https://api.example.com/api/v1/transactions, without a query',
	);
	const JSON_TEXT = JSON.stringify(BODY);

	test.each<[OutgoingRequest, object]>([
		[
			{ url: 'https://evil.example' },
			because('its access token is sent only to the Base URL, https://api.example.com'),
		],
		[
			{ proxy: {} },
			because('its access token is not sent through a proxy that the request chooses'),
		],
		[{ headers: [] }, because('the headers of the request cannot be read')],
		[{ method: 'PATCH' }, notReading],
		[{ qs: [] }, notReading],
		[{ qs: { a: 1 } }, notReading],
		[{ method: 'GET', body: undefined, formData: { a: 1 } }, notReading],
		[{ method: 'GET', body: undefined, multipart: [1] }, notReading],
		[{ method: 5, body: undefined }, notReading],
		[{ body: undefined }, body('is empty')],
		[{ body: null }, body('is empty')],
		[{ body: '' }, body("does not have the content type 'application/json'")],
		[{ body: [] }, body('is a list')],
		[{ body: 5 }, body('is a file, a stream, or form data')],
		[{ body: { toJSON: () => undefined } }, body('is a file, a stream, or form data')],
		[{ form: 'x' }, body('has form fields')],
		[{ body: JSON_TEXT }, body("does not have the content type 'application/json'")],
		[{ body: 'x', headers: { 'content-type': 'application/json' } }, body('is not JSON')],
		[{ body: '5', headers: { 'content-type': 'application/json' } }, body('is not one object')],
		[
			{ body: { ...BODY, CURRENCY: 'x' } },
			body('contains "CURRENCY", which a service may read as one of these fields'),
		],
		[
			{ body: { ...BODY, ['a-m-o-u-n-t'.padEnd(60, '-')]: 'x' } },
			body(
				`contains "${'a-m-o-u-n-t'.padEnd(40, '-')}", which a service may read as one of these fields`,
			),
		],
		[
			{ body: { ...BODY, amount: '1000.01' } },
			{
				problem:
					"The request was not sent. 1000.01 EUR is more than 1000 EUR, the 'Max Amount per Transaction' that is set in the credential. Lower the amount, or ask the owner of the credential to raise the limit.",
			},
		],
		...[
			'Content-Encoding',
			'Content-Length',
			'Forwarded',
			' Host ',
			'Transfer-Encoding',
			'X-Forwarded-Host',
			'X-HTTP-Method',
			'X-HTTP-Method-Override',
			'X-Method-Override',
			'X-Original-URL',
			'X-Rewrite-URL',
		].map((name): [OutgoingRequest, object] => [{ headers: { [name]: 'x' } }, header(name)]),
	])('%j', (request, expected) => expect(limited(request)).toEqual(expected));

	test('a body of 100,000 characters is read', () => {
		const length = JSON.stringify({ ...BODY, reference: '' }).length;
		const ofLength = (total: number) => ({ ...BODY, reference: 'x'.repeat(total - length) });
		expect(limited({ body: ofLength(100_000) }).problem).toBeUndefined();
		for (const total of [100_001, 200_000])
			expect(limited({ body: ofLength(total) })).toEqual(body('is too long to be checked'));
	});

	test.each([
		'application/json',
		'APPLICATION/JSON',
		'application/json;charset=utf-8',
		'application/json  ;  charset  =  "UTF-8"  ',
	])('the content type %s is JSON', (type) => {
		const { request } = limited({ body: JSON_TEXT, headers: { ' content-TYPE ': type, a: 'b' } });
		expect(request?.headers).toEqual({ a: 'b', 'Content-Type': 'application/json' });
	});

	test.each([
		'xapplication/json',
		'application/jsonx',
		'application/json;',
		'application/json; charset=utf-16',
		'application/json; charset=utf-8x',
		'application/json; charset=utf-8; charset=utf-16',
		'',
	])('the content type "%s" is not', (type) => {
		expect(limited({ body: JSON_TEXT, headers: { 'content-type': type } })).toEqual(
			body("does not have the content type 'application/json'"),
		);
	});

	test.each([undefined, null, '', false])('a proxy of %p is none', (proxy) => {
		expect(limited({ proxy }).problem).toBeUndefined();
	});

	test.each<OutgoingRequest>([
		{ method: 'get' },
		{ method: undefined },
		{ method: 'HEAD', qs: { a: 1 }, body: {}, form: {}, formData: null, multipart: '' },
		{ method: 'GET', headers: { accept: 'x' } },
	])('%j reads, and follows no redirect', (request) => {
		const sent = limited({ body: undefined, uri: URL_, baseURL: 'x', ...request }).request;
		const { headers } = request;
		expect(sent).toEqual({
			method: 'POST',
			...request,
			...(headers === undefined ? {} : { headers }),
			body: request.body,
			url: URL_,
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	test('an object without a prototype is one', () => {
		const bare = Object.assign(Object.create(null) as object, BODY);
		expect(limited({ body: bare }).problem).toBeUndefined();
		expect(
			limited({
				body: new (class Own {
					amount = '1';
					currency = 'EUR';
				})(),
			}),
		).toEqual(body('is a file, a stream, or form data'));
	});

	test('members that every object has do not count', () => {
		const everyObject = Object.prototype as { currency?: string };
		everyObject.currency = 'EUR';
		try {
			expect(limited({ body: { amount: '1' } }).problem).toContain('its value is not a currency');
		} finally {
			delete everyObject.currency;
		}
	});
});

describe('a request that the credential adds its token to', () => {
	const credential = (changes = {}) => ({ baseUrl: 'https://api.example.com', ...changes });
	const request = { method: 'POST', url: URL_, body: BODY };

	test('without limits stays as it is', () => {
		expect(enforceLimits(credential(), request)).toBe(request);
	});

	test('within the limits is sent in the form that was checked', () => {
		const sent = enforceLimits(credential({ maxAmounts: '1000' }), request);
		expect(sent).toMatchObject({ url: URL_, body: JSON.stringify(BODY) });
	});

	test.each([
		[{ maxAmounts: 'x' }, /^'Max Amount per Transaction' in the credential can't be used/],
		[{ maxAmounts: '5', baseUrl: '' }, /^'Base URL' is empty/],
		[{ maxAmounts: '5' }, /^The request was not sent\. 1000\.00 EUR is more than 5 EUR/],
	])('with %j is not sent, and n8n requests no token for it', (changes, message) => {
		const credentials = credential(changes);
		expect(() => enforceLimits(credentials, request)).toThrow(message);
		expect(() => throwIfRejected(credentials)).toThrow(message);
		// Only once: the next token request has another reason.
		expect(() => throwIfRejected(credentials)).not.toThrow();
	});

	test('a rejection is forgotten when another request with the same credential is sent', () => {
		const credentials = credential({ maxAmounts: '5' });
		expect(() => enforceLimits(credentials, request)).toThrow();
		enforceLimits(credentials, { ...request, body: { ...BODY, amount: '5' } });
		expect(() => throwIfRejected(credentials)).not.toThrow();
	});
});
