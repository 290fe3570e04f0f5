import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { NodeOperationError, type INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { responses, type ResponseName } from '../../../nodes/PaymentsTrigger/responses';
import { SECRET, signed } from '../../support/signed';
import { waitUntil } from '../../../host/waitUntil';
import { setUp, startReceiver, type Setup } from '../../support/engine/triggerServer';

const event = {
	id: 'evt_1',
	event: 'PAYMENT.CREATED',
	data: { id: 'pmt_1', amount: '2501.00' },
	createdAt: 1748432324513,
};
const payee = { ...event, id: 'evt_2', event: 'PAYEE.CREATED' };

type HeadersFor = (body: string) => Record<string, string>;

let triggers = 0;

/**
 * Delivers one body to a trigger of a workflow of its own: each has its own memory of what it has
 * taken.
 */
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

	test('event types typed by hand', async () => {
		const unknown = { event: 'CARD.FROZEN' };
		const parameters = { options: { additionalEventTypes: 'CARD.FROZEN' } };
		expect((await deliver({ parameters }, unknown)).outputs).toEqual([[{ json: unknown }]]);
	});

	test('an event whose type is in type, as in Standard Webhooks', async () => {
		const typed = { type: 'PAYMENT.CREATED', event: { id: 'pmt_1' } };
		expect((await deliver({}, typed)).outputs).toEqual([[{ json: typed }]]);
	});

	test('what nobody listens to is answered with its event type, and does not run', async () => {
		const { status, headers, json, outputs } = await deliver({}, [payee, payee, { event: 'X' }]);
		expect([status, json, outputs]).toEqual([
			200,
			{ message: responses.ignored.message, ignored: ['PAYEE.CREATED', 'X'] },
			undefined,
		]);
		expect(headers.has('retry-after')).toBe(false);
	});
});

test.each(['={{ 1 / 3 }}', '={{ 100 / 3 }}', 0.0001])(
	'a fraction of a minute, %s, is a time like others',
	async (minutes) => {
		const options = { deduplicate: minutes, timestampTolerance: minutes };
		const headersFor = (body: string) =>
			signed(body, { created: Math.floor(Date.now() / 1000) + 10 });
		const parameters = { options } as Setup['parameters'];
		expect((await deliver({ parameters }, event, headersFor)).status).toBe(200);
	},
);

