import { createHmac } from 'node:crypto';

import { parseCaptured } from '../../check/listen/capturedDelivery';
import { startReceiver } from '../../check/listen/receiver';
import { tryDelivery } from '../../check/listen/tryDelivery';
import { verdictOf } from '../../check/verdict';
import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';
import { schemes } from '../../sandbox/deliveries/sign';
import type { ToSign } from '../../sandbox/deliveries/sign/types';

/* The sandbox signs with code of its own, so the check can't share its misunderstanding. */

const NOW = Date.UTC(2026, 4, 4, 12);
const SECRET = 'the-secret-of-this-endpoint';
const KEY = `whsec_${Buffer.from('a key of at least 24 bytes in all').toString('base64')}`;
const EVENT = { id: 'evt_1', event: 'PAYMENT.CREATED', data: { amount: '1.00', name: 'Müller' } };
const BODY = JSON.stringify(EVENT);

const signed = (
	scheme: keyof typeof schemes,
	more: Partial<ToSign> = {},
	sent = BODY,
): Delivery => {
	const body = more.body ?? BODY;
	const headers = schemes[scheme]({
		body,
		eventId: 'evt_1',
		createdAt: NOW,
		attemptAt: NOW,
		secret: SECRET,
		endpoint: {},
		...more,
	});
	return {
		headers: { 'content-type': 'application/json', ...headers },
		rawBody: Buffer.from(sent),
	};
};

const settingsOf = (delivery: Delivery, secret = SECRET, now = NOW) => {
	const { findings, signature } = tryDelivery(delivery, secret, now);
	const { name, settings, reasons } = verdictOf(findings);
	return {
		name,
		signature,
		reasons,
		set: settings.map(({ field, value }) => `${field}: ${value}`),
	};
};

describe('a delivery that the trigger accepts', () => {
	test.each<[string, Delivery, string, string[]]>([
		[
			'a message signature',
			signed('messageSignature'),
			SECRET,
			['Signature Scheme: Message Signature'],
		],
		[
			'Standard Webhooks',
			signed('standardWebhooks', { secret: KEY }),
			KEY,
			['Signature Scheme: Standard Webhooks', 'Timestamp Tolerance (Minutes): 5'],
		],
		[
			'an HMAC of the body in hex',
			signed('hmacSha256', { endpoint: { headerName: 'x-hook-mac' } }),
			SECRET,
			['Signature Scheme: HMAC-SHA256 of the Body', 'Header Name: x-hook-mac'],
		],
		[
			'an HMAC of the body in base64, with a prefix',
			signed('hmacSha256', {
				endpoint: { headerName: 'x-signature', encoding: 'base64', prefix: 'sha256=' },
			}),
			SECRET,
			['Signature Scheme: HMAC-SHA256 of the Body', 'Header Name: x-signature'],
		],
	])('%s', (_name, delivery, secret, settings) => {
		const { name, set } = settingsOf(delivery, secret);
		expect([name, set]).toEqual(['fitsIfSet', settings]);
	});

	it('says where the event type is, and what makes a duplicate', () => {
		const { findings } = tryDelivery(signed('messageSignature'), SECRET, NOW);
		const texts = findings.map(({ text }) => text).join();
		expect(texts).toContain('PAYMENT.CREATED');
		expect(texts).toContain('duplicate');
	});
});

