import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import { responses } from '../../nodes/PaymentsTrigger/responses';
import { SECRET, signed } from '../support/signed';
import { startReceiver, type Setup } from './triggerServer';

const event = {
	id: 'evt_1',
	event: 'PAYMENT.CREATED',
	data: { id: 'pmt_1', amount: '2501.00' },
	createdAt: 1748432324513,
};
const payee = { ...event, id: 'evt_2', event: 'PAYEE.CREATED' };

let triggers = 0;

/** Delivers one body to a trigger of a workflow of its own: each has its own memory of what it has taken. */
async function deliver(
	setup: Setup,
	json: unknown,
	headersFor: (body: string) => Record<string, string> = signed,
) {
	const receiver = await startReceiver({ workflowId: `wf${++triggers}`, ...setup });
	try {
		const body = typeof json === 'string' ? json : JSON.stringify(json);
		const response = await fetch(receiver.url, { method: 'POST', body, headers: headersFor(body) });
		const text = await response.text();
		expect(receiver.thrown).toEqual([]);
		return {
			status: response.status,
			headers: response.headers,
			json: text && (JSON.parse(text) as unknown),
			outputs: receiver.runs[0],
			logged: receiver.logged,
		};
	} finally {
		await receiver.stop();
	}
}

describe('what comes out', () => {
	test('the event as it came', async () => {
		expect((await deliver({}, event)).outputs).toEqual([[{ json: event }]]);
	});

	test('an item for each event of a list that is listened to', async () => {
		const { outputs, status } = await deliver({}, [event, payee, { ...event, id: 'evt_3' }]);
		expect([status, outputs]).toEqual([
			200,
			[[{ json: event }, { json: { ...event, id: 'evt_3' } }]],
		]);
	});

	test('all events, also those that no list has', async () => {
		const unknown = { event: 'CARD.FROZEN' };
		expect((await deliver({ parameters: { events: ['*'] } }, unknown)).outputs).toEqual([
			[{ json: unknown }],
		]);
	});

	test('kinds typed by hand', async () => {
		const unknown = { event: 'CARD.FROZEN' };
		expect(
			(await deliver({ parameters: { options: { otherEvents: 'CARD.FROZEN' } } }, unknown)).outputs,
		).toEqual([[{ json: unknown }]]);
	});

	test('kind and id where the service has them', async () => {
		const elsewhere = { meta: { type: 'PAYMENT.CREATED', key: 'k1' } };
		const options = { eventMember: 'meta.type', eventIdMember: 'meta.key' };
		expect((await deliver({ parameters: { options } }, elsewhere)).outputs).toEqual([
			[{ json: elsewhere }],
		]);
		expect((await deliver({ parameters: { options } }, event)).status).toBe(400);
	});

	test('an output for each kind', async () => {
		const parameters = { events: ['PAYEE.CREATED', '*'], options: { outputPerKind: true } };
		expect((await deliver({ parameters }, [event, payee])).outputs).toEqual([
			[{ json: payee }],
			[{ json: event }],
		]);
	});

	test('the headers, when they are asked for, but none that holds a secret', async () => {
		const options = { includeHeaders: true };
		const headersFor = (body: string) => ({
			...signed(body),
			cookie: 'a=b',
			authorization: 'Bearer x',
			'x-trace': 't1',
		});
		const [[item]] = (await deliver({ parameters: { options } }, event, headersFor)).outputs;
		expect(item.json).toMatchObject({
			...event,
			headers: { 'x-trace': 't1', 'signature-input': expect.any(String) },
		});
		expect(Object.keys(item.json.headers as object)).not.toEqual(
			expect.arrayContaining(['cookie']),
		);
		expect(JSON.stringify(item)).not.toMatch(/Bearer x|a=b/);

		const fixed: Setup = {
			parameters: { options },
			credential: { scheme: 'headerValue', secret: SECRET, headerName: 'X-Key' },
		};
		const [[plain]] = (await deliver(fixed, event, () => ({ 'X-Key': SECRET }))).outputs;
		expect(JSON.stringify(plain)).not.toContain(SECRET);
	});

	test('what nobody listens to is answered with its kind, and does not run', async () => {
		const { status, json, outputs } = await deliver({}, [payee, payee, { event: 'X' }]);
		expect([status, json, outputs]).toEqual([
			200,
			{ message: responses.ignored.message, ignored: ['PAYEE.CREATED', 'X'] },
			undefined,
		]);
	});
});

