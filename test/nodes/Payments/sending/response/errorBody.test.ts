import { readErrorBody } from '../../../../../nodes/Payments/sending/response/errorBody';

test.each<[form: string, body: unknown, quote: string]>([
	['nothing', undefined, ''],
	['an empty object', {}, ''],
	['text', ' No. ', 'No.'],
	['a web page', '<html>', ''],
	['a long text', 'x'.repeat(600), 'x'.repeat(500)],
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
		'INVALID: No. – amount: Is too large; currency: Is closed',
	],
	['OAuth', { error: 'e', error_description: 'd' }, 'e: d'],
	['Spring Boot', { status: 400, error: 'Bad Request', path: '/api' }, 'Bad Request'],
	['RFC 9457', { type: 'https://a.example/limit', title: 'T', detail: 'D' }, 'limit: D'],
	['RFC 9457 without a type', { type: 'about:blank', title: 'Bad Request' }, 'Bad Request'],
	['dLocal', { code: 514, message: 'Insufficient funds.' }, '514: Insufficient funds.'],
	['a code that is the status', { code: 400, message: 'No.' }, 'No.'],
	[
		'Django, Rails',
		{ amount: ['Is invalid', 'Is too large'] },
		'amount: Is invalid; amount: Is too large',
	],
	[
		'Django, nested',
		{ sender: { countryCode: ['Is required'] } },
		'sender.countryCode: Is required',
	],
	[
		'Laravel',
		{ message: 'Invalid.', errors: { amount: ['Is required.'] } },
		'Invalid. – amount: Is required.',
	],
	['a text for each field', { errors: { amount: 'Is required' } }, 'amount: Is required'],
	[
		'NestJS',
		{ message: ['amount must be a string'], error: 'Bad Request' },
		'Bad Request – amount must be a string',
	],
	[
		'Microsoft',
		{ error: { code: 'BadArgument', message: 'M', details: [{ target: 'amount', message: 'N' }] } },
		'BadArgument: M – amount: N',
	],
	[
		'Google',
		{
			error: {
				message: 'M',
				details: [{ fieldViolations: [{ field: 'amount', description: 'N' }] }],
			},
		},
		'M – amount: N',
	],
	['JSON:API', { errors: [{ detail: 'D', source: { pointer: '/amount' } }] }, '/amount: D'],
	[
		'FastAPI',
		{ detail: [{ loc: ['body', 'amount'], msg: 'M', type: 'missing' }] },
		'body.amount: M',
	],
	['FastAPI, an object', { detail: { code: 'C', message: 'M' } }, 'C: M'],
	['Mangopay', { Message: 'M', Type: 'param_error', errors: null }, 'param_error: M'],
	['BlueSnap', { message: [{ errorName: 'E', code: '1', description: 'D' }] }, 'D'],
	['Rapyd', { status: { error_code: 'E', status: 'ERROR', message: 'M' } }, 'E: M'],
	['Apigee', { fault: { faultstring: 'M', detail: { errorcode: 'E' } } }, 'faultstring: M; E'],
	['a list', [{ field: 'amount', message: 'M' }], 'amount: M'],
	[
		'many',
		{ warnings: Array.from({ length: 22 }, () => ({ position: 'a', issue: 'b' })) },
		`${'a: b; '.repeat(20)}… and 2 more`,
	],
])('the fields and words of the service, as %s has them', (_, body, quote) =>
	expect(readErrorBody(body, 400).quote).toBe(quote),
);

test.each<[body: unknown, codes: string[]]>([
	[{ code: 'A', error_code: 'B', title: 'C' }, ['B', 'A', 'C']],
	[{ error: { code: 'A', errors: [{ reason: 'B' }] } }, ['A', 'B']],
	[
		{ errors: [{ code: 'A' }], warnings: [{ name: 'B' }], details: [{ issue: 'C' }] },
		['A', 'B', 'C'],
	],
	[[{ code: 'A' }], ['A']],
	[{ ErrorCode: 'A', 'error-code': 'B' }, ['A', 'B']],
	[{ detail: { code: 'A' } }, ['A']],
	[{ message: [{ errorName: 'A', code: '1' }] }, ['A', '1']],
	[{ status: { error_code: 'A' } }, ['A']],
	[{ type: 'urn:example:a-b' }, ['a-b']],
	[{ code: 'x'.repeat(101) }, []],
	[{ data: { code: 'A' }, currency: { code: 'EUR' } }, []],
	['A', []],
])('%j has the codes %j', (body, codes) => expect(readErrorBody(body, 400).codes).toEqual(codes));

test('names the fields without their path', () => {
	const errors = ['/eventId', '$.eventId', 'body.eventId'].map((field) => ({
		field,
		message: 'M',
	}));
	expect(readErrorBody({ errors }, 400).fields).toEqual(Array(3).fill('eventId'));
});
