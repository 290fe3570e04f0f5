import { jsonOf, type Statement } from '../../../../nodes/Payments/output/Output';
import { UNREADABLE } from '../../../../nodes/shared/serviceResponse';

const TRANSACTION = {
	externalId: 'x1',
	amount: '1.50',
	currency: 'EUR',
	recipient: 'v1',
	eventId: 'e1',
};
const SAID: Statement = { outcome: 'created', message: 'Created' };

/* The workflows of users read these fields, so their names and their order stay. */
test('the fields that have a value are in their order', () => {
	const all = { ...SAID, fix: 'f', status: 202, headers: { date: 'd' }, body: { id: 1 } };
	expect(Object.entries(jsonOf(all, TRANSACTION))).toEqual([
		['outcome', 'created'],
		['externalId', 'x1'],
		['amount', '1.50'],
		['currency', 'EUR'],
		['recipient', 'v1'],
		['message', 'Created'],
		['fix', 'f'],
		['eventId', 'e1'],
		['statusCode', 202],
		['responseHeaders', { date: 'd' }],
		['response', { id: 1 }],
	]);
	const fix = 'If the service also pays, an event says whether money moved.';
	expect(Object.entries(jsonOf(SAID, {}))).toEqual(Object.entries({ ...SAID, fix }));
});

test.each([
	['1,5', '1,5'],
	[1.5, 1.5],
	['', undefined],
	[null, undefined],
	[true, undefined],
	[{ value: '1.50' }, undefined],
	[['1.50'], undefined],
])('a value of the input, %j, is shown as %j', (value, shown) => {
	const { amount, recipient } = jsonOf(SAID, { amount: value, recipient: value });
	expect([amount, recipient]).toEqual([shown, shown]);
});

test.each([
	[undefined, undefined],
	[null, undefined],
	[' \n', undefined],
	[UNREADABLE, undefined],
	[{}, undefined],
	[[], undefined],
	['OK', 'OK'],
	[0, 0],
	[false, false],
	[{ outcome: 'x' }, { outcome: 'x' }],
])('the response %p is shown as %j', (body, shown) =>
	expect(jsonOf({ ...SAID, body }, TRANSACTION).response).toEqual(shown),
);

test('texts are on one line, so that a row of the table is no higher than the response', () => {
	const { message, fix } = jsonOf({ ...SAID, message: 'One.\n\tTwo', fix: 'Three.\r\nFour' }, {});
	expect([message, fix]).toEqual(['One. Two', 'Three. Four']);
});
