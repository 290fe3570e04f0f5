import { request } from 'node:http';
import { NodeOperationError, type INodeParameters } from 'n8n-workflow';

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
 * taken. Only while the user listens in the editor, n8n shows what it throws.
 */
async function deliver(setup: Setup, json: unknown, headersFor: HeadersFor = signed) {
	const receiver = await startReceiver({ workflowId: `wf${++triggers}`, ...setup });
	try {
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
			thrown: receiver.thrown as NodeOperationError[],
		};
	} finally {
		await receiver.stop();
	}
}

describe('what comes out', () => {
	test('the event as it came', async () => {
		expect((await deliver({}, event)).outputs).toEqual([[{ json: event }]]);
	});

	test.each(['payment.created', ' Payment.Created\n'])(
		'the event as it came, with its type as the service writes it: %j',
		async (type) => {
			const { status, outputs } = await deliver({}, { ...event, event: type });
			expect([status, outputs]).toEqual([200, [[{ json: { ...event, event: type } }]]]);
		},
	);

	test('an item for each event of a list that is listened to', async () => {
		const { outputs, status } = await deliver({}, [event, payee, { ...event, id: 'evt_3' }]);
		expect([status, outputs]).toEqual([
			200,
			[[{ json: event }, { json: { ...event, id: 'evt_3' } }]],
		]);
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
		expect([delivered.outputs, delivered.warnings]).toEqual([undefined, [unreadable('form')]]);
	});

	test('a sender that hangs up before the end of the body starts nothing, and the log says why', async () => {
		const receiver = await startReceiver({ workflowId: 'halfSent' });
		try {
			const sent = request(receiver.url, {
				method: 'POST',
				headers: { ...signed('{}'), 'content-length': 2 },
			}).on('error', () => undefined);
			sent.write('{', () => sent.destroy());
			await waitUntil('the trigger has noticed', () => receiver.warnings.length > 0);
			expect([receiver.warnings, receiver.runs, receiver.thrown]).toEqual([
				[unreadable('halfSent')],
				[],
				[],
			]);
		} finally {
			await receiver.stop();
		}
	});
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

	test.each<[string, Setup, unknown, HeadersFor, ResponseName, string, string]>([
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
		['no body', {}, '', signed, 'empty', 'has no body', 'send the event'],
		['no JSON', {}, 'hello', signed, 'notJson', "isn't JSON", 'send JSON'],
	])(
		'%s: the reason reaches the editor and the sender',
		async (_, setup, json, headersFor, name, reason, hint) => {
			const { status, message } = responses[name];
			const test = await deliver({ ...setup, ...listening }, json, headersFor);
			expect([test.status, test.outputs]).toEqual([status, undefined]);
			expect(test.json).toEqual({ message, reason: expect.stringContaining(reason) });
			expect(test.thrown).toHaveLength(1);
			expect(test.thrown[0]).toBeInstanceOf(NodeOperationError);
			expect(test.thrown[0].message).toContain(`status ${status}`);
			expect(test.thrown[0].message).toContain(reason);
			expect(test.thrown[0].description).toContain(hint);
			expect(test.thrown[0].description).toContain(RESEND);
			expect(JSON.stringify(test)).not.toContain(SECRET);

			// In production a stranger learns nothing, and nothing is thrown.
			expect(await deliver(setup, json, headersFor)).toMatchObject({ status, json: { message } });
		},
	);

	test.each<[string, unknown, string[]]>([
		['an event', payee, ['PAYEE.CREATED']],
		['a list', [payee, { event: 'x.\nY' }, payee], ['PAYEE.CREATED', 'x.\nY']],
		['an event with its type in type', { type: 'PAYMENT.REFUNDED' }, ['PAYMENT.REFUNDED']],
	])(
		'%s that is not selected: its types reach the editor, and the sender gets its 200',
		async (_, json, ignored) => {
			const { status, thrown, outputs, json: response } = await deliver(listening, json);
			expect([status, outputs]).toEqual([200, undefined]);
			expect(response).toEqual({ message: responses.ignored.message, ignored });
			expect(thrown).toHaveLength(1);
			expect(thrown[0]).toBeInstanceOf(NodeOperationError);
			expect(thrown[0].message).toContain('status 200');
			for (const type of ignored) expect(thrown[0].message).toContain(JSON.stringify(type));
			expect(thrown[0].description).toMatch(/'Trigger On'.*'Additional Event Types'/);
			expect(thrown[0].description).toContain(RESEND);
		},
	);

	test('of a list of which one event is selected, that one comes out, and nothing is said', async () => {
		const { status, thrown, outputs } = await deliver(listening, [payee, event]);
		expect([status, thrown, outputs]).toEqual([200, [], [[{ json: event }]]]);
	});
});

describe('a trigger that is not set up rejects everybody, so that the service retries later', () => {
	test.each<[string, Setup]>([
		['no credential', { credential: null }],
		['a Trigger On that is no list', { parameters: { events: '={{ "PAYMENT.CREATED" }}' } }],
	])('%s', async (_, setup) => {
		for (const headersFor of [signed, () => ({})]) {
			const { status, headers, outputs, warnings } = await deliver(setup, event, headersFor);
			expect([status, headers.get('retry-after'), outputs, warnings.length]).toEqual([
				503,
				'300',
				undefined,
				1,
			]);
			expect(warnings[0]).not.toContain(SECRET);
		}
	});
});
