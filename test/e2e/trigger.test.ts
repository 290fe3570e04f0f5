import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios from 'axios';
import type { INode, INodeParameters } from 'n8n-workflow';
import { WITHOUT_RECORD, responses } from '../../nodes/PaymentsTrigger/responses';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { n8nInstallation } from '../../host/n8n/installation';
import { waitUntil } from '../../host/waitUntil';
import { node, workflowOf } from '../support/builders/workflows';
import { SECRET, signed } from '../support/signed';
import { sharedN8n } from './shared';

/*
 * What n8n does to a request before the trigger sees it, and after a run has ended, shows only in
 * the real n8n.
 */

const EVENT = { event: 'PAYMENT.CREATED', data: { reference: 'Größe 5 € 漢字 😀' } };
const BODY = JSON.stringify(EVENT);
const n8n = sharedN8n();

/** Publishes a trigger with these parameters, and another node behind it. */
async function activate(parameters: INodeParameters, ...after: INode[]) {
	const [trigger] = readExample('events-by-type').nodes;
	const workflow = workflowOf({ ...trigger, parameters }, ...after);
	const stored = await n8n.importWorkflow(workflow, [await createPaymentsWebhookApi(n8n, SECRET)]);
	await n8n.activate(stored);
	return { stored, url: (await n8n.webhookUrls(stored, trigger.name)).production };
}

const deliver = async (
	url: string,
	body: string | Buffer,
	headers: Record<string, string> = {},
	signedBody = body,
) => {
	const response = await axios.post<unknown>(url, body, {
		headers: { ...signed(signedBody), ...headers },
		...{ validateStatus: null, proxy: false, transformRequest: [] },
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
	const jsCode = `const { id } = $json;
		if (id === 'evt_fails') throw new Error('no');
		return id === 'evt_none' ? [] : [{ json: { secret: 'of the workflow' } }];`;
	const code = node('Code', 'code', 2, { jsCode });
	const of = (id: string) => JSON.stringify({ ...EVENT, id });
	const atTheEnd = await activate({ responseMode: 'lastNode' }, code);
	const succeeded = { status: 200, data: '' };
	expect(await deliver(atTheEnd.url, of('evt_items'))).toEqual(succeeded);
	expect(await deliver(atTheEnd.url, of('evt_none'))).toEqual(succeeded);
	const failed = { status: 500, data: { message: 'Error in workflow' } };
	expect(await deliver(atTheEnd.url, of('evt_fails'))).toEqual(failed);
	const immediately = await activate({}, code);
	expect(await deliver(immediately.url, of('evt_fails'))).toEqual(succeeded);
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
		node('Wait', 'wait', 1.1, { resume: 'webhook' }),
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

test('with a Path, another node has the same URL, and two published ones get the message of n8n', async () => {
	const path = `payments-${Date.now()}`;
	const first = await activate({ options: { path } });
	expect(first.url).toBe(`${n8n.url}/webhook/${path}`);
	expect((await deliver(first.url, BODY)).status).toBe(200);
	await expect(activate({ options: { path } })).rejects.toThrow(/conflict/i);
});

test('what a service sends when a URL is registered: a Webhook node with the same path answers a GET beside the trigger, and a POST in its place', async () => {
	const path = `registered-${Date.now()}`;
	const webhook = (httpMethod: string) => ({
		...node('Challenge', 'webhook', 2.1, {
			...{ httpMethod, path, responseMode: 'responseNode', options: {} },
		}),
		webhookId: path,
	});
	const echo = node('Echo', 'respondToWebhook', 1.5, {
		respondWith: 'text',
		responseBody: '={{ $json.query.challenge ?? $json.body.challenge }}',
		options: {},
	});
	const answering = async (method: string) => {
		const stored = await n8n.importWorkflow(workflowOf(webhook(method), echo), []);
		await n8n.activate(stored);
		return stored;
	};
	const url = `${n8n.url}/webhook/${path}`;
	const get = async () => await axios.get<unknown>(`${url}?challenge=c1`, { validateStatus: null });
	const post = async () => await axios.post<unknown>(url, { challenge: 'c2' });

	// Before the trigger is published.
	const instead = await answering('POST');
	expect((await post()).data).toBe('c2');
	await n8n.deactivate(instead);

	await activate({ options: { path } });
	expect((await get()).status).toBe(404);
	await answering('GET');
	expect((await get()).data).toBe('c1');
	expect((await deliver(url, BODY)).status).toBe(200);
});
