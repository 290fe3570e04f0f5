import { parseErrorBody } from '../../../../../nodes/Payments/sending/response/responseBody';

const NOTHING = { errorCode: undefined, message: undefined, warnings: [] };

test.each<[unknown, object]>([
	[undefined, { warnings: [] }],
	[null, { warnings: [] }],
	[[], { warnings: [] }],
	[5, { warnings: [] }],
	['', { warnings: [] }],
	[' ', { warnings: [] }],
	[' No. ', { message: 'No.', warnings: [] }],
	['x'.repeat(600), { message: 'x'.repeat(500), warnings: [] }],
	['<html>', { warnings: [] }],
	['5 < 6', { message: '5 < 6', warnings: [] }],
	[{}, NOTHING],
	[
		{ errorCode: ' E ', message: ' m ', error: 'e', error_description: 'd' },
		{ ...NOTHING, errorCode: 'E', message: 'm' },
	],
	[
		{ errorCode: ' ', message: '', error: 'e', error_description: 'd' },
		{ ...NOTHING, errorCode: 'e', message: 'd' },
	],
	[{ errorCode: 5, message: {} }, NOTHING],
	[
		{ error: { code: 'C', message: 'm', errors: [{ reason: 'r' }] } },
		{ errorCode: 'C', message: 'm', warnings: [{ position: '', issue: 'r' }] },
	],
	[
		{ errors: [{ detail: 'd', source: { pointer: '/amount' } }] },
		{ ...NOTHING, warnings: [{ position: '/amount', issue: 'd' }] },
	],
	[{ warnings: {} }, NOTHING],
	[
		{ warnings: [{ position: ' p ', issue: 5 }, {}, null, 'x', [], { issue: 'i' }] },
		{
			...NOTHING,
			warnings: [
				{ position: 'p', issue: '' },
				{ position: '', issue: '' },
				{ position: '', issue: 'x' },
				{ position: '', issue: 'i' },
			],
		},
	],
])('the body of a rejection: %j', (body, expected) =>
	expect(parseErrorBody(body)).toEqual(expected),
);
