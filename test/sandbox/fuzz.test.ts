import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { almostValueOf, parameterTextOf } from '../support/contractFuzz/generate';
import {
	allowsBody,
	allowsText,
	operations,
	resolve,
	responseIssues,
	type Operation,
	type ReceivedResponse,
	type Schema,
} from '../support/contractFuzz/operations';
import { fc, propertyRuns, RUNS_OVER_HTTP } from '../support/properties';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { askToken } from '../support/servers/sandboxCalls';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

/*
 * What others would do who know the contract only: send requests that it allows, and requests that
 * differ from those in a few places, and hold every response against it. Whether a request is
 * allowed, the contract itself says.
 */

/** The same requests each time; PROPERTY_SEED makes others. */
const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const CLIENT = { clientId: 'fuzz-client', clientSecret: 'fuzz-secret' };
/** What can be wrong with the request itself. */
const INVALID_REQUEST = [400, 413, 415, 422];

let sandbox: Sandbox;
let receiver: WebhookReceiver;
let token: string;
let printedBefore = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface OutgoingRequest {
	method: string;
	/** Path and query, as they are sent. */
	path: string;
	headers?: Record<string, string>;
	body?: string;
}

/** Sends a request as it is: no client library puts its path or its headers right. */
const send = async ({ method, path, headers = {}, body }: OutgoingRequest) =>
	await new Promise<ReceivedResponse>((resolve, reject) => {
		const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
		const { hostname, port } = new URL(sandbox.url);
		const outgoing = httpRequest(
			{ method, path, hostname, port, agent, headers: { ...length, ...headers } },
			(response) => {
				const chunks: Buffer[] = [];
				response
					.on('data', (chunk: Buffer) => chunks.push(chunk))
					.on('end', () => {
						const body = Buffer.concat(chunks).toString();
						resolve({ status: response.statusCode!, headers: response.headers, body });
					})
					.on('error', reject);
			},
		);
		outgoing.on('error', reject).end(body);
	});

beforeAll(async () => {
	process.stdout.write(`Fuzzing the sandbox with PROPERTY_SEED=${SEED}\n`);
	[sandbox, receiver] = await Promise.all([launchSandbox(), startWebhookReceiver()]);
	await wait(100);
	printedBefore = sandbox.process.output().length;
});
afterAll(async () => {
	agent.destroy();
	await Promise.all([sandbox.stop(), receiver.stop()]);
});
beforeEach(async () => {
	await sandbox.client.reset({ everything: true });
	const client = await sandbox.client.createClient(CLIENT);
	token = (await askToken(sandbox.url, client)).data.access_token;
});
// A crash ends the process, and an unexpected exception is printed with its stack.
afterEach(() => {
	const printed = sandbox.process.output().slice(printedBefore);
	printedBefore += printed.length;
	expect(printed).toBe('');
});

/** Creates what a path with an ID is about. */
const createRecord: Record<string, () => Promise<string>> = {
	clients: async () => (await sandbox.client.createClient({})).clientId,
	endpoints: async () => (await createEndpoint()).id,
	deliveries: async () => {
		const { id } = await createEndpoint();
		return (await sandbox.client.sendTestEvent(id, { event: 'PAYMENT.CREATED' })).deliveries[0];
	},
	events: async () => (await sandbox.client.emitEvent({ event: 'PAYEE.CREATED' })).id,
	requests: async () => {
		await askToken(sandbox.url, CLIENT);
		return (await sandbox.client.listRequests({ limit: 1 })).items[0].id;
	},
	payments: async () => (await sandbox.client.createPayment({ amount: '1', currency: 'EUR' })).id,
};
const createEndpoint = async () =>
	await sandbox.client.createEndpoint({ url: receiver.url, events: ['PAYMENT.CREATED'] });

/**
 * Bodies that are wanted more often than by chance, or not at all. All of them are allowed by the
 * contract too.
 */
const narrowed: Record<string, (schema: Schema) => Schema> = {
	createToken: (schema) => ({
		...schema,
		properties: {
			...schema.properties,
			scope: { enum: ['PAYMENTS', 'OXYGEN', 'PAYMENTS payments.*', 'OTHER'] },
			client_id: { enum: [CLIENT.clientId, 'nobody'] },
			client_secret: { enum: [CLIENT.clientSecret, 'wrong'] },
		},
	}),
	setFaults: withoutRefusal,
	changeFaults: withoutRefusal,
};

/** A sandbox that stops listening could not be tested any further. */
function withoutRefusal(schema: Schema): Schema {
	const { refuseConnections: _, ...properties } = schema.properties!;
	return { ...schema, properties };
}

interface Body {
	mediaType: string;
	text: string;
	isAllowed: boolean;
}

/** Replaces halves of surrogate pairs, which a URL and a form can't carry. */
const wellFormed = (text: string) => Buffer.from(text).toString();

const asForm = (value: unknown) =>
	Object.fromEntries(
		Object.entries(value ?? {}).map(([name, one]) => [
			wellFormed(name),
			wellFormed(typeof one === 'string' ? one : JSON.stringify(one)),
		]),
	);

