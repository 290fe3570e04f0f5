import { runCode, type Json } from '../support/codeNode';
import { paymentRow, sealOf, type TextRow } from '../support/builders/paymentRows';

/* The Code nodes of the job nothing-left-in-doubt. */

const NOW = '2026-12-01T12:00:00.000Z';
const ago = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
const setting = (name: string, value: string) => ({ setting: name, value });
const SETTINGS = [
	setting('stopped', 'no'),
	setting('time zone', 'Europe/Copenhagen'),
	setting('events due within hours', '24'),
	setting('approver', 'Amir@payments.example'),
];

interface Open {
	open: Array<TextRow & { isGenuine: boolean }>;
	alerts: Array<{ key: string; text: string; to: string }>;
	isStopped: boolean;
	zone: string;
}

function look(rows: TextRow[], settings = SETTINGS, more: Record<string, Json[]> = {}): Open {
	const read = rows.map((row) => ({ ...row, check: sealOf('payments', row) }));
	const outputs = { Settings: settings, 'Calculate Seals': read, Log: [{}], ...more };
	const codes = ['openPayments', 'alertsAtOnce', 'alertsOfTheDay', 'reminders'];
	const run = (input: Json[], file: string) => runCode(file, input, outputs, NOW);
	return codes.reduce(run, read)[0] as unknown as Open;
}

const unsent = { firstSentAt: '', sentAt: '', acceptedAt: '', result: 'not sent' };

