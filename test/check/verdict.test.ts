import { createHmac } from 'node:crypto';

import { parseCaptured, tryDelivery } from '../../check/delivery';
import { markdownPage, terminalPage } from '../../check/report';
import { VERDICTS, verdictOf, type CaseName, type Finding } from '../../check/verdict';
import { checkService, repeatsWith, SECRET, type Answers } from '../support/servers/checkedService';
import { read } from '../support/sourceTexts';

/* What the check says when nothing can be checked, to the provider, and of a delivery. */

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS' };

test.each<[string, Answers, RegExp]>([
	[
		'another path',
		(_, answer) => answer(404, { detail: 'Not found' }),
		/Base URL is probably wrong/,
	],
	['another method', (_, answer) => answer(405), /Base URL is probably wrong/],
	['a web page', (_, answer) => answer(200, '<html>'), /Base URL is probably wrong/],
	[
		'a client without rights',
		(_, answer) => answer(403),
		/Check the Scope.*check again with --scope/,
	],
	['a broken service', (_, answer) => answer(500), /Ask the provider/],
])('nothing can be checked: %s', async (_, answers, says) => {
	await expect(checkService(answers)).rejects.toThrow(says);
});

test('the page for the provider has everything that was sent', async () => {
	let requests = 0;
	const made = await checkService(({ first }, answer) => {
		const headers = { 'x-request-id': `request-${++requests}` };
		if (first === undefined) answer(202, undefined, headers);
		else answer(409, EXISTS, headers);
	});
	const page = markdownPage({ service: 's', checkedAt: '', findings: made.findings, check: made });
	const table = page.split('\n').filter((line) => line.startsWith('| '));
	const [names, , ...rows] = table.map((line) => line.slice(2, -2).split(' | '));
	const cellsOf = (name: string) => rows.map((cells) => cells[names.indexOf(name)]);
	const { sent } = made.service;
	expect(cellsOf('Event ID')).toEqual(sent.map(({ transaction }) => transaction.eventId));
	// The one whose amount is no number, and the one with a wrong token, are answered without an ID.
	const ids = cellsOf('Request ID');
	expect(ids.filter((one) => one === '–')).toHaveLength(2);
	expect(new Set(ids).size).toBe(requests + 1);
	const { first, otherAmount, otherTimes, otherReference, corrected } = made.asked!;
	const changes = cellsOf('Changed under this Event ID');
	expect(
		[first, otherAmount, otherTimes, otherReference, corrected].map(
			(exchange) => changes[sent.indexOf(exchange)],
		),
	).toEqual([
		'–',
		'amount: 1.07, baseAmount: 1.07',
		expect.stringMatching(/^externalCreatedAt: \d+, receivedAt: \d+$/),
		`reference: ${otherReference.transaction.reference}`,
		'amount: 1.00, baseAmount: 1.00',
	]);
});

/** What docs/does-it-fit.md says in its table of verdicts, by the case in the first column. */
const CASES: Record<string, CaseName> = {
	'A new transaction': 'new',
	'The same again': 'repeat',
	'The same, changed': 'changed',
	'One that the service refuses': 'refused',
	'That one, corrected': 'corrected',
};
const ENDING = /`(\w+)`( with the first answer)?/g;

test.each(Object.entries(CASES))('docs: %s', (title, name) => {
	const row = read('docs/does-it-fit.md')
		.split('\n')
		.find((line) => line.startsWith(`| ${title} |`))!;
	const columns = row.split('|').slice(2, 5);
	const [fits, but, doesntFit] = columns.map((column) =>
		[...column.matchAll(ENDING)].map(([, outcome, first]) => (first ? 'firstAgain' : outcome)),
	);
	const kinds = Object.entries(VERDICTS[name]).map(([ending, { kind }]) => ({ ending, kind }));
	const endingsOf = (...wanted: string[]) =>
		kinds.filter(({ kind }) => wanted.includes(kind)).map(({ ending }) => ending);
	expect(fits.sort()).toEqual(endingsOf('fits', 'toKnow').sort());
	expect(but.sort()).toEqual(endingsOf('but').sort());
	expect(doesntFit.sort()).toEqual(endingsOf('doesntFit').sort());
});

test('a service that checks no token does not fit', async () => {
	const made = await checkService(repeatsWith(409, EXISTS), { checksToken: false });
	expect(verdictOf(made.findings)).toBe('doesntFit');
	expect(JSON.stringify(made.findings)).not.toContain(SECRET);
});

describe('a delivery', () => {
	const KEY = 'a signing secret of 32 characters';
	const NOW = Date.UTC(2026, 10, 25);
	const body = JSON.stringify({
		event: 'PAYMENT.CREATED',
		data: { metadata: { externalId: 'E1' } },
	});
	const hex = createHmac('sha256', KEY).update(body).digest('hex');
	const readDelivery = (headers: Record<string, string>, secret = KEY) => {
		const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
		const captured = parseCaptured(Buffer.from(`POST / HTTP/1.1\r\n${head.join('')}\r\n${body}`));
		return tryDelivery(captured, secret, NOW);
	};
	const textsOf = (findings: Finding[]) => findings.map(({ text }) => text).join('\n');

	test('signed over its body: the header, and the event type', () => {
		const findings = readDelivery({ 'X-Signature': `sha256=${hex}` });
		expect(verdictOf(findings)).toBe('fitsIfSet');
		expect(findings).toContainEqual(expect.objectContaining({ value: 'x-signature' }));
		expect(textsOf(findings)).toMatch(/PAYMENT\.CREATED[^]*External ID/);
		// Two settings have one reason.
		const listed = findings.map((one) => ({ title: 'A delivery', ...one }));
		const page = terminalPage({ service: 's', checkedAt: '', findings: listed });
		const lines = page.split('\n').filter((line) => line !== '');
		expect(new Set(lines).size).toBe(lines.length);
	});

	test.each([
		['three hours ago', 3 * 3600, { kind: 'set', value: '180' }],
		['in ten minutes', -600, { kind: 'note', text: expect.stringContaining('clock') }],
	])('signed %s: what to do', (_, age, finding) => {
		const [id, timestamp] = ['evt_1', String(NOW / 1000 - age)];
		const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`);
		const findings = readDelivery({
			'webhook-id': id,
			'webhook-timestamp': timestamp,
			'webhook-signature': `v1,${signature.digest('base64')}`,
		});
		expect(verdictOf(findings)).toBe('fitsIfSet');
		expect(findings[1]).toMatchObject(finding);
	});

	test.each([
		['a wrong secret', { 'X-Signature': hex }, /wasn't made with a secret/],
		[
			'the form of Stripe',
			{ 'Stripe-Signature': `t=1764028800,v1=${hex}` },
			/the form t=…,v1=<64 hex digits>.*Webhook node/,
		],
		['no signature', { 'X-Request': 'a' }, /no signature.*x-request/],
	])('%s', (_, headers, says) => {
		const findings = readDelivery(headers, 'another secret that is long enough');
		expect(verdictOf(findings)).toBe('doesntFit');
		expect(textsOf(findings)).toMatch(says);
	});
});
