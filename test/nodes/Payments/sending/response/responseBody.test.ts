import {
	cleanBody,
	parseErrorBody,
} from '../../../../../nodes/Payments/sending/response/responseBody';

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

describe('what is kept of a body', () => {
	const TOKEN = '5f7e1c2a-9d0b-4c77-8e21';

	test('is 20,000 characters of it, however many members it has, and no more is read', () => {
		let reads = 0;
		const list = new Proxy(
			Array.from({ length: 300_000 }, () => ({ position: 'a', issue: 'event exists' })),
			{ get: (target, name) => (reads++, Reflect.get(target, name) as unknown) },
		);
		const kept = cleanBody({ message: 'x'.repeat(15_000), warnings: list }, TOKEN);
		expect(JSON.stringify(kept).length).toBeLessThan(25_000);
		expect(JSON.stringify(kept)).toContain('left out');
		expect(reads).toBeLessThan(5000);
		const object = Object.fromEntries(Array.from({ length: 83_000 }, (_, index) => [index, 1]));
		expect(JSON.stringify(cleanBody(object, TOKEN)).length).toBeLessThan(25_000);
	});

	test('is without the access token, in values and in names', () => {
		const kept = JSON.stringify(cleanBody({ [`Bearer ${TOKEN}`]: [{ [TOKEN]: TOKEN }] }, TOKEN));
		expect(kept).not.toContain(TOKEN);
		expect(kept).toContain('•••');
	});
});