describe('a delivery that the trigger rejects', () => {
	const spaced = JSON.stringify(EVENT, null, 2);
	const decodedMac = createHmac('sha256', Buffer.from('ab'.repeat(16), 'hex'))
		.update(BODY)
		.digest('hex');
	test.each<[string, Delivery, RegExp, string?, number?]>([
		[
			'a body that was parsed and written again',
			signed('messageSignature', { body: BODY }, spaced),
			/body isn't the one that was signed/,
		],
		[
			'a body that lost its indentation',
			signed('hmacSha256', { body: spaced }),
			/body isn't the one that was signed/,
		],
		[
			'a line break at the end of the body',
			signed('messageSignature', {}, `${BODY}\n`),
			/line break/,
		],
		[
			'letters that became escapes',
			signed('messageSignature', { body: BODY.replace('ü', '\\u00fc') }),
			/body isn't the one that was signed/,
		],
		[
			'a clock that is off',
			signed('standardWebhooks', { secret: KEY }),
			/45 minutes after it arrived/,
			KEY,
			NOW - 45 * 60_000,
		],
		[
			'an old one',
			signed('standardWebhooks', { secret: KEY }),
			/180 minutes before it arrived/,
			KEY,
			NOW + 180 * 60_000,
		],
		['a secret in quotation marks', signed('messageSignature'), /quotation marks/, `"${SECRET}"`],
		['another secret', signed('messageSignature'), /signature/, 'the-secret-of-another-endpoint'],
		[
			'a secret that the service decodes',
			{ headers: { 'x-mac': decodedMac }, rawBody: Buffer.from(BODY) },
			/decoded from hex/,
			'ab'.repeat(16),
		],
		[
			'no signature',
			{ headers: { 'content-type': 'application/json' }, rawBody: Buffer.from(BODY) },
			/isn't signed/,
		],
		[
			'the secret itself',
			{ headers: { 'x-secret': SECRET }, rawBody: Buffer.from(BODY) },
			/Header Auth/,
		],
		[
			'a header that a proxy dropped',
			{
				...signed('messageSignature'),
				headers: { 'signature-input': 'fr1=("digest");created=1', digest: 'x' },
			},
			/no readable signature header/,
		],
		['no JSON', signed('messageSignature', { body: '<x/>' }, '<x/>'), /JSON/],
		['no event type', signed('messageSignature', { body: '{"id":1}' }, '{"id":1}'), /event/],
	])('%s', (_name, delivery, reason, secret = SECRET, now = NOW) => {
		const { name, reasons } = settingsOf(delivery, secret, now);
		expect(name).toBe('doesntFit');
		expect(reasons.join()).toMatch(reason);
		expect(reasons.join()).not.toContain(secret);
	});
});

describe('a captured request', () => {
	const { headers } = signed('messageSignature');
	const lines = Object.entries(headers).map(
		([name, value]) => `${name.toUpperCase()}: ${String(value)}`,
	);

	test.each([
		['raw HTTP', `POST /hook HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${BODY}`],
		['header lines', `${lines.join('\n')}\n\n${BODY}`],
		['JSON with a text', JSON.stringify({ headers, body: BODY })],
		[
			'JSON with bytes',
			JSON.stringify({ headers, bodyBase64: Buffer.from(BODY).toString('base64') }),
		],
	])('%s has the exact bytes', (_name, content) => {
		const { value } = parseCaptured(Buffer.from(content));
		expect(value!.rawBody.toString()).toBe(BODY);
		expect(tryDelivery(value!, SECRET, NOW).signature).toEqual({ scheme: 'messageSignature' });
	});

	test.each(['', '{', '{}', '{"headers":{}}', '{"headers":{},"body":1}', 'no request', '\n\n{}'])(
		'%j is explained',
		(content) => {
			expect(parseCaptured(Buffer.from(content)).problem?.fix).toContain('bodyBase64');
		},
	);
});

it('the receiver acknowledges a delivery, keeps its bytes, and takes nothing else', async () => {
	const receiver = await startReceiver(0);
	const url = `http://127.0.0.1:${receiver.port}/any/path`;
	expect((await fetch(url)).status).toBe(405);
	const sent = signed('messageSignature');
	const headers = sent.headers as Record<string, string>;
	expect((await fetch(url, { method: 'POST', headers, body: BODY })).status).toBe(200);
	const received = await receiver.first;
	expect(Math.abs(Date.now() - received.arrivedAt)).toBeLessThan(60_000);
	expect(tryDelivery(received, SECRET, NOW).signature).toEqual({ scheme: 'messageSignature' });
	await receiver.stop();
});
