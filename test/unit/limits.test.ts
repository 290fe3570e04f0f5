import { Readable } from 'node:stream';

import { limitRequest, type OutgoingRequest } from '../../nodes/shared/limits/limitRequest';
import { parseStrictJson } from '../../nodes/shared/limits/strictJson';
import {
	checkLimits,
	parseLimits,
	type TransactionLimits,
} from '../../nodes/shared/limits/transactionLimits';
import { SAMPLE } from '../support/builders/transactions';
import { fc, propertyRuns } from '../support/properties';

const URL_ = 'https://api.example.com/api/v1/transactions';

const limitsOf = (fields: Record<string, unknown>): TransactionLimits => {
	const { limits, problem } = parseLimits(fields);
	if (!limits) throw new Error(problem ?? 'no limits');
	return limits;
};
const LIMITS = limitsOf({ maxAmounts: 'EUR 1000, any 500.50', allowedCurrencies: 'EUR, USD, JPY' });

describe('the fields of the credential', () => {
	test.each([{}, { maxAmounts: '', allowedCurrencies: '' }, { maxAmounts: '  ' }])(
		'%p: no limits',
		(fields) => expect(parseLimits(fields)).toEqual({}),
	);

	test.each<[string | number, Array<[string, string]>]>([
		['1000', [['any', '1000']]],
		[1000.5, [['any', '1000.5']]],
		[' 0.01 ', [['any', '0.01']]],
		['EUR 1000', [['EUR', '1000']]],
		[
			'eur 1000,USD  1200.50;any 500',
			[
				['EUR', '1000'],
				['USD', '1200.50'],
				['any', '500'],
			],
		],
		[
			'EUR 0\nJPY 7',
			[
				['EUR', '0'],
				['JPY', '7'],
			],
		],
	])('Max Amount per Transaction %p', (maxAmounts, expected) => {
		expect([...limitsOf({ maxAmounts }).maxAmounts]).toEqual(expected);
	});

	test.each([
		'abc',
		'1,000',
		'1.000,50',
		'EUR 1,000',
		'EUR 1,500',
		'1,000 EUR',
		'1000 EUR',
		'EUR',
		'EUR -1',
		'-1',
		'1e3',
		'+5',
		'1 000',
		'EUR 1 000',
		'EURO 1000',
		'XXZ 1000',
		'EUR 1000,',
		',EUR 1000',
		'EUR 1000, EUR 2000',
		'any 5, any 6',
		'EUR 1000, 500',
		'∞',
		'EUR ٣',
		'0x10',
		'EUR 007',
		1e21,
		NaN,
		Infinity,
		null,
		undefined,
		true,
		{},
		[],
		['EUR 1000'],
		{ limits: [] },
	])('Max Amount per Transaction %p sends nothing, and names the field', (maxAmounts) => {
		expect(parseLimits({ maxAmounts }).problem).toMatch(
			/^'Max Amount per Transaction' in the credential can't be used, because .* corrected in the credential\.$/,
		);
	});

	test.each(['EURO', 'E', 'EUR USD', 'EUR,', 'XXZ', '€', 5, null, undefined, ['EUR'], {}])(
		'Allowed Currencies %p sends nothing, and names the field',
		(allowedCurrencies) => {
			expect(parseLimits({ allowedCurrencies }).problem).toMatch(
				/^'Allowed Currencies' in the credential can't be used, because /,
			);
		},
	);
});