describe('the other schemes', () => {
	const whsec = `whsec_${Buffer.from('an endpoint secret, 24 b').toString('base64')}`;
	const hmac = (encoding: 'hex' | 'base64', secret: string) => (body: string) => ({
		'X-Signature': createHmac('sha256', secret).update(body).digest(encoding),
	});
	const standard = (secret: string) => (body: string) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
		'webhook-signature': new Webhook(secret).sign('msg_1', new Date(), body),
	});
	const fixed = (value: string) => () => ({ authorization: value });
	type HeadersFor = (body: string) => Record<string, string>;
	test.each<[string, Setup['credential'], HeadersFor, HeadersFor]>([
		[
			'Standard Webhooks',
			{ scheme: 'standardWebhooks', secret: whsec },
			standard(whsec),
			standard(`${whsec.slice(0, -4)}AAAA`),
		],
		[
			'HMAC-SHA256 in hex',
			{ scheme: 'hmacSha256', secret: SECRET, headerName: 'x-signature' },
			hmac('hex', SECRET),
			hmac('hex', 'other'),
		],
		[
			'HMAC-SHA256 in base64',
			{ scheme: 'hmacSha256', secret: SECRET, headerName: 'X-SIGNATURE' },
			hmac('base64', SECRET),
			hmac('base64', 'other'),
		],
		[
			'fixed header value',
			{ scheme: 'headerValue', secret: SECRET, headerName: 'Authorization' },
			fixed(SECRET),
			fixed(`Bearer ${SECRET}`),
		],
	])('%s lets its own in and nobody else', async (_, credential, right, wrong) => {
		expect((await deliver({ credential }, event, right)).outputs).toEqual([[{ json: event }]]);
		for (const headersFor of [wrong, signed, () => ({})])
			expect((await deliver({ credential }, event, headersFor)).status).toBe(401);
	});

	test('without verification, everybody gets in, but not everything', async () => {
		const none: Setup = { parameters: { authentication: 'none' }, credential: null };
		expect((await deliver(none, event, () => ({}))).outputs).toEqual([[{ json: event }]]);
		expect((await deliver(none, 'hello', () => ({}))).status).toBe(400);
	});
});

test('only the word none switches verification off: an expression that comes to nothing does not', async () => {
	for (const authentication of ['={{ undefined }}', '={{ null }}', '', 'nonsense']) {
		const { status, outputs } = await deliver(
			{ parameters: { authentication } },
			event,
			() => ({}),
		);
		expect([status >= 401, outputs]).toEqual([true, undefined]);
	}
});

test('a maximum age that comes to nothing lets nobody in', async () => {
	const oneHourOld = (body: string) =>
		signed(body, { created: Math.floor(Date.now() / 1000) - 3600 });
	for (const maximumAge of ['={{ null }}', '={{ undefined }}', '={{ "soon" }}', -5]) {
		expect(
			(await deliver({ parameters: { options: { maximumAge } } }, event, oneHourOld)).status,
		).toBe(401);
	}
});

describe('a trigger that is not set up refuses everybody, so that the service sends again later', () => {
	test.each<[string, Setup]>([
		['no credential', { credential: null }],
		['an empty secret', { credential: { scheme: 'messageSignature', secret: '' } }],
		['an unknown scheme', { credential: { scheme: 'nothing', secret: SECRET } }],
		['no header name', { credential: { scheme: 'hmacSha256', secret: SECRET } }],
	])('%s', async (_, setup) => {
		for (const headersFor of [signed, () => ({})]) {
			const { status, headers, outputs, logged } = await deliver(setup, event, headersFor);
			expect([status, headers.get('retry-after'), outputs, logged.length]).toEqual([
				503,
				'300',
				undefined,
				1,
			]);
			expect(logged[0]).not.toContain(SECRET);
		}
	});
});
