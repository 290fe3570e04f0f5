import { isWebPage, meaningOf } from '../../../nodes/shared/statuses';

test('what each status means', () => {
	const all = Array.from({ length: 400 }, (_, index) => 200 + index);
	const statusesOf = (meaning: string) => all.filter((status) => meaningOf(status) === meaning);
	expect(statusesOf('success')).toEqual(all.filter((status) => status < 300));
	expect(statusesOf('redirect')).toEqual(all.filter((status) => status >= 300 && status < 400));
	expect(statusesOf('noSuchPath')).toEqual([404, 410, 421]);
	expect(statusesOf('proxySignIn')).toEqual([407, 511]);
	expect(statusesOf('notNow')).toEqual([
		408,
		425,
		429,
		...all.filter((status) => status >= 500 && ![501, 505, 511].includes(status)),
	]);
	expect(statusesOf('declined')).toEqual([
		400, 402, 406, 409, 411, 412, 413, 414, 415, 416, 417, 422, 426, 428, 431, 451, 505,
	]);
});

const SOAP =
	'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>';

test.each([
	[true, 'text/html; charset=utf-8', undefined],
	[true, 'application/xhtml+xml', '<html/>'],
	[true, undefined, ' <!DOCTYPE html><html></html>'],
	[true, '', '<HTML>'],
	[true, '', '<p>Hello</p>'],
	[true, '', '<center><h1>502</h1></center>'],
	[true, '', '<!-- 404 --><html>'],
	[false, 'application/json', '{}'],
	[false, 'text/plain', 'Hello <b>'],
	[false, 'text/xml', '<?xml version="1.0"?><html-like/>'],
	[false, 'text/xml', SOAP],
	[false, '', '<Error><Code>1</Code></Error>'],
	[false, '', '<Payment/>'],
	[false, '', '<header/>'],
])('is a web page: %p, with the type %j: %j', (expected, type, body) =>
	expect(isWebPage(type, body)).toBe(expected),
);