describe('a transaction and the limits', () => {
	test.each([
		['1000', 'EUR'],
		['1000.00', 'EUR'],
		['0999.999', 'EUR'],
		['500.50', 'USD'],
		['500', 'JPY'],
	])('%s %s is within them', (amount, currency) =>
		expect(checkLimits({ amount, currency }, LIMITS)).toBeUndefined(),
	);

	test.each<[unknown, unknown, string, RegExp]>([
		['1000.01', 'EUR', 'amount', /^1000\.01 EUR is more than 1000 EUR, the 'Max Amount per Tr/],
		['500.51', 'USD', 'amount', /500\.50 USD/],
		['9'.repeat(400), 'EUR', 'amount', /^9{40}… EUR is more/],
		['1', 'GBP', 'currency', /^GBP is not one of .*'Allowed Currencies': EUR, USD, JPY/],
		['1', 'eur', 'currency', /"eur" is not a currency code in capital letters/],
		['1', 'XXZ', 'currency', /"XXZ" is not a currency code/],
		['1', undefined, 'currency', /not a currency code/],
		['1e3', 'EUR', 'amount', /not a decimal number as text/],
		['1,000', 'EUR', 'amount', /not a decimal number as text/],
		['-5', 'EUR', 'amount', /not a decimal number as text/],
		['', 'EUR', 'amount', /not a decimal number as text/],
		[5, 'EUR', 'amount', /not a decimal number as text/],
		[undefined, 'EUR', 'amount', /not a decimal number as text/],
	])('%p %p: the issue is in %s', (amount, currency, field, problem) => {
		const issue = checkLimits({ amount, currency }, LIMITS);
		expect(issue).toEqual({
			field,
			problem: expect.stringMatching(problem) as string,
			fix: expect.any(String) as string,
		});
	});

	test('a currency without an amount of its own is not allowed, unless there is one for any currency', () => {
		const limits = limitsOf({ maxAmounts: 'EUR 1000' });
		expect(checkLimits({ amount: '1', currency: 'USD' }, limits)).toMatchObject({
			field: 'currency',
			problem: expect.stringMatching(/for EUR and none for USD/) as string,
		});
	});
});

test.each([
	['{"a":1,"a":2}', 'a'],
	['{"a":1,"\\u0061":2}', 'a'],
	['{"x":[{"b":{"c":1,"c":1}}]}', 'c'],
	['{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\\"a\\":1,\\"a\\":"}', undefined],
	['{"a":"}","b":"{\\"b\\":","b2":["a","a"]}', undefined],
	['{"a":{},"a":1}', 'a'],
	['{"a":[],"a":1}', 'a'],
	['{"a":1,"b":{"c":1},"a":2}', 'a'],
	['{"a":1,"b":[{"c":1},[2]],"a":2}', 'a'],
	['{"b":{"a":1},"a":2}', undefined],
	['[{"a":1},{"a":2}]', undefined],
])('%s: the repeated name is %p', (text, name) => {
	const { problem } = parseStrictJson(text);
	expect(problem).toBe(name === undefined ? undefined : `contains "${name}" twice`);
});

const transaction = (changes: object = {}) => ({ ...SAMPLE, amount: '1000.00', ...changes });
const limited = (request: OutgoingRequest, limits = LIMITS) =>
	limitRequest({ method: 'POST', ...request }, limits, URL_);
const JSON_HEADER = { 'content-type': 'application/json' };

describe('a request with a transaction within the limits', () => {
	test.each<[string, OutgoingRequest]>([
		['an object', { url: URL_, body: transaction() }],
		['text', { url: URL_, body: JSON.stringify(transaction()), headers: JSON_HEADER }],
		[
			'text with a charset',
			{
				url: URL_,
				body: JSON.stringify(transaction()),
				headers: { 'CONTENT-TYPE': 'application/json; charset="UTF-8"', accept: '*/*' },
			},
		],
		['the shape of the HTTP Request node', { uri: URL_, body: transaction(), qs: {}, headers: {} }],
		[
			'a base URL',
			{ baseURL: 'https://api.example.com/', url: '/api/v1/transactions', body: transaction() },
		],
		[
			'dots in the path',
			{ url: 'https://API.example.com:443/api/x/../v1/./transactions', body: transaction() },
		],
		['a method in lower case', { method: 'post', url: URL_, body: transaction() }],
	])('%s is sent as it was checked', (_, request) => {
		const { request: sent, problem } = limited(request);
		expect(problem).toBeUndefined();
		const headers = sent!.headers as Record<string, string>;
		expect(sent).toMatchObject({
			url: URL_,
			body: JSON.stringify(transaction()),
			disableFollowRedirect: true,
			followAllRedirects: false,
		});
		expect(sent).not.toHaveProperty('uri');
		expect(sent).not.toHaveProperty('baseURL');
		expect(Object.entries(headers).filter(([name]) => /content-type/i.test(name))).toEqual([
			['Content-Type', 'application/json'],
		]);
		// n8n passes it through authenticate again after a 401.
		expect(limited(sent!).request).toEqual(sent);
	});
});

describe('reading', () => {
	test.each<OutgoingRequest>([
		{ method: 'GET', url: URL_ },
		{ method: undefined, url: 'https://api.example.com/other?page=2' },
		{ method: 'HEAD', uri: URL_, qs: { page: 1 }, body: {} },
	])('%p is allowed, without redirects', (request) => {
		expect(limited(request).request).toMatchObject({ followRedirect: false });
	});

	test.each<[OutgoingRequest, RegExp]>([
		[
			{ method: 'GET', url: 'https://evil.example/' },
			/only to the Base URL, https:\/\/api\.example\.com/,
		],
		[{ method: 'GET', url: 'http://api.example.com/' }, /only to the Base URL/],
		[{ method: 'GET', url: 'https://api.example.com:8443/' }, /only to the Base URL/],
		[{ method: 'GET', url: 'https://api.example.com@evil.example/' }, /only to the Base URL/],
		[{ method: 'GET', url: 'https://api.example.com.evil.example/' }, /only to the Base URL/],
		[{ method: 'GET', url: 'https:\\\\evil.example/' }, /only to the Base URL/],
		[
			{ method: 'GET', baseURL: 'https://api.example.com/', url: 'https://evil.example/' },
			/only to the Base URL/,
		],
		[
			{ method: 'GET', baseURL: 'https://api.example.com/', url: '//evil.example/' },
			/only to the Base URL/,
		],
		[{ method: 'GET', uri: URL_, url: 'https://evil.example/' }, /only to the Base URL/],
		[{ method: 'GET', url: '/api/v1/transactions' }, /only to the Base URL/],
		[{ method: 'GET' }, /only to the Base URL/],
		[{ method: 'GET', url: URL_, proxy: 'http://evil.example:8080' }, /through a proxy/],
		[{ method: 'GET', url: URL_, proxy: { host: 'evil.example' } }, /through a proxy/],
		[{ method: 'GET', url: URL_, headers: { Host: 'evil.example' } }, /header "Host"/],
		[{ method: 'GET', url: URL_, headers: { 'X-HTTP-Method-Override': 'POST' } }, /header "X-HTTP/],
		[{ method: 'GET', url: URL_, headers: 'x' }, /headers of the request cannot be read/],
		[{ method: 'GET', url: URL_, body: transaction() }, /apart from reading/],
		[{ method: 'GET', url: URL_, form: { amount: '1' } }, /apart from reading/],
	])('%p is not allowed', (request, problem) => {
		expect(limited(request)).toEqual({ problem: expect.stringMatching(problem) as string });
	});
});

const text = (body: string, headers: object = JSON_HEADER): OutgoingRequest => ({
	url: URL_,
	body,
	headers,
});
const JSON_TEXT = JSON.stringify(transaction());

test.each<[string, OutgoingRequest, RegExp]>([
	['another method', { method: 'PUT', url: URL_, body: transaction() }, /apart from reading/],
	['DELETE without a body', { method: 'DELETE', url: URL_ }, /apart from reading/],
	['OPTIONS', { method: 'OPTIONS', url: URL_ }, /apart from reading/],
	['a list as method', { method: ['POST'], url: URL_, body: transaction() }, /apart from reading/],
	[
		'another path',
		{ url: 'https://api.example.com/api/v1/payments', body: transaction() },
		/POST https:\/\/api\.example\.com\/api\/v1\/transactions, without a query/,
	],
	[
		'a double slash',
		{ url: 'https://api.example.com//api/v1/transactions', body: transaction() },
		/apart from reading/,
	],
	['a slash at the end', { url: `${URL_}/`, body: transaction() }, /apart from reading/],
	[
		'an encoded letter',
		{ url: 'https://api.example.com/api/v1/%74ransactions', body: transaction() },
		/apart from reading/,
	],
	[
		'an encoded slash',
		{ url: 'https://api.example.com/api/v1%2Ftransactions', body: transaction() },
		/apart from reading/,
	],
	[
		'another case',
		{ url: 'https://api.example.com/API/v1/transactions', body: transaction() },
		/apart from reading/,
	],
	['a semicolon', { url: `${URL_};amount=9`, body: transaction() }, /apart from reading/],
	['a query', { url: `${URL_}?amount=99999`, body: transaction() }, /apart from reading/],
	[
		'query parameters',
		{ url: URL_, qs: { amount: '99999' }, body: transaction() },
		/apart from reading/,
	],
	['no body', { url: URL_ }, /this body is empty/],
	['a list', { url: URL_, body: [transaction()] }, /this body is a list/],
	['a list as text', text(`[${JSON_TEXT}]`), /this body is not one object/],
	['null', text('null'), /this body is not one object/],
	[
		'a Buffer',
		{ url: URL_, body: Buffer.from(JSON_TEXT), headers: JSON_HEADER },
		/a file, a stream, or form data/,
	],
	[
		'a stream',
		{ url: URL_, body: Readable.from([JSON_TEXT]), headers: JSON_HEADER },
		/a file, a stream, or form data/,
	],
	[
		'URLSearchParams',
		{ url: URL_, body: new URLSearchParams({ amount: '1' }) },
		/a file, a stream, or form data/,
	],
	['FormData', { url: URL_, body: new FormData() }, /a file, a stream, or form data/],
	['an ArrayBuffer', { url: URL_, body: new ArrayBuffer(2) }, /a file, a stream, or form data/],
	[
		'an object that refers to itself',
		{ url: URL_, body: selfReference() },
		/a file, a stream, or form data/,
	],
	['form fields', { url: URL_, form: { amount: '1', currency: 'EUR' } }, /form fields/],
	[
		'form fields beside JSON',
		{ url: URL_, body: transaction(), form: { amount: '99999' } },
		/form fields/,
	],
	['multipart', { url: URL_, formData: { amount: '1' } }, /form fields/],
	['multipart parts', { url: URL_, multipart: [{ body: JSON_TEXT }] }, /form fields/],
	['a form as text', text('amount=1&currency=EUR', {}), /content type/],
	[
		'a form content type',
		{
			url: URL_,
			body: transaction(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		},
		/content type/,
	],
	['JSON without content type', text(JSON_TEXT, {}), /content type/],
	[
		'another charset',
		text(JSON_TEXT, { 'content-type': 'application/json; charset=utf-7' }),
		/content type/,
	],
	[
		'two content types',
		text(JSON_TEXT, { 'content-type': 'application/json', 'Content-Type': 'text/plain' }),
		/content type/,
	],
	[
		'a content type that is a list',
		text(JSON_TEXT, { 'content-type': ['application/json'] }),
		/content type/,
	],
	[
		'compressed',
		text(JSON_TEXT, { ...JSON_HEADER, 'Content-Encoding': 'gzip' }),
		/header "Content-Encoding"/,
	],
	[
		'a shorter length',
		text(JSON_TEXT, { ...JSON_HEADER, 'content-length': '5' }),
		/header "content-length"/,
	],
	[
		'chunks',
		text(JSON_TEXT, { ...JSON_HEADER, 'Transfer-Encoding': 'chunked' }),
		/header "Transfer-Encoding"/,
	],
	['not JSON', text('{amount: 1}'), /this body is not JSON/],
	['two documents', text(`${JSON_TEXT}\n${JSON_TEXT}`), /this body is not JSON/],
	['a byte order mark', text(`\ufeff${JSON_TEXT}`), /this body is not JSON/],
	['an amount twice', text(`{"amount":"99999",${JSON_TEXT.slice(1)}`), /contains "amount" twice/],
	[
		'an amount twice, escaped',
		text(`{"\\u0061mount":"99999",${JSON_TEXT.slice(1)}`),
		/contains "amount" twice/,
	],
	['an Amount besides', { url: URL_, body: transaction({ Amount: '99999' }) }, /contains "Amount"/],
	[
		'an amount with a blank',
		{ url: URL_, body: transaction({ 'amount ': '99999' }) },
		/contains "amount "/,
	],
	[
		'an amount with a zero byte',
		{ url: URL_, body: transaction({ 'amount\u0000': '99999' }) },
		/contains "amount/,
	],
	[
		'an amount in full width',
		{ url: URL_, body: transaction({ ['\uff41\uff4d\uff4f\uff55\uff4e\uff54']: '99999' }) },
		/which a service may read as one/,
	],
	['no amount', { url: URL_, body: { currency: 'EUR' } }, /decimal number as text/],
	[
		'an inherited amount',
		{ url: URL_, body: Object.create({ amount: '1', currency: 'EUR' }) as object },
		/a file, a stream, or form data/,
	],
	['a number', text(JSON_TEXT.replace('"1000.00"', '1000.00')), /decimal number as text/],
	[
		'a number that JSON rounds',
		text(JSON_TEXT.replace('"1000.00"', '1000.00000000000000001')),
		/decimal number as text/,
	],
	['1e3', { url: URL_, body: transaction({ amount: '1e3' }) }, /decimal number as text/],
	['1,000', { url: URL_, body: transaction({ amount: '1,000' }) }, /decimal number as text/],
	[
		'a list of amounts',
		{ url: URL_, body: transaction({ amount: ['1'] }) },
		/decimal number as text/,
	],
	[
		'more',
		{ url: URL_, body: transaction({ amount: '1000.01' }) },
		/^The request was not sent\. 1000\.01 EUR is more than 1000 EUR/,
	],
	[
		'another currency',
		{ url: URL_, body: transaction({ currency: 'GBP' }) },
		/GBP is not one of the currencies/,
	],
	[
		'a very long body',
		{ url: URL_, body: transaction({ reference: 'x'.repeat(200_000) }) },
		/too long/,
	],
	[
		'another host',
		{ url: 'https://evil.example/api/v1/transactions', body: transaction() },
		/only to the Base URL/,
	],
])('%s is not sent', (_, request, problem) => {
	expect(limited(request)).toEqual({ problem: expect.stringMatching(problem) as string });
});

function selfReference(): object {
	const body: Record<string, unknown> = transaction();
	body.self = body;
	return body;
}

/* Ways in which a tolerant service may read a body. Whatever is let through must be within the limits in each of them. */

type Reader = (body: string) => Record<string, unknown>;

const MEMBER = /"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)/g;
const members = (body: string) =>
	[...body.matchAll(MEMBER)].map(
		([, name, value]) => [JSON.parse(`"${name}"`) as string, JSON.parse(value) as unknown] as const,
	);
const firstWins: Reader = (body) => Object.fromEntries(members(body).reverse());
const lastWins: Reader = (body) => Object.fromEntries(members(body));
const ignoringCase: Reader = (body) =>
	Object.fromEntries(members(body).map(([name, value]) => [name.toLowerCase().trim(), value]));
const READERS = [firstWins, lastWins, ignoringCase];

const name = fc.constantFrom(
	'amount',
	'Amount',
	'AMOUNT',
	' amount',
	'am\\u006funt',
	'currency',
	'Currency',
	'reference',
	'baseAmount',
);
const value = fc.constantFrom(
	'"1"',
	'"1000"',
	'"1000.00"',
	'"1000.01"',
	'"99999"',
	'"1e9"',
	'"0999"',
	'99999',
	'1',
	'"EUR"',
	'"USD"',
	'"GBP"',
	'"eur"',
	'"\\u0039999"',
	'"amount\\":\\"5"',
);
const member = fc.tuple(name, value);
const amount = fc.tuple(fc.constantFrom('amount', 'am\\u006funt'), value);
const currency = fc.tuple(
	fc.constant('currency'),
	fc.constantFrom('"EUR"', '"USD"', '"GBP"', '"eur"'),
);
const jsonText = fc
	.tuple(amount, currency, fc.array(member, { maxLength: 2 }), fc.constantFrom('', ' ', '\n'))
	.chain(([first, second, others, space]) =>
		fc
			.shuffledSubarray([first, second, ...others], { minLength: 2 })
			.map((parts) => parts.map(([key, json]) => `"${key}"${space}:${space}${json}`).join(',')),
	)
	.map((inside) => `{${inside}}`);

test('whatever reader a service has: a body that is let through is within the limits', () => {
	const numRuns = propertyRuns(20_000);
	let passed = 0;
	fc.assert(
		fc.property(jsonText, (body) => {
			const { request } = limited(text(body));
			if (!request) return;
			passed++;
			for (const read of READERS) {
				const { amount, currency } = read(request.body as string);
				expect(checkLimits({ amount, currency }, LIMITS)).toBeUndefined();
			}
		}),
		{ numRuns },
	);
	expect(passed).toBeGreaterThanOrEqual(Math.floor(numRuns / 200));
});

test('nothing that a request can be makes it throw', () => {
	const anything = fc.anything({ withMap: true, withNullPrototype: true, withBigInt: true });
	const url = fc.oneof(fc.constant(URL_), anything);
	fc.assert(
		fc.property(
			url,
			anything,
			anything,
			anything,
			anything,
			(address, body, headers, method, form) => {
				const result = limitRequest({ url: address, body, headers, method, form }, LIMITS, URL_);
				expect(result.problem ?? result.request).toBeDefined();
			},
		),
	);
});
