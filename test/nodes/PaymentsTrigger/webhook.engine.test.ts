import { request } from 'node:http';
import { NodeOperationError, type INodeParameters } from 'n8n-workflow';

import { PaymentsTrigger } from '../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { responses, type ResponseName } from '../../../nodes/PaymentsTrigger/responses';
import { SECRET, signed } from '../../support/signed';
import { waitUntil } from '../../../host/waitUntil';
import {
	setUp,
	startReceiver,
	type Receiver,
	type Setup,
} from '../../support/engine/triggerServer';

const event = {
	id: 'evt_1',
	event: 'PAYMENT.CREATED',
	data: { id: 'pmt_1', amount: '2501.00' },
	createdAt: 1748432324513,
};
const payee = { ...event, id: 'evt_2', event: 'PAYEE.CREATED' };

type HeadersFor = (body: string) => Record<string, string>;

let triggers = 0;

/** Starts a trigger of a workflow of its own: each has its own memory of what it has taken. */
async function listen<T>(setup: Setup, use: (receiver: Receiver) => Promise<T>): Promise<T> {
	const receiver = await startReceiver({ workflowId: `wf${++triggers}`, ...setup });
	try {
		return await use(receiver);
	} finally {
		await receiver.stop();
	}
}

/** Delivers one body. Only while the user listens in the editor, n8n shows what is thrown. */
const deliver = async (setup: Setup, json: unknown, headersFor: HeadersFor = signed) =>
	await listen(setup, async (receiver) => {
		const body = typeof json === 'string' ? json : JSON.stringify(json);
		const response = await fetch(receiver.url, { method: 'POST', body, headers: headersFor(body) });
		const text = await response.text();
		if (setup.mode !== 'manual') expect(receiver.thrown).toEqual([]);
		return {
			status: response.status,
			headers: response.headers,
			json: text && (JSON.parse(text) as unknown),
			outputs: receiver.runs[0],
			warnings: receiver.warnings,
			infos: receiver.infos,
			thrown: receiver.thrown as NodeOperationError[],
		};
	});

describe('what comes out', () => {
	const third = { ...event, id: 'evt_3' };
	const written = { ...event, event: ' Payment.Created\n' };
	test.each([
		['the event as it came', event, [{ json: event }]],
		['its type as the service writes it', written, [{ json: written }]],
		['each selected one of a list', [event, payee, third], [{ json: event }, { json: third }]],
	])('%s', async (_, json, items) => {
		const { status, outputs } = await deliver({}, json);
		expect([status, outputs]).toEqual([200, [items]]);
	});

	test('what nobody listens to is answered with its event type, and does not run', async () => {
		const { status, headers, json, outputs } = await deliver({}, [payee, payee, { event: 'X' }]);
		const { message } = responses.ignored;
		expect([status, outputs]).toEqual([200, undefined]);
		expect(json).toEqual({ message, ignored: ['PAYEE.CREATED', 'X'] });
		expect(headers.has('retry-after')).toBe(false);
	});
});

