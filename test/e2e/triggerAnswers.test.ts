import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios from 'axios';
import { WITHOUT_RECORD, responses } from '../../nodes/PaymentsTrigger/responses';
import type { N8nClient, WorkflowJson } from '../../host/n8n/client';
import { n8nInstallation } from '../../host/n8n/installation';
import { waitUntil } from '../../host/waitUntil';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { SECRET, signed } from '../support/signed';
import { sharedN8n } from './shared';

/*
 * What n8n does to a request before the trigger sees it, and after a run has ended, shows only in
 * the real n8n.
 */

const TRIGGER = 'Payments Trigger';
const EVENT = { event: 'PAYMENT.CREATED', data: { reference: 'Größe 5 € 漢字 😀' } };
const BODY = JSON.stringify(EVENT);

let n8n: N8nClient;
beforeAll(async () => {
	n8n = sharedN8n();
});

type Node = WorkflowJson['nodes'][number];

type NodeAfter = Pick<Node, 'type' | 'typeVersion' | 'parameters'>;

/** A trigger with these parameters, and behind it the given nodes, one after the other. */
async function activate(parameters: Node['parameters'], ...after: NodeAfter[]) {
	const [trigger] = readExample('events-by-type').nodes;
	const nodes: Node[] = [{ ...trigger, parameters }];
	const connections: WorkflowJson['connections'] = {};
	for (const node of after) {
		const name = nodes.length === 1 ? 'After' : `After ${nodes.length}`;
		connections[nodes.at(-1)!.name] = { main: [[{ node: name, type: 'main', index: 0 }]] };
		nodes.push({ id: name, name, position: [nodes.length * 220, 0], ...node });
	}
	const workflow: WorkflowJson = {
		name: 'Answers',
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	};
	const stored = await n8n.importWorkflow(workflow, [await createPaymentsWebhookApi(n8n, SECRET)]);
	await n8n.activate(stored);
	return { stored, url: (await n8n.webhookUrls(stored, TRIGGER)).production };
}

const deliver = async (
	url: string,
	body: string | Buffer,
	headers: Record<string, string> = {},
	signedBody = body,
) => {
	const response = await axios.post<unknown>(url, body, {
		headers: { ...signed(signedBody), ...headers },
		validateStatus: null,
		proxy: false,
		transformRequest: [],
	});
	return { status: response.status, data: response.data };
};

test('each type of body is answered as its content deserves; what n8n rejects itself starts no execution either', async () => {
	const { stored, url } = await activate({});
	const megabyte = JSON.stringify({ ...EVENT, data: 'x'.repeat(1 << 20) });
	const zip = { 'content-encoding': 'gzip' };
	const of = (type: string) => ({ 'content-type': type });
	// Each another event: the same bytes again would be a duplicate.
	const another = (id: string) => JSON.stringify({ ...EVENT, id });
	const zipped = another('evt_zipped');
	const accepted: Array<Promise<{ status: number; data: unknown }>> = [
		deliver(url, BODY),
		deliver(url, gzipSync(zipped), zip, zipped),
		deliver(url, `\ufeff${BODY}`),
		deliver(url, megabyte),
		...[
			'text/plain',
			'application/octet-stream',
			'application/x-www-form-urlencoded',
			'application/cloudevents+json',
			'nonsense',
		].map(async (type) => await deliver(url, another(`evt ${type}`), of(type))),
	];
	for (const answer of await Promise.all(accepted))
		expect(answer).toEqual({ status: 200, data: '' });

	const altered = BODY.replace('5', '6');
	const form = of('multipart/form-data; boundary=x');
	const field = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n`;
	const rejected: Array<[number, string, string | Buffer, Record<string, string>?, string?]> = [
		[200, 'a kind that nobody listens to', '{"event":"PAYEE.CREATED"}'],
		[401, 'altered', altered, {}, BODY],
		[401, 'altered and compressed', gzipSync(altered), zip, BODY],
		[400, 'empty', ''],
		[400, 'no JSON, and not called so', 'hello', of('text/plain')],
		[400, 'no kind', '{}'],
		[400, 'a form with files', field, form],
		[400, 'a compressed form with files', gzipSync('--x--'), { ...zip, ...form }],
		[400, 'broken compression', BODY, { ...zip, ...of('application/octet-stream') }],
		// By n8n, before the trigger (docs/payments-trigger.md).
		[422, 'no JSON, but called so', '{"event":'],
		[422, 'JSON that is called XML', BODY, of('application/xml')],
		[500, 'broken compression of what is called JSON', BODY, zip],
		[500, 'more than 16 MB', JSON.stringify({ ...EVENT, data: 'x'.repeat(17 << 20) })],
	];
	for (const [status, what, ...request] of rejected)
		expect([what, (await deliver(url, ...request)).status]).toEqual([what, status]);
	const results = await n8n.ended(stored, accepted.length);
	expect(results.map(({ status }) => status)).toEqual(accepted.map(() => 'success'));
});

test('when the workflow has ended: success only for a workflow that succeeded, and nothing of its data', async () => {
	const code = (jsCode: string) => ({
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode },
	});
	const atTheEnd = { responseMode: 'lastNode' };
	const outcomes: Array<[number, unknown, Node['parameters'], NodeAfter?]> = [
		[200, '', atTheEnd, code('return [{ json: { secret: "of the workflow" } }];')],
		[200, '', atTheEnd, code('return [];')],
		[200, '', atTheEnd],
		[
			500,
			{ message: 'Error in workflow' },
			atTheEnd,
			{ type: 'n8n-nodes-base.stopAndError', typeVersion: 1, parameters: { errorMessage: 'no' } },
		],
		[
			200,
			'',
			{},
			{ type: 'n8n-nodes-base.stopAndError', typeVersion: 1, parameters: { errorMessage: 'no' } },
		],
	];
	for (const [status, data, parameters, after] of outcomes) {
		const { url } = await activate(parameters, ...(after ? [after] : []));
		expect(await deliver(url, BODY)).toEqual({ status, data });
	}
});

test('what n8n says of an execution without a record is still what the trigger knows: its source has these words', () => {
	const helpers = 'node_modules/n8n/dist/webhooks/webhook-helpers.js';
	const source = readFileSync(join(n8nInstallation().folder, helpers), 'utf8');
	expect(source.match(/'Workflow executed successfully but [^']*'/g)).toEqual(
		WITHOUT_RECORD.map((words) => `'${words}'`),
	);
});

test('a workflow that pauses: n8n responds with 200 at the pause', async () => {
	const { stored, url } = await activate(
		{ responseMode: 'lastNode' },
		{ type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { resume: 'webhook' } },
	);
	const body = JSON.stringify({ ...EVENT, id: 'evt_pause' });
	expect(await deliver(url, body)).toEqual({ status: 200, data: '' });
	await waitUntil('the execution waits', async () => {
		const { results } = await n8n.executions(stored);
		return results.length === 1 && results[0].status === 'waiting';
	});
	// For the service the event is done: it doesn't retry, and a retry would be a duplicate.
	expect(await deliver(url, body)).toEqual({
		status: 200,
		data: { message: responses.duplicate.message },
	});
});
