import { jsonOf, withoutEmpty, type Statement } from '../../../../nodes/Payments/output/itemJson';
import { UNREADABLE } from '../../../../nodes/shared/serviceResponse';

const TRANSACTION = {
	externalId: 'x1',
	amount: '1.50',
	currency: 'EUR',
	recipientPaymentChannelId: 'v1',
	sentEventId: 'e1',
};
const SAID: Statement = { outcome: 'created', message: 'Created' };
const ALL: Statement = {
	...SAID,
	fix: 'f',
	idempotencyKey: 'k',
	lastAttemptAt: Date.UTC(2026, 10, 28, 9),
	attempts: 2,
	requestId: 'r1',
	status: 202,
	headers: { date: 'd' },
	body: { id: 1 },
};
const TO_DO = { isSuccess: false, includeResponse: true };
const DONE = { isSuccess: true, includeResponse: false };

/* The workflows of users read these fields, so their names and their order stay. */
test('the fields that have a value are in their order', () => {
	expect(Object.entries(jsonOf(ALL, TRANSACTION, TO_DO))).toEqual([
		['outcome', 'created'],
		['externalId', 'x1'],
		['amount', '1.50'],
		['currency', 'EUR'],
		['message', 'Created'],
		['recipientPaymentChannelId', 'v1'],
		['fix', 'f'],
		['sentEventId', 'e1'],
		['idempotencyKey', 'k'],
		['lastAttemptAt', '2026-11-28T09:00:00.000Z'],
		['attempts', 2],
		['requestId', 'r1'],
		['statusCode', 202],
		['response', '{"id":1}'],
		['responseHeaders', { date: 'd' }],
	]);
});

test.each([
	[DONE, 'outcome externalId amount currency message recipientPaymentChannelId'],
	[
		{ ...DONE, includeResponse: true },
		'outcome externalId amount currency message recipientPaymentChannelId sentEventId statusCode response responseHeaders',
	],
	[
		{ ...TO_DO, includeResponse: false },
		'outcome externalId amount currency message recipientPaymentChannelId fix sentEventId idempotencyKey lastAttemptAt attempts requestId statusCode response',
	],
])('what somebody has to do something about has more: %j', (shown, names) =>
	expect(Object.keys(jsonOf(ALL, TRANSACTION, shown)).join(' ')).toBe(names),
);

test('what has no value is left out', () =>
	expect(withoutEmpty(jsonOf(SAID, {}, DONE))).toEqual(SAID));

test.each([
	['1,5', '1,5'],
	[1.5, 1.5],
	['', undefined],
	[null, undefined],
	[true, undefined],
	[{ value: '1.50' }, undefined],
	[['1.50'], undefined],
])('a value of the input, %j, is shown as %j', (value, shown) => {
	const fields = { amount: value, recipientPaymentChannelId: value };
	const { amount, recipientPaymentChannelId } = jsonOf(SAID, fields, DONE);
	expect([amount, recipientPaymentChannelId]).toEqual([shown, shown]);
});

test.each([
	[undefined, undefined],
	[null, undefined],
	[' \n', undefined],
	[UNREADABLE, undefined],
	[{}, undefined],
	[[], undefined],
	['OK', 'OK'],
	['<html>\n\t<p>No</p>\n</html>', '<html> <p>No</p> </html>'],
	['x'.repeat(501), 'x'.repeat(500)],
	[0, '0'],
	[false, 'false'],
	[[{ code: 'x y' }], '[{"code":"x y"}]'],
])('the response %p is shown as %j', (body, shown) =>
	expect(jsonOf({ ...SAID, body }, TRANSACTION, TO_DO).response).toEqual(shown),
);

test('texts are on one line, so that a row of the table is no higher than the response', () => {
	const said = { ...SAID, message: 'One.\n\tTwo', fix: 'Three.\r\nFour' };
	const { message, fix } = jsonOf(said, {}, TO_DO);
	expect([message, fix]).toEqual(['One. Two', 'Three.\u00a0Four']);
});

test('the first words of a fix are one word for the table, and the rest can wrap', () => {
	const said = { ...SAID, fix: 'word '.repeat(20).trim() };
	const fix = jsonOf(said, {}, TO_DO).fix as string;
	expect(fix.replaceAll('\u00a0', ' ')).toBe(said.fix);
	expect(fix.split(' ').map(({ length }) => length)).toEqual([39, ...Array<number>(12).fill(4)]);
});
