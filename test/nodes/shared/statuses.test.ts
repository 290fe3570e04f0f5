import { isWebPage, statusRow } from '../../../nodes/shared/statuses';

const all = Array.from({ length: 400 }, (_, index) => 200 + index);
const statusesWhere = (holds: (row: ReturnType<typeof statusRow>) => boolean) =>
	all.filter((status) => holds(statusRow(status)));

test('what HTTP defines as a refusal is rejected, and every other failure leaves it open', () => {
	expect(statusesWhere(({ outcome }) => outcome === 'rejected')).toEqual([
		307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421,
		422, 425, 426, 428, 431, 451, 501, 505, 511,
	]);
	expect(statusesWhere(({ outcome }) => outcome === 'notSent')).toEqual([429]);
	expect(statusesWhere(({ outcome }) => outcome === 'created')).toEqual(
		all.filter((status) => status < 300 && status !== 207),
	);
});

test('429 and 503 are retried', () => {
	expect(statusesWhere(({ isRetried }) => isRetried)).toEqual([429, 503]);
});

test('refusals that are about a payment', () => {
	expect(
		statusesWhere(({ outcome, evidence }) => outcome === 'rejected' && evidence === 'decision'),
	).toEqual([400, 402, 422, 451]);
	expect(statusesWhere(({ evidence }) => evidence === 'overload')).toEqual([
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
	expect(isWebPage(type, body)).toBe(expected),
);