describe('a body that cannot be read', () => {
	const unreadable = (workflowId: string) =>
		expect.stringMatching(
			`with 400: its body couldn't be read.*${JSON.stringify({ workflowId, nodeName: 'Payments Trigger' })}`,
		) as string;

	test('a form with files, whose bytes n8n has used up, is answered as empty, and the log says why', async () => {
		const form = (body: string) => ({
			...signed(body),
			'content-type': 'multipart/form-data; boundary=x',
		});
		const delivered = await deliver({ workflowId: 'form' }, event, form);
		expect(delivered).toMatchObject({ status: 400, json: { message: responses.empty.message } });
		expect([delivered.outputs, delivered.logged]).toEqual([undefined, [unreadable('form')]]);
	});

	test('a sender that hangs up before the end of the body starts nothing, and the log says why', async () => {
		const receiver = await startReceiver({ workflowId: 'halfSent' });
		try {
			const sent = request(receiver.url, {
				method: 'POST',
				headers: { ...signed('{}'), 'content-length': 2 },
			}).on('error', () => undefined);
			sent.write('{', () => sent.destroy());
			await waitUntil('the trigger has noticed', () => receiver.logged.length > 0);
			expect([receiver.logged, receiver.runs, receiver.thrown]).toEqual([
				[unreadable('halfSent')],
				[],
				[],
			]);
		} finally {
			await receiver.stop();
		}
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
	const svix = (secret: string) => (body: string) =>
		Object.fromEntries(
			Object.entries(standard(secret)(body)).map(([name, value]) => [
				name.replace('webhook', 'svix'),
				value,
			]),
		);
	test.each<[string, Setup['credential'], HeadersFor, HeadersFor]>([
		[
			'Standard Webhooks',
			{ scheme: 'standardWebhooks', secret: whsec },
			standard(whsec),
			standard(`${whsec.slice(0, -4)}AAAA`),
		],
		[
			'Standard Webhooks, with the headers of Svix,',
			{ scheme: 'standardWebhooks', secret: whsec },
			svix(whsec),
			svix(`${whsec.slice(0, -4)}AAAA`),
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
	])('%s lets its own in and nobody else', async (_, credential, right, wrong) => {
		expect((await deliver({ credential }, event, right)).outputs).toEqual([[{ json: event }]]);
		for (const headersFor of [wrong, signed, () => ({})])
			expect((await deliver({ credential }, event, headersFor)).status).toBe(401);
	});

	test('an event of Standard Webhooks gets the signed ID as its id, and keeps one of its own', async () => {
		const credential = { scheme: 'standardWebhooks', secret: whsec };
		const data = { timestamp: '2026-01-01T00:00:00Z', data: { amount: '1.00' } };
		const bare = { type: 'PAYMENT.CREATED', ...data };
		expect((await deliver({ credential }, bare, standard(whsec))).outputs).toEqual([
			[{ json: { id: 'msg_1', ...bare } }],
		]);
		const own = { id: 'evt_1', ...bare };
		expect((await deliver({ credential }, own, standard(whsec))).outputs).toEqual([
			[{ json: own }],
		]);
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

test('a Trigger On that is no list rejects for a while and says why in the log, without a failed execution', async () => {
	for (const events of [
		'PAYMENT.CREATED',
		'={{ "PAYMENT.CREATED" }}',
		'={{ undefined }}',
		'={{ 5 }}',
		[],
	]) {
		const delivered = await deliver({ parameters: { events } }, event);
		expect([delivered.status, delivered.outputs]).toEqual([503, undefined]);
		expect(delivered.logged).toEqual([
			expect.stringMatching(/'Trigger On'|No event type is selected/),
		]);
	}
	const parameters = { events: '={{ ["PAYMENT.CREATED"] }}' };
	expect((await deliver({ parameters }, event)).outputs).toEqual([[{ json: event }]]);
});

test.each([
	['Trigger On', { events: 'PAYMENT.CREATED' }, 'PAYMENT.CREATED'],
	['a list', { events: ['PAYMENT.CREATED', 'PAYEE.CREATED'] }, 'PAYMENT.CREATED, PAYEE.CREATED'],
	['all events', { events: ['PAYMENT.CREATED', '*'] }, 'All events'],
	['nothing', { events: null }, ''],
])('the subtitle of a trigger with %s', async (_, parameters, text) => {
	const { workflow, node } = await setUp({});
	node.parameters = parameters as INodeParameters;
	const { subtitle } = new PaymentsTrigger().description;
	expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(text);
});

describe('while the user listens in the editor', () => {
	const listening: Setup = { mode: 'manual' };
	const unsigned = () => ({});

	/** Delivers, and returns what the sender gets and what n8n shows as the failed test execution. */
	async function listen(setup: Setup, json: unknown, headersFor = signed as HeadersFor) {
		const receiver = await startReceiver({ workflowId: `wf${++triggers}`, ...setup });
		try {
			const body = typeof json === 'string' ? json : JSON.stringify(json);
			const headers = headersFor(body);
			const response = await fetch(receiver.url, { method: 'POST', body, headers });
			const text = await response.text();
			return {
				status: response.status,
				json: text && (JSON.parse(text) as unknown),
				thrown: receiver.thrown as NodeOperationError[],
				runs: receiver.runs.length,
			};
		} finally {
			await receiver.stop();
		}
	}

	const RESEND = 'Then select Execute step and resend the event.';

	test.each<[string, Setup, unknown, HeadersFor, ResponseName, string, string]>([
		['no signature', {}, event, unsigned, 'rejected', 'signature-input header', 'scheme'],
		[
			'another secret',
			{},
			event,
			(body) => signed(body, { secret: 'another' }),
			'rejected',
			'this secret',
			'the credential',
		],
		[
			'a credential without secret',
			{ credential: { scheme: 'messageSignature', secret: '' } },
			event,
			signed,
			'notReady',
			'The secret is empty',
			'Copy the secret',
		],
		[
			'an option of another type',
			{ parameters: { options: { timestampTolerance: '={{ "soon" }}' } } },
			event,
			signed,
			'notReady',
			"'Timestamp Tolerance (Minutes)' isn't a number",
			'remove the option',
		],
		[
			'another event type field',
			{},
			{ kind: 'X' },
			signed,
			'noEventType',
			'without a type',
			"'event' or 'type'",
		],
		['no JSON', {}, 'hello', signed, 'notJson', "isn't JSON", 'send JSON'],
	])(
		'%s: the reason reaches the editor and the sender',
		async (_, setup, json, headersFor, name, reason, hint) => {
			const { status, message } = responses[name];
			const test = await listen({ ...setup, ...listening }, json, headersFor);
			expect([test.status, test.runs]).toEqual([status, 0]);
			expect(test.json).toEqual({ message, reason: expect.stringContaining(reason) });
			expect(test.thrown).toHaveLength(1);
			expect(test.thrown[0]).toBeInstanceOf(NodeOperationError);
			expect(test.thrown[0].message).toContain(`status ${status}`);
			expect(test.thrown[0].message).toContain(reason);
			expect(test.thrown[0].description).toContain(hint);
			expect(test.thrown[0].description).toContain(RESEND);
			expect(JSON.stringify(test)).not.toContain(SECRET);

			// In production a stranger learns nothing, and nothing is thrown.
			const production = await listen(setup, json, headersFor);
			expect([production.status, production.thrown]).toEqual([status, []]);
			expect(production.json).toEqual({ message });
		},
	);

	test('an event that the workflow does not listen to leaves it listening', async () => {
		const { status, thrown, runs } = await listen(listening, payee);
		expect([status, thrown, runs]).toEqual([200, [], 0]);
	});

	test("n8n's words about the test execution reach the sender", async () => {
		const receiver = await startReceiver(listening);
		const words = { message: 'Workflow was started' };
		receiver.answerRun = (response) => response.json(words);
		try {
			const body = JSON.stringify(event);
			const response = await fetch(receiver.url, { method: 'POST', body, headers: signed(body) });
			expect([response.status, await response.json()]).toEqual([200, words]);
		} finally {
			await receiver.stop();
		}
	});
});

describe('a trigger that is not set up rejects everybody, so that the service retries later', () => {
	test.each<[string, Setup]>([
		['no credential', { credential: null }],
		['an empty secret', { credential: { scheme: 'messageSignature', secret: '' } }],
		['an unknown scheme', { credential: { scheme: 'nothing', secret: SECRET } }],
		['no header name', { credential: { scheme: 'hmacSha256', secret: SECRET } }],
		...['={{ null }}', '={{ "soon" }}', '={{ "120" }}', -5, 0].map((value): [string, Setup] => [
			`a tolerance of ${value}`,
			{ parameters: { options: { timestampTolerance: value } } },
		]),
		['a window below the tolerance', { parameters: { options: { deduplicate: 119 } } }],
		['no text of event types', { parameters: { options: { additionalEventTypes: '={{ 7 }}' } } }],
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

	test('a reading of the credential that throws something else than an Error', async () => {
		const receiver = await startReceiver({ workflowId: 'thrower' });
		jest.spyOn(receiver.credentials, 'getDecrypted').mockRejectedValue('out of order');
		try {
			const body = JSON.stringify(event);
			const response = await fetch(receiver.url, { method: 'POST', body, headers: signed(body) });
			expect([response.status, receiver.thrown]).toEqual([503, []]);
			expect(receiver.logged).toEqual([expect.stringContaining("503: the reason isn't known")]);
		} finally {
			await receiver.stop();
		}
	});
});