describe('the line of the log', () => {
	const standard = (headers: Record<string, string>) => ({
		...headers,
		'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
		'webhook-signature': 'v1,AAAA',
	});
	const STANDARD = {
		scheme: 'standardWebhooks',
		secret: `whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
	};
	const unsigned = () => ({});

	test.each<[string, Setup, unknown, HeadersFor, RegExp]>([
		['the id of the event', {}, event, unsigned, /delivery "evt_1"/],
		['an id that is a number', {}, { ...event, id: 42 }, unsigned, /delivery "42"/],
		[
			'the ID of Standard Webhooks, also if it is wrongly signed',
			{ credential: STANDARD },
			{ event: 'A' },
			() => standard({ 'webhook-id': 'msg_1' }),
			/delivery "msg_1"/,
		],
		[
			'both, by Svix',
			{ credential: STANDARD },
			event,
			() => standard({ 'svix-id': 'msg_1' }),
			/delivery "msg_1", "evt_1"/,
		],
		[
			'ten of a list',
			{},
			Array.from({ length: 12 }, (_, index) => ({ id: `evt_${index}` })),
			unsigned,
			/delivery "evt_0", "evt_1", .*"evt_9", 2/,
		],
		[
			'a hash of what has no ID',
			{},
			'hello',
			unsigned,
			/without an ID, SHA-256 .* 2cf24dba5fb0a30e…/,
		],
		['what is no ID', {}, { id: 'Ann Example, DK99' }, unsigned, /without an ID, SHA-256/],
		['an ID without end', {}, { id: 'x'.repeat(101) }, unsigned, /without an ID, SHA-256/],
		['an ID that is no text', {}, { id: { a: 1 } }, unsigned, /without an ID, SHA-256/],
		['nothing', {}, '', unsigned, /delivery without a body/],
	])(
		'has %s, the workflow, the node, and the time',
		async (_, setup, json, headersFor, delivery) => {
			const { status, warnings } = await deliver({ workflowId: 'wf7', ...setup }, json, headersFor);
			expect([status, warnings.length]).toEqual([401, 1]);
			const [line] = warnings;
			const place =
				/\(workflow "Events \\"live\\"\\nof payments" wf7, node "Payments Trigger", delivery .*, \d{4}-\d\d-\d\dT[\d:.]+Z\)/;
			expect(line).toMatch(place);
			expect(line).toMatch(delivery);
			expect(line).not.toMatch(/[\n]|Ann|2501|xxxxx/);
			expect(line).not.toContain(SECRET);
		},
	);

	test('says of what starts no execution, and is acknowledged, the same', async () => {
		const { infos } = await deliver({ workflowId: 'wf8' }, payee);
		expect(infos).toEqual([
			expect.stringMatching(
				/with 200 \(workflow .* wf8, .*"evt_2".*\): 'Trigger On' .*"PAYEE.CREATED"/,
			),
		]);
	});

	test('is bounded, whatever event types a delivery has', async () => {
		const events = Array.from({ length: 30 }, (_, index) => ({
			event: `${index}`.padStart(5000, 'x'),
		}));
		const [line] = (await deliver({ workflowId: 'wf9' }, events)).infos;
		expect(line.match(/x{100}"/g)).toHaveLength(10);
		expect(line.length).toBeLessThan(2000);
	});
});

describe('a body that cannot be read', () => {
	const unreadable = (workflowId: string) =>
		expect.stringMatching(
			`with 400 \\(.* ${workflowId}, .*\\): its body couldn't be read`,
		) as string;

	test('a form with files, whose bytes n8n has used up, is answered as empty, and the log says why', async () => {
		const form = { 'content-type': 'multipart/form-data; boundary=x' };
		const delivered = await deliver({ workflowId: 'form' }, event, (body) => ({
			...signed(body),
			...form,
		}));
		expect(delivered).toMatchObject({ status: 400, json: { message: responses.empty.message } });
		expect([delivered.outputs, delivered.warnings]).toEqual([undefined, [unreadable('form')]]);
	});

	test('a sender that hangs up before the end of the body starts nothing, and the log says why', async () =>
		await listen({ workflowId: 'halfSent' }, async (receiver) => {
			const headers = { ...signed('{}'), 'content-length': 2 };
			const sent = request(receiver.url, { method: 'POST', headers }).on('error', () => undefined);
			sent.write('{', () => sent.destroy());
			await waitUntil('the trigger has noticed', () => receiver.warnings.length > 0);
			expect(receiver.warnings).toEqual([unreadable('halfSent')]);
			expect([receiver.runs, receiver.thrown]).toEqual([[], []]);
		}));
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
	const RESEND = 'Then select Execute step and resend the event.';
	const withSecret = (secret: string): Setup => ({
		credential: { scheme: 'messageSignature', secret },
	});
	const withTolerance = (timestampTolerance: string): Setup => ({
		parameters: { options: { timestampTolerance } },
	});

	test.each<[string, Setup, unknown, ResponseName, string, string]>([
		[
			'another secret',
			withSecret('another secret of it'),
			event,
			'rejected',
			'a secret of the credential',
			'the credential',
		],
		[
			'no secret',
			withSecret(''),
			event,
			'notReady',
			"'Signing Secret' is empty",
			'Copy the secret',
		],
		[
			'an option of another type',
			withTolerance('={{ "soon" }}'),
			event,
			'notReady',
			"isn't a number",
			'remove the option',
		],
		['no event type', {}, { kind: 'X' }, 'noEventType', 'without a type', "'event' or 'type'"],
		['no body', {}, '', 'empty', 'has no body', 'send the event'],
		['no JSON', {}, 'hello', 'notJson', "isn't JSON", 'send JSON'],
	])(
		'%s: the reason reaches the editor and the sender',
		async (_, setup, json, name, reason, hint) => {
			const { status, message } = responses[name];
			const test = await deliver({ ...setup, ...listening }, json);
			expect([test.status, test.outputs]).toEqual([status, undefined]);
			expect(test.json).toEqual({ message, reason: expect.stringContaining(reason) });
			const [thrown] = test.thrown;
			expect(thrown).toBeInstanceOf(NodeOperationError);
			expect(thrown.message).toContain(`status ${status}`);
			expect(thrown.message).toContain(reason);
			expect(thrown.description).toContain(hint);
			expect(thrown.description).toContain(RESEND);
			expect(JSON.stringify(test)).not.toContain(SECRET);

			// In production a stranger learns nothing, and nothing is thrown.
			expect(await deliver(setup, json)).toMatchObject({ status, json: { message } });
		},
	);

	test('an event that is not selected: its types reach the editor, and the sender gets its 200', async () => {
		const ignored = ['PAYEE.CREATED', 'x.\nY'];
		const events = [payee, { event: 'x.\nY' }, { type: 'PAYEE.CREATED' }];
		const { status, thrown, outputs, json } = await deliver(listening, events);
		expect([status, outputs]).toEqual([200, undefined]);
		expect(json).toEqual({ message: responses.ignored.message, ignored });
		expect(thrown[0]).toBeInstanceOf(NodeOperationError);
		expect(thrown[0].message).toContain('status 200');
		for (const type of ignored) expect(thrown[0].message).toContain(JSON.stringify(type));
		expect(thrown[0].description).toMatch(/'Trigger On'.*'Additional Event Types'/);
		expect(thrown[0].description).toContain(RESEND);
	});

	test('of a list of which one event is selected, that one comes out, and nothing is said', async () => {
		const { status, thrown, outputs } = await deliver(listening, [payee, event]);
		expect([status, thrown, outputs]).toEqual([200, [], [[{ json: event }]]]);
	});
});

test.each<[string, Setup]>([
	['no credential', { credential: null }],
	['a Trigger On that is no list', { parameters: { events: '={{ "PAYMENT.CREATED" }}' } }],
])('a trigger with %s rejects everybody, so that the service retries later', async (_, setup) => {
	for (const headersFor of [signed, () => ({})]) {
		const { status, headers, outputs, warnings } = await deliver(setup, event, headersFor);
		expect([status, headers.get('retry-after'), outputs]).toEqual([503, '300', undefined]);
		expect(warnings).toEqual([expect.not.stringContaining(SECRET)]);
	}
});
