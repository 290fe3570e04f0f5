import {
	isNotNow,
	isRedirect,
	isWebPage,
	statusSays,
	type StatusSays,
} from '../../../nodes/shared/statuses';

const all = Array.from({ length: 400 }, (_, index) => 200 + index);

test.each<[StatusSays, number[]]>([
	['success', all.filter((status) => status < 300 && status !== 207)],
	['multiStatus', [207]],
	['redirect', [307, 308]],
	['refused', [400, 402, 422, 451]],
	['badForm', [406, 411, 412, 413, 414, 415, 416, 417, 426, 428, 431, 505]],
	['conflict', [409]],
	['unauthorized', [401]],
	['forbidden', [403]],
	['noSuchPath', [404, 410, 421]],
	['wrongMethod', [405, 501]],
	['proxySignIn', [407, 511]],
	['timeout', [408]],
	['tooEarly', [425]],
	['limit', [429]],
	['unavailable', [503]],
])('%s is what %j say', (says, statuses) =>
	expect(all.filter((status) => statusSays(status) === says)).toEqual(statuses),
);

test('a redirect, and what may work later', () => {
	expect(all.filter(isRedirect)).toEqual(all.filter((status) => status >= 300 && status < 400));
	expect(all.filter(isNotNow)).toEqual([
		408,
		425,
		429,
		...all.filter((status) => status >= 500 && ![501, 505, 511].includes(status)),
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
	expect(isWebPage({ headers: { 'content-type': type }, body })).toBe(expected),
);