function bodyOf(operation: Operation): fc.Arbitrary<Body | undefined> {
	const { body, operationId } = operation;
	if (!body) return fc.constant(undefined);
	const { mediaType } = body;
	const schema = resolve(body.schema);
	const almostValue = almostValueOf(narrowed[operationId]?.(schema) ?? schema);
	const readable = almostValue.map((value) => {
		if (mediaType === 'application/json')
			return { mediaType, text: JSON.stringify(value), isAllowed: allowsBody(operation, value) };
		const form = asForm(value);
		const text = new URLSearchParams(form).toString();
		return { mediaType, text, isAllowed: allowsBody(operation, form) };
	});
	const unreadable = fc.record({
		mediaType: fc.constantFrom(
			'',
			mediaType,
			'text/plain',
			'application/xml',
			'multipart/form-data',
		),
		text: fc.constantFrom('', '{', '[1,]', '"', '\ufeff{}', 'a=b=c', '\u0000', '{"__proto__":1}'),
		isAllowed: fc.constant(false),
	});
	return fc.oneof({ weight: 9, arbitrary: readable }, { weight: 1, arbitrary: unreadable });
}

interface Parameters {
	/** Path and query. An ID that the sandbox knows is filled in when the request is sent. */
	path: string;
	/** `undefined` when the contract doesn't say. */
	isAllowed: boolean | undefined;
}

const KNOWN_ID = '{id}';

function parametersOf({ path, parameters }: Operation): fc.Arbitrary<Parameters> {
	const inQuery = parameters.filter((parameter) => parameter.in === 'query');
	const id = fc.oneof(
		{ weight: 3, arbitrary: fc.constant(KNOWN_ID) },
		{
			weight: 1,
			arbitrary: parameterTextOf({ type: 'string', minLength: 1 })
				.filter((text) => text !== '')
				.map((text) => encodeURIComponent(wellFormed(text))),
		},
	);
	const query = fc.tuple(
		...inQuery.map((parameter) =>
			fc.oneof(
				{ weight: 3, arbitrary: fc.constant([]) },
				{ weight: 3, arbitrary: fc.tuple(parameterTextOf(parameter.schema)) },
				{ weight: 1, arbitrary: fc.array(parameterTextOf(parameter.schema), { maxLength: 2 }) },
			),
		),
	);
	return fc.tuple(id, query).map(([oneId, values]) => {
		const list = values.flatMap((texts, index) =>
			texts.map((text) => ({ parameter: inQuery[index], text: wellFormed(text) })),
		);
		const search = list.map(
			({ parameter, text }) => `${parameter.name}=${encodeURIComponent(text)}`,
		);
		const verdicts = [
			...list.map(({ parameter, text }) => allowsText(parameter, text)),
			...values.map(
				(texts, index) =>
					texts.length < 2 && (texts.length === 1 || inQuery[index].required !== true),
			),
		];
		return {
			path: path.replace('{id}', oneId) + (search.length > 0 ? `?${search.join('&')}` : ''),
			isAllowed: verdicts.includes(undefined) ? undefined : !verdicts.includes(false),
		};
	});
}

/** Sends one request of an operation. */
async function call(operation: Operation, path: string, body?: Body): Promise<ReceivedResponse> {
	const [, , collection] = path.split('/');
	const known = path.includes(KNOWN_ID) ? await createRecord[collection]() : '';
	return await send({
		method: operation.method,
		path: path.replace(KNOWN_ID, known),
		headers: {
			...(operation.needsToken && { authorization: `Bearer ${token}` }),
			...(body?.mediaType && { 'content-type': body.mediaType }),
		},
		body: body?.text,
	});
}

/**
 * Says what is wrong with the status of a response, given whether the contract allows the request.
 */
function statusIssues(
	isAllowed: boolean | undefined,
	{ status, body }: ReceivedResponse,
): string[] {
	if (isAllowed === undefined || (isAllowed && /"invalid_scope"/.test(body))) return [];
	const isInvalid = INVALID_REQUEST.includes(status);
	if (isAllowed && isInvalid) return [`an allowed request got ${status}: ${body}`];
	if (!isAllowed && status < 400) return [`a request that isn't allowed got ${status}`];
	return [];
}

const lists = operations.filter(
	({ method, path, operationId }) =>
		method === 'GET' && !path.includes('{') && operationId !== 'search',
);

/**
 * What an operation leaves behind must neither reach the next request nor make another operation
 * fail.
 */
async function checkState(): Promise<void> {
	for (const list of lists) {
		const response = await call(list, list.path);
		expect([list.operationId, ...responseIssues(list, response)]).toEqual([list.operationId]);
		expect(response.status).toBe(200);
	}
	await sandbox.client.reset({ everything: true });
}

function runsOf({ operationId, body, parameters }: Operation): number {
	if (!body && parameters.length === 0) return 1;
	return CHANGES_EVERYTHING.includes(operationId) ? 40 : 100;
}
const CHANGES_EVERYTHING = ['setFaults', 'changeFaults', 'createEndpoint', 'reset'];

test.each(operations)('$operationId keeps to the contract', async (operation) => {
	const seen = { allowed: 0, rejected: 0 };
	const changesEverything = CHANGES_EVERYTHING.includes(operation.operationId);
	await fc.assert(
		fc.asyncProperty(parametersOf(operation), bodyOf(operation), async (parameters, body) => {
			const response = await call(operation, parameters.path, body);
			const isAllowed = parameters.isAllowed && (body?.isAllowed ?? true);
			const issues = [...responseIssues(operation, response), ...statusIssues(isAllowed, response)];
			expect(issues).toEqual([]);
			if (response.status < 400) seen.allowed++;
			else seen.rejected++;
			if (changesEverything) await checkState();
		}),
		{ seed: SEED, numRuns: propertyRuns(runsOf(operation), RUNS_OVER_HTTP) },
	);
	await checkState();
	expect(seen.allowed).toBeGreaterThan(0);
	if (operation.body) expect(seen.rejected).toBeGreaterThan(0);
});
