import { createHmac, randomUUID } from 'node:crypto';

import { parseCaptured, tryDelivery } from '../../check/delivery';
import { markdownPage, PROVIDER_QUESTIONS, terminalPage, verdictLines } from '../../check/report';
import { verdictOf, type Finding, type VerdictName } from '../../check/verdict';
import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { PaymentsWebhookApi } from '../../credentials/PaymentsWebhookApi.credentials';
import { checkService, repeatsWith, SECRET, type Answers } from '../support/servers/checkedService';
import { read } from '../support/sourceTexts';

/* What the check says of services that answer in their own way. */

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS' };

test.each<[string, Answers, VerdictName, ...string[]]>([
	['a known code', repeatsWith(409, EXISTS), 'fits'],
	['an unknown code', repeatsWith(409, { code: 'TWICE' }), 'fitsIfSet', 'TWICE'],
	['an unknown code with 400', repeatsWith(400, { code: 'TWICE' }), 'fitsIfSet', 'TWICE'],
	[
		'a general code with 400',
		repeatsWith(400, { code: 'VALIDATION_ERROR', message: 'Has been sent before' }),
		'fitsIfSet',
		'"Has been sent before"',
	],
	[
		'409 that says nothing',
		repeatsWith(409, { error: 'Conflict', status: 409 }),
		'fitsIfSet',
		'409',
	],
	[
		'a unique column',
		({ first, body }, answer) => {
			const { eventId } = JSON.parse(body) as { eventId: string };
			if (first === undefined) answer(202);
			else answer(400, { eventId: [`${eventId} has been taken already.`] });
		},
		'doesntFit',
	],
	[
		'one that compares whole requests',
		({ first, body, id }, answer) => {
			if (first === undefined || first === body)
				answer(202, { id }, first === undefined ? {} : { 'idempotent-replayed': 'true' });
			else answer(400, { error: { type: 'idempotency_error' } });
		},
		'fitsIfSet',
		'a value of your data',
	],
	[
		'one that compares them, with a code of its own',
		({ first, body, id }, answer) => {
			if (first === undefined || first === body) answer(202, { id });
			else answer(422, { code: 'BODY_DIFFERS' });
		},
		'fitsIfSet',
		'a value of your data',
	],
	[
		'500 to the second of two at once',
		({ first, isFirstOpen }, answer) => {
			if (first === undefined) setTimeout(() => answer(202), 50);
			else if (isFirstOpen) answer(500);
			else answer(409, EXISTS);
		},
		'fits',
	],
	['a replay', ({ id }, answer) => answer(202, { id }), 'fits'],
	['recorded again', (_, answer) => answer(202, { id: randomUUID() }), 'doesntFit'],
	['a success that says nothing', (_, answer) => answer(202), 'notKnown'],
	['no valid transaction created', (_, answer) => answer(200, { success: false }), 'doesntFit'],
])('%s: %s', async (_, answers, verdict, ...values) => {
	const made = await checkService(answers);
	expect(terminalPage({ service: 's', checkedAt: '', findings: made.findings })).toContain('fit');
	expect(verdictOf(made.findings)).toBe(verdict);
	const set = made.findings.flatMap((one) => (one.kind === 'set' ? one.value : []));
	expect(set.at(-1)).toBe(values.at(-1));
});

test('with a code that was stated before, it fits, and the verdict still names it', async () => {
	const made = await checkService(repeatsWith(409, { code: 'TWICE' }), { recordedCodes: 'TWICE' });
	const [verdict, entered] = verdictLines({ findings: made.findings, check: made });
	expect(verdict).toBe('It fits.');
	expect(entered).toMatch(/Codes for Recorded Already: TWICE$/);
});

test.each<[string, Answers, RegExp]>([
	[
		'another path',
		(_, answer) => answer(404, { detail: 'Not found' }),
		/Base URL is probably wrong/,
	],
	['another method', (_, answer) => answer(405), /Base URL is probably wrong/],
	['a web page', (_, answer) => answer(200, '<html>'), /Base URL is probably wrong/],
	['a client without rights', (_, answer) => answer(403), /Scope/],
	['a broken service', (_, answer) => answer(500), /Ask the provider/],
])('nothing can be checked: %s', async (_, answers, says) => {
	await expect(checkService(answers)).rejects.toThrow(says);
});

test('the page for the provider has what only they know', async () => {
	const made = await checkService(repeatsWith(409, EXISTS));
	const page = markdownPage({ service: 's', checkedAt: '', findings: made.findings, check: made });
	for (const question of PROVIDER_QUESTIONS) {
		expect(page).toContain(question);
		expect(read('docs/does-it-fit.md')).toContain(question);
	}
});

test('a service that checks no token does not fit', async () => {
	const made = await checkService(repeatsWith(409, EXISTS), { checksToken: false });
	expect(verdictOf(made.findings)).toBe('doesntFit');
	expect(JSON.stringify(made.findings)).not.toContain(SECRET);
});

test('the settings are named as the editor names them', () => {
	const names = [...new PaymentsApi().properties, ...new PaymentsWebhookApi().properties].flatMap(
		({ displayName, options = [] }) => [displayName, ...options.map(({ name }) => name)],
	);
	for (const name of ['Codes for Recorded Already', 'Client ID', 'Signature Scheme', 'Header Name'])
		expect(names).toContain(name);
	for (const name of ['Message Signature', 'Standard Webhooks', 'HMAC-SHA256 of the Body'])
		expect(names).toContain(name);
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
		['a wrong secret', { 'X-Signature': hex }, /wasn't made with this secret/],
		[
			'the form of Stripe',
			{ 'Stripe-Signature': `t=1764028800,v1=${hex}` },
			/t=…,v1=….*isn't supported/,
		],
		['no signature', { 'X-Request': 'a' }, /no signature.*x-request/],
	])('%s', (_, headers, says) => {
		const findings = readDelivery(headers, 'another secret that is long enough');
		expect(verdictOf(findings)).toBe('doesntFit');
		expect(textsOf(findings)).toMatch(says);
	});
});