test.each<[string, TextRow, RegExp | undefined]>([
	['needs attention', { result: 'needs attention', explanation: 'Lost.' }, /attention.*Lost\./],
	['in doubt for long', { result: 'in doubt', firstSentAt: ago(2) }, /In doubt for more than an/],
	['in doubt since now', { result: 'in doubt', firstSentAt: ago(0.5) }, undefined],
	['accepted for long', { acceptedAt: ago(25) }, /no event for more than 24 hours/],
	['accepted with an event', { acceptedAt: ago(25), statusAt: '1' }, undefined],
	['accepted since now', { acceptedAt: ago(23) }, undefined],
	['approved for long', { ...unsent, decidedAt: ago(2) }, /weren't sent for more than an hour/],
	['approved since now', { ...unsent, decidedAt: ago(0.5) }, undefined],
	[
		'approved, and waits for a limit',
		{ ...unsent, decidedAt: ago(9), explanation: 'Waits for tomorrow: the limit is reached.' },
		undefined,
	],
])('a payment that is %s', (_, values, says) => {
	const { alerts } = look([paymentRow(values)]);
	expect(alerts.map(({ text }) => text)).toEqual(
		says ? [expect.stringMatching(says) as string] : [],
	);
});

test('a payment that was declined is not open, and one that was approved is', () => {
	const declined = paymentRow({ ...unsent, decision: 'declined' });
	const approved = paymentRow({ ...unsent, invoice: 'INV-2', decision: 'approved' });
	expect(look([declined, approved]).open.map(({ invoice }) => invoice)).toEqual(['INV-2']);
});

test('a row that somebody changed is an alert', () => {
	const changed = { ...paymentRow({ acceptedAt: ago(1) }), amount: '1.00' };
	expect(look([changed]).alerts).toMatchObject([{ text: expect.stringMatching(/^Changed/) }]);
});

test('while sending is stopped, an alert says how many wait or were on their way', () => {
	const rows = [paymentRow({ result: 'sent' }), paymentRow({ ...unsent, decidedAt: ago(5) })];
	const { alerts, isStopped } = look(rows, [setting('stopped', 'yes')]);
	expect(isStopped).toBe(true);
	expect(alerts.map(({ text }) => text)).toEqual([
		expect.stringMatching(/^2 payments wait.*sending is stopped/),
	]);
	// Anything but "no" stops, also a setting that is missing.
	expect(look(rows, []).isStopped).toBe(true);
});

test('an alert has the same key until something changes, and one a day for what is general', () => {
	const keys = (values: TextRow) => look([paymentRow(values)]).alerts.map(({ key }) => key);
	const attention = { result: 'needs attention' };
	expect(keys(attention)).toEqual(keys({ ...attention, history: 'more' }));
	expect(keys({ acceptedAt: ago(25) })).toEqual(['silence 2026-12-01']);
});

test.each([
	[{ execution: { id: '7', url: 'http://n8n/7', error: { message: 'No table.' } } }, /No table\./],
	[{ trigger: { error: { message: 'No trigger.' } } }, /No trigger\./],
])('an execution that stopped is an alert', (event, says) => {
	const failed = [{ workflow: { name: 'Pay' }, ...event }];
	const { alerts } = look([], SETTINGS, { 'When an Execution Fails': failed });
	expect(alerts).toMatchObject([{ text: expect.stringMatching(says) }]);
	expect(alerts[0].text).toContain('The workflow Pay stopped');
});

const ATTENTION = paymentRow({ result: 'needs attention', day: '2026-11-10' });
const pageOf = (rows: TextRow[], settings = SETTINGS) => {
	const seen = look(rows, settings) as unknown as Json;
	const codes = ['openPaymentsTables', 'findingFields', 'tablesPage'];
	const run = (input: Json[], file: string) => runCode(file, input, { Reminders: [seen] });
	const [page] = codes.reduce(run, [seen]);
	return page.form as Array<Json & { html?: string }>;
};

test('the page says how to find out, and never to correct something', () => {
	const [list, how, payment, finding] = pageOf([ATTENTION]);
	expect(list.html).toContain('<h3>needs attention: 1</h3>');
	expect(how.html).toMatch(/Ask your service for the Event ID/);
	expect(JSON.stringify([list, how, payment, finding])).not.toMatch(/correct it/i);
	expect(payment.fieldOptions).toEqual({
		values: [{ option: `${ATTENTION.externalId} (EUR 100.00)` }],
	});
});

test('the page asks about nothing if nothing needs attention, and shows text as text', () => {
	const fields = pageOf([paymentRow({ supplier: '<b>' })]);
	expect(fields).toHaveLength(1);
	expect(fields[0].html).toContain('&#60;b&#62;');
	expect(pageOf([])[0].html).toContain('Nothing is open.');
	expect(pageOf([], [])[0].html).toContain('Sending is stopped');
});

describe('what a person found out', () => {
	const FORM = {
		Payment: `${ATTENTION.externalId} (EUR 100.00)`,
		Finding: "The service doesn't have it",
		'How do you know': 'I asked Ann at the service',
		user: { email: 'amir@payments.example' },
	};
	const found = (changes: Json, rows = [ATTENTION]) =>
		runCode('foundOut', [], {
			'Show List': [{ ...FORM, ...changes }],
			Settings: SETTINGS,
			'Open Payments': [look(rows) as unknown as Json],
		});

	test.each([
		[{}, 'failed', ''],
		[{ Finding: 'The service has it' }, 'accepted', '2026-11-10'],
	])('%j: the result is %s', (changes, result, day) => {
		const [row] = found(changes);
		expect(row).toMatchObject({ result, day, previous: ATTENTION.seal });
		expect(row.explanation).toContain('amir@payments.example: I asked Ann');
		expect(row.history).toContain('found out by amir@payments.example');
	});

	test.each<[string, Json]>([
		['nobody signed in', { user: undefined }],
		['who signed in is no approver', { user: { email: 'eve@payments.example' } }],
		['there is no reason', { 'How do you know': ' ' }],
		['no finding is selected', { Finding: '' }],
		['the payment is not on the page', { Payment: 'INV-9.0000000000 (EUR 100.00)' }],
	])('nothing changes if %s', (_, changes) => {
		expect(found(changes)).toEqual([]);
	});

	test('nothing changes for a payment that is in doubt only, or whose row was changed', () => {
		const doubt = paymentRow({ result: 'in doubt', firstSentAt: ago(1) });
		expect(found({}, [doubt])).toEqual([]);
		expect(found({}, [{ ...ATTENTION, account: 'x' }])).toEqual([]);
	});
});

test.each<[string, TextRow, boolean]>([
	['for more than a day', { createdAt: ago(25) }, true],
	['since now', { createdAt: ago(23) }, false],
	['since now, and the agent asked', { createdAt: ago(0), job: 'agent' }, true],
])(
	'the approvers are told daily, but not who asked: a payout run that waits %s',
	(_, values, isTold) => {
		const settings = [
			...SETTINGS,
			setting('approver', 'Lena@payments.example'),
			setting('alert to', 'alerts@payments.example'),
		];
		const waits = (run: string, invoice: string) => ({
			...paymentRow({
				...{ run, invoice, result: 'to approve', decision: '', job: values.job ?? 'payout run' },
				requestedBy: 'lena@payments.example',
			}),
			createdAt: values.createdAt,
		});
		const { alerts } = look([waits('51', 'A'), waits('51', 'B'), waits('52', 'C')], settings);
		expect(alerts.map(({ key, text, to }) => [key, text.split(' wait')[0], to])).toEqual(
			isTold
				? [
						['approve 51 2026-12-01', '2 payments of payout run 51', 'Amir@payments.example'],
						['approve 52 2026-12-01', '1 payments of payout run 52', 'Amir@payments.example'],
					]
				: [],
		);
	},
);

test('an entry of the log that is wrong is an alert', () => {
	const entry = { seal: 's', at: NOW, what: 'x', remark: 'It was changed.' };
	const { alerts } = look([], SETTINGS, { Log: [entry] });
	expect(alerts).toMatchObject([{ key: 'log s', text: expect.stringMatching(/was changed/) }]);
});
