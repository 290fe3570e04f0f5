import {
	isWebPage,
	parseErrorBody,
	responseFields,
} from '../../nodes/Payments/sending/responseBody';

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
	[{ warnings: {} }, NOTHING],
	[
		{ warnings: [{ position: ' p ', issue: 5 }, {}, null, 'x', [], { issue: 'i' }] },
		{
			...NOTHING,
			warnings: [
				{ position: 'p', issue: '' },
				{ position: '', issue: '' },
				{ position: '', issue: 'i' },
			],
		},
	],
])('the body of a rejection: %j', (body, expected) =>
	expect(parseErrorBody(body)).toEqual(expected),
);

test.each<[unknown, unknown, boolean]>([
	['text/html', {}, true],
	['TEXT/HTML; charset=utf-8', {}, true],
	['application/xhtml+xml', {}, false],
	['application/html5', {}, false],
	['application/json', {}, false],
	[['text/html'], {}, false],
	[undefined, undefined, false],
	[undefined, '<!DOCTYPE html>', true],
	[undefined, ' \n<HTML lang="en">', true],
	[undefined, '<xml>', false],
	[undefined, 'a <html>', false],
	[undefined, ['<html>'], false],
])('type %j and body %j are a web page: %p', (contentType, body, expected) =>
	expect(isWebPage(contentType, body)).toBe(expected),
);

test.each<[unknown, object]>([
	[{ id: 1 }, { id: 1 }],
	[undefined, {}],
	[null, {}],
	['', {}],
	['OK', { response: 'OK' }],
	[0, { response: 0 }],
	[[1], { response: [1] }],
])('the body of a success, %j, becomes %j', (body, fields) =>
	expect(responseFields(body)).toStrictEqual(fields),
);
