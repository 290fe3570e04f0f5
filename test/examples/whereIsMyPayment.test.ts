import { paymentRow, sealOf, type TextRow } from '../support/builders/paymentRows';
import { runCode } from '../support/codeNode';

const SETTINGS = [{ setting: 'time zone', value: 'Europe/Copenhagen' }];

interface Answer {
	title: string;
	answer: string;
	found: boolean;
	payments: Array<{ since: string; isGenuine: boolean }>;
}

/** Asks about rows whose seals the node before has calculated. */
function ask(rows: TextRow[], settings = SETTINGS): Answer {
	const input = rows.map((row) => ({ ...row, check: sealOf('payments', row) }));
	const outputs = { Question: [{ reference: 'INV-1' }], Settings: settings };
	const [answer] = runCode('answerAboutPayments', rows.length ? input : [{}], outputs);
	return answer as unknown as Answer;
}

test.each([
	['to approve', { decidedAt: '', sentAt: '', acceptedAt: '' }, ''],
	['not sent', { decidedAt: '2026-11-10T07:00:00.000Z', sentAt: '', acceptedAt: '' }, '08:00'],
	['in doubt', { acceptedAt: '' }, '10:00'],
	['accepted', {}, '10:00'],
	['returned', { statusAt: '1794304800000' }, '11:00'],
])('a payment with the result %s says since when', (result, values, time) => {
	const { title, answer, payments } = ask([paymentRow({ result, ...values })]);
	expect(title).toBe(result);
	expect(answer).toContain(`INV-1 of Harbour Bakery, EUR 100.00: ${result}`);
	expect(payments[0].since).toBe(time && `2026-11-10 ${time} (Europe/Copenhagen)`);
});

test('without a time zone, times are in UTC, and say so', () => {
	expect(ask([paymentRow({})], []).payments[0].since).toBe('2026-11-10 09:00 (UTC)');
});

test('while sending is stopped, the answer about an approved payment says so', () => {
	const row = paymentRow({ result: 'not sent', decision: 'approved' });
	const stopped = (value: string) =>
		ask([row], [...SETTINGS, { setting: 'stopped', value }]).answer;
	expect(stopped('yes')).toContain('Sending is stopped');
	expect(stopped('no')).not.toContain('Sending is stopped');
});

test('a row that somebody changed is not relied on', () => {
	const [row] = [paymentRow({ result: 'accepted', explanation: 'The service has it.' })];
	const { payments, answer } = ask([{ ...row, result: 'paid' }]);
	expect(payments[0].isGenuine).toBe(false);
	expect(answer).toMatch(/row of this payment was changed/);
	expect(answer).not.toContain('The service has it.');
});

test('several payments with one invoice are all named, and none is made up', () => {
	const two = [paymentRow({}), paymentRow({ supplier: 'Thames Cycles', result: 'rejected' })];
	const { title, answer } = ask(two);
	expect(title).toBe('2 payments');
	expect(answer).toMatch(
		/2 payments have "INV-1".*Harbour Bakery.*accepted.*Thames Cycles.*rejected/,
	);
	expect(ask([])).toMatchObject({ found: false, title: 'Not found', payments: [] });
});
