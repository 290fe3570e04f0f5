import { hasOwnWords, quoteWords } from '../../../nodes/shared/serviceWords';
import { UNREADABLE } from '../../../nodes/shared/serviceResponse';

/* How documented APIs write it is in documentedResponses.test.ts. */

const HTML = { 'content-type': 'text/html' };
const quote = (body: unknown, headers = {}) => quoteWords({ status: 400, headers, body });

test.each<[form: string, body: unknown, quoted: string]>([
	['nothing', undefined, ''],
	['null', null, ''],
	['an empty object', {}, ''],
	['an empty list', [[]], ''],
	['what broke off', UNREADABLE, ''],
	['text', ' No.\n\tNever. ', '"No. Never."'],
	['a number', 42, '"42"'],
	['a long text', 'é'.repeat(600), `"${'é'.repeat(200)}…"`],
	['characters that are two of UTF-16', '😀'.repeat(300), `"${'😀'.repeat(200)}…"`],
	[
		'the interface',
		{
			errorCode: 'INVALID',
			message: 'No.',
			warnings: [
				{ position: 'amount', issue: 'Is too large' },
				{ position: 'currency', issue: 'Is closed' },
			],
		},
		'"INVALID: No.; amount: Is too large; currency: Is closed"',
	],
	[
		'a message with its warnings',
		{
			message: 'Not valid: a: Is 0; b: Is 1.',
			warnings: [
				{ position: 'a', issue: 'Is 0' },
				{ position: 'b', issue: 'Is 1' },
			],
		},
		'"Not valid: a: Is 0; b: Is 1."',
	],
	['OAuth', { error: 'e', error_description: 'd' }, '"e: d"'],
	['Spring Boot', { status: 400, error: 'Bad Request', path: '/api' }, '"Bad Request"'],
	['RFC 9457', { type: 'https://a.example/limit', title: 'T', status: 400, detail: 'D' }, '"T: D"'],
	['RFC 9457 without a type', { type: 'about:blank', title: 'Bad Request' }, '"Bad Request"'],
	['a code that is the status', { code: 400, message: 'No.' }, '"No."'],
	['the same said twice', { error: 'No.', message: 'No.', errors: ['No.'] }, '"No."'],
	[
		'Django, Rails',
		{ amount: ['Is invalid', 'Too large'] },
		'"amount: Is invalid; amount: Too large"',
	],
	[
		'Django, nested',
		{ sender: { countryCode: ['Is required'] } },
		'"sender.countryCode: Is required"',
	],
	[
		'Laravel',
		{ message: 'Invalid.', errors: { amount: ['Is required.'] } },
		'"Invalid.; amount: Is required."',
	],
	['a text for each field', { errors: { amount: 'Is required' } }, '"amount: Is required"'],
	[
		'Google',
		{
			error: {
				message: 'M',
				details: [{ fieldViolations: [{ field: 'amount', description: 'N' }] }],
			},
		},
		'"M; amount: N"',
	],
	['JSON:API', { errors: [{ detail: 'D', source: { pointer: '/amount' } }] }, '"/amount: D"'],
	[
		'FastAPI',
		{ detail: [{ loc: ['body', 'amount'], msg: 'M', type: 'missing' }] },
		'"body.amount: missing: M"',
	],
	['Apigee', { fault: { faultstring: 'M', detail: { errorcode: 'E' } } }, '"errorcode: E"'],
	['a list', [{ field: 'amount', message: 'M' }], '"amount: M"'],
	['only a code', { code: 'TX-1' }, '"code: TX-1"'],
	// Names that nobody has to know.
	[
		'German',
		{ fehler: { code: 'TX-4711', text: 'Zu hoch' } },
		'"fehler.code: TX-4711; fehler.text: Zu hoch"',
	],
	['nobody’s', { a: [{ b: 'x'.repeat(300) }] }, `"a.b: ${'x'.repeat(195)}…"`],
	[
		'XML',
		'<?xml version="1.0"?>\n<e lang="en"><c>1</c>\n <m><![CDATA[It is <b>]]> closed</m></e>',
		'"1 It is closed"',
	],
	['an inequality', 'amount < 5 and > 3', '"amount < 5 and > 3"'],
	[
		'many that differ',
		{ warnings: Array.from({ length: 200 }, (_, n) => ({ position: 'a', issue: `b${n + 100}` })) },
		`"${Array.from({ length: 200 }, (_, n) => `a: b${n + 100}`)
			.join('; ')
			.slice(0, 500)}…"`,
	],
])('%s', (_, body, quoted) => expect(quote(body)).toBe(quoted));

test('a web page is named, and its text is quoted', () => {
	const page = '<html><head><title>Blocked</title><style>a{}</style></head><p>Ray 1</p></html>';
	expect(quote(page)).toBe('a web page: "Blocked Ray 1"');
	expect(quote('n8n is starting up', HTML)).toBe('a web page: "n8n is starting up"');
	expect(quote('', HTML)).toBe('a web page');
});

test.each(['<', ' .', '4 '])('takes linear time: %j, 200,000 times', (text) => {
	const body = `${text.repeat(200_000)}x`;
	const startedAt = performance.now();
	quote(body);
	hasOwnWords({ status: 404, headers: {}, body });
	expect(performance.now() - startedAt).toBeLessThan(2000);
});

test.each<[boolean, unknown, object?]>([
	[true, 'Balance account is suspended'],
	[true, { code: 'RECIPIENT_NOT_FOUND' }],
	[true, { error: 'Not Found', mensaje: 'No existe' }],
	[true, { fehler: { text: 'Gesperrt' } }],
	[true, '<e><m>No such party</m></e>'],
	[true, { message: 'Cannot POST /api/v1/transactions' }],
	[false, undefined],
	[false, {}],
	[false, ' \n'],
	[false, UNREADABLE],
	[false, { detail: 'Not Found' }],
	[false, { success: false, message: 'Forbidden.', code: 403 }],
	[false, '404 page not found\n'],
	[false, { timestamp: '2026-11-26T20:34:00.000+00:00', error: 'Not Found', path: '/api/v1' }],
	[false, '<html><p>Sign in</p></html>'],
	[false, 'Sign in', HTML],
])('has words of its own: %p, %j', (expected, body, headers = {}) =>
	expect(hasOwnWords({ status: 404, headers: { ...headers }, body })).toBe(expected),
);
