import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { PaymentsBench } from '../../../support/engine/payments';
import { rows } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';

/*
 * What becomes of a transaction: the responses of the service in their order, and then the outcome,
 * the number of requests, and what the item says. After its last response, a service accepts
 * everything, so one request more than there are responses is a retry.
 */

/** A response that isn't an ordinary one. */
type Broken = (response: ServerResponse) => void;
type Response =
	| number
	| [status: number, body: unknown, headers?: Record<string, string>]
	| { name: string; send: Broken };

interface Extra {
	options?: IDataObject;
	credential?: IDataObject;
	/** As the tool of an agent. */
	isTool?: boolean;
}

type Row = [responses: Response[], outcome: string, requests: number, says?: RegExp, extra?: Extra];

const RETRY_UNKNOWN = { options: { retryUnknownOutcome: true } };
const now = (status: number): Response => [status, undefined, { 'retry-after': '0' }];
const later = (status: number): Response => [status, undefined, { 'retry-after': '3600' }];

const JSON_TYPE = { 'content-type': 'application/json' };
const raw = (name: string, bytes: string): Response => ({
	name,
	send: ({ socket }) => void socket!.end(bytes),
});
const lost: Response = { name: 'no response', send: ({ socket }) => void socket!.destroy() };
const hangs: Response = { name: 'nothing, for long', send: () => {} };
const cut = (status: number): Response => ({
	name: `${status}, cut off`,
	send: (response) => {
		response.writeHead(status, { ...JSON_TYPE, 'content-length': 100 }).write('{"errorCode":');
		setTimeout(() => response.destroy(), 20);
	},
});
const gzip = (name: string, status: number, body: Buffer): Response => ({
	name,
	send: (response) =>
		void response.writeHead(status, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(body),
});
const zipped = gzipSync(JSON.stringify({ errorCode: 'EVENT_ALREADY_EXISTS' }));
const brokenGzip = (status: number) =>
	gzip(`${status}, damaged gzip`, status, Buffer.from(zipped).fill(0xff, 12, 20));
/** The HTTP client hands on what it could unpack. */
const cutGzip = (status: number) => gzip(`${status}, cut gzip`, status, zipped.subarray(0, 30));
const nested = (name: string, status: number, body: string): Response => ({
	name: `${status}, nested ${name}`,
	send: (response) => void response.writeHead(status, JSON_TYPE).end(body),
});
const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;

const EXISTS = { errorCode: 'EVENT_ALREADY_EXISTS', message: 'The event exists already.' };
/** IETF draft on the Idempotency-Key header, section 2.7. */
const OUTSTANDING = { title: 'A request is outstanding for this Idempotency-Key' };
const SPRING = { timestamp: '2026-11-24T10:00:00', status: 409, error: 'Conflict', path: '/api' };
const LIMIT = { errorCode: 'LIMIT', message: 'Too much for today' };
const RUN_AGAIN = /Run it again as it is/;

const TABLE: Record<string, Row[]> = {
	'one response says what happened': [
		[[202], 'created', 1, /Transaction created/],
		[[[200, { id: 'T1' }]], 'created', 1],
		[[[201, 'Created.']], 'created', 1],
		[[204], 'created', 1],
		// A state of the transaction, which exists then.
		[[[202, { id: 'T1', status: 'REJECTED' }]], 'created', 1],
		[
			[
				{
					name: '103, then 202',
					send: (response) => {
						response.writeEarlyHints({ link: '</style.css>; rel=preload' });
						response.writeHead(202).end();
					},
				},
			],
			'created',
			1,
		],
		[[[200, { errorCode: 'INSUFFICIENT_FUNDS' }]], 'unknown', 1, /INSUFFICIENT_FUNDS/],
		[[[200, { code: 'INSUFFICIENT_FUNDS' }]], 'unknown', 1, /INSUFFICIENT_FUNDS/],
		[[[200, { status: 'ERROR' }]], 'unknown', 1, /status \\"ERROR/],
		[[[200, { success: false }]], 'unknown', 1, /success false/],
		[[[200, { isSuccess: false }]], 'unknown', 1, /isSuccess false/],
		[[[200, { succeeded: false }]], 'unknown', 1, /succeeded false/],
		[[[200, { fault: { string: 'No' } }]], 'unknown', 1, /fault/],
		[[[200, { eventId: 'another' }]], 'unknown', 1, /another/],
		[[[207, { responses: [{ status: 422 }] }]], 'unknown', 1, /422/],
		[[[200, '<html></html>', { 'content-type': 'text/html' }]], 'unknown', 1, /web page/],
		[[[200, 'OK']], 'unknown', 1, /is text/],
		[[[202, 'OK', JSON_TYPE]], 'created', 1],
		[[[202, '', JSON_TYPE]], 'created', 1],
		[[[202, '{"id":"T1"}', { 'content-type': 'text/plain' }]], 'created', 1],
		// Express sends this type with an empty text.
		[[[202, '', { 'content-type': 'text/html; charset=utf-8' }]], 'created', 1],
		[[[200, '', { 'content-type': 'text/html; charset=utf-8' }]], 'unknown', 1, /web page/],
		[[[202, 'OK', { 'content-type': 'text/html' }]], 'unknown', 1, /web page/],
		[[[202, '{"id":"T1","sta', JSON_TYPE]], 'unknown', 1, /doesn't confirm it/],
		// A success status came, so the same request again tells nothing new.
		[[[202, '{"id":"T1","sta', JSON_TYPE]], 'unknown', 1, undefined, RETRY_UNKNOWN],
		[
			[[200, '<html></html>', { 'content-type': 'text/html' }]],
			'unknown',
			1,
			undefined,
			RETRY_UNKNOWN,
		],
	],
	'a status by which HTTP rejects a request': [
		...[400, 402, 404, 405, 410, 415, 422, 425, 451, 501, 505, 511, 307, 308].flatMap(
			(status): Row[] => [
				[[[status, LIMIT]], 'rejected', 1, new RegExp(`\\(status ${status}\\)`)],
				[[[status, LIMIT]], 'rejected', 1, /Nothing|LIMIT|redirects/, RETRY_UNKNOWN],
			],
		),
		[[[422, LIMIT]], 'rejected', 1, /LIMIT: Too much for today/],
		[[[422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }]], 'rejected', 1, /only if it has neither/],
		[[[400, { message: 'The amounts do not match' }]], 'rejected', 1, /fields that are named/],
		[[403], 'rejected', 1, /Scope in the credential/],
	],
	'a status that leaves it open is retried only if the user says so': [
		...[301, 302, 303, 304, 408, 418, 424, 460, 499, 500, 502, 504, 507, 520, 599].flatMap(
			(status): Row[] => [
				[[status], 'unknown', 1, RUN_AGAIN],
				[[status], 'created', 2, undefined, RETRY_UNKNOWN],
			],
		),
		[[[500, LIMIT]], 'unknown', 1, /status 500 \(LIMIT/],
	],
	'no complete response is retried only if the user says so': [
		[[lost], 'unknown', 1, /without a response/],
		[[lost], 'created', 2, undefined, RETRY_UNKNOWN],
		[[hangs], 'unknown', 1, /didn't respond in time/, { options: { timeout: 1 } }],
		[[raw('no HTTP', 'SSH-2.0-OpenSSH\r\n')], 'unknown', 1, /isn't HTTP|broke off/],
		[[raw('half a head', 'HTTP/1.1 202 Accepted\r\nContent-Ty')], 'unknown', 1, RUN_AGAIN],
		// 201 and 202 say it themselves.
		[[cut(202)], 'created', 1],
		[[cut(201)], 'created', 1],
		[[cut(200)], 'unknown', 1, /can't be read/],
		[[cut(400)], 'rejected', 1],
		[[brokenGzip(202)], 'created', 1],
		[[cutGzip(202)], 'unknown', 1, /JSON can't be read/],
	],
	'not now: the same again': [
		[[now(429)], 'created', 2],
		[[now(503)], 'created', 2],
		[[503], 'created', 2],
		[[now(503), now(503)], 'created', 3],
		[[later(429)], 'rejected', 1, /'Max Retry Time'/],
		// There are services that respond with 503 after they recorded the transaction.
		[[later(503)], 'unknown', 1, /'Max Retry Time'.*Run it again as it is/],
		[[503], 'unknown', 1, /tried once/, { options: { maxRetryTime: 0 } }],
	],
	'a rejected access token: the next one': [
		[[401], 'created', 2],
		[[401, 401], 'created', 3],
		[[401, 401, 401], 'rejected', 3, /status 401.*Open the credential/],
		[[401], 'created', 2, undefined, { options: { maxRetryTime: 0 } }],
		[[[403, '', { 'www-authenticate': 'Bearer error="invalid_token"' }]], 'created', 2],
		[[[403, { error: 'invalid_token' }]], 'created', 2],
		[[401, now(503), 401], 'created', 4],
	],
	'409, recorded already': [
		[[[409, EXISTS]], 'duplicate', 1, /Event ID before.*EVENT_ALREADY_EXISTS/],
		[[[400, EXISTS]], 'duplicate', 1],
		[[[422, EXISTS]], 'duplicate', 1],
		[[now(429), [409, EXISTS]], 'duplicate', 2, /Event ID before/],
		[[now(503), [409, EXISTS]], 'duplicate', 2, /earlier attempt/],
		[[now(503), [400, EXISTS]], 'duplicate', 2, /earlier attempt/],
		[[now(503), [422, EXISTS]], 'duplicate', 2, /earlier attempt/],
		[[500, [409, EXISTS]], 'duplicate', 2, /earlier attempt/, RETRY_UNKNOWN],
		[[lost, [409, EXISTS]], 'duplicate', 2, /earlier attempt/, RETRY_UNKNOWN],
		[[now(429), lost, [409, EXISTS]], 'duplicate', 3, /earlier attempt/, RETRY_UNKNOWN],
	],
	'409, still in progress: the same again while there is time': [
		[
			[
				[409, OUTSTANDING],
				[409, OUTSTANDING],
				[409, EXISTS],
			],
			'duplicate',
			3,
		],
		[[[409, OUTSTANDING]], 'created', 2],
		[[now(409)], 'created', 2],
		[[[409, { error: { code: 'idempotency_key_in_use' } }]], 'created', 2],
		[
			[[409, OUTSTANDING]],
			'unknown',
			1,
			/same Event ID again later.*Run it again as it is/,
			{ options: { maxRetryTime: 0 } },
		],
	],
	'409, another reason': [
		[[[409, { errorCode: 'FRAUD_PREVENTION' }]], 'rejected', 1, /FRAUD.*Look up the Event ID/],
		[[[409, { errorCode: 'ACCOUNT_ALREADY_CLOSED' }]], 'rejected', 1],
		[[[409, { message: 'Payment prevented by compliance rule' }]], 'rejected', 1, /compliance/],
		[[[409, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }]], 'rejected', 1, /only if it has neither/],
		[[[409, { message: 'A transaction was already sent today' }]], 'rejected', 1],
		[[[409, { errorCode: 'TRANSACTION_SUBMITTED' }]], 'rejected', 1],
		[
			[[409, { errorCode: 'ACCOUNT_BLOCKED' }]],
			'rejected',
			1,
			/^(?!.*(is recorded|recorded this))/,
			{
				isTool: true,
			},
		],
	],
	'409 that says nothing': [
		[[[409, {}]], 'unknown', 1, /without a reason.*'Conflict Without a Reason'/],
		[[[409, SPRING]], 'unknown', 1, /without a reason/],
		[[[409, {}]], 'unknown', 1, undefined, { credential: { conflictWithoutReason: 'unknown' } }],
		[[[409, {}]], 'duplicate', 1, undefined, { credential: { conflictWithoutReason: 'recorded' } }],
		[[cut(409)], 'unknown', 1, /without a reason/],
		[[brokenGzip(409)], 'unknown', 1, /without a reason/],
		[[cutGzip(409)], 'unknown', 1, /without a reason/],
		[[[409, '{"errorCode":"FRAUD']], 'unknown', 1, /without a reason/],
	],
	'what an attempt left open stays open': [
		[[now(503), [422, LIMIT]], 'unknown', 2, /503.*Retry: .*LIMIT.*Look up the Event ID/],
		[[now(503), [409, { errorCode: 'EXTERNAL_ID_IN_USE' }]], 'unknown', 2, /503.*EXTERNAL_ID/],
		[[now(503), [409, {}]], 'unknown', 2],
		[[now(503), 301], 'unknown', 2],
		[[now(503), later(429)], 'unknown', 2, RUN_AGAIN],
		[[lost, [400, LIMIT]], 'unknown', 2, /without a response.*Retry: .*LIMIT/, RETRY_UNKNOWN],
		[[lost, later(429)], 'unknown', 2, /without a response.*Retry: /, RETRY_UNKNOWN],
		[[now(429), lost, [409, SPRING]], 'unknown', 3, RUN_AGAIN, RETRY_UNKNOWN],
		[[now(429), lost], 'unknown', 2, RUN_AGAIN],
		// Nothing was open.
		[[now(429), [422, LIMIT]], 'rejected', 2, /LIMIT/],
		[[401, [422, LIMIT]], 'rejected', 2, /LIMIT/],
	],
	'a body that no service of its right mind sends': [
		[[nested('lists', 202, deep('[', ']'))], 'created', 1],
		[[nested('objects', 202, deep('{"a":', '}'))], 'created', 1],
		[[nested('error', 202, `{"error":${deep('[', ']')}}`)], 'unknown', 1],
		[[nested('lists', 409, deep('[', ']'))], 'rejected', 1],
		[[nested('objects', 400, deep('{"a":', '}'))], 'rejected', 1],
		[[[202, { status: { toString: 1 } }]], 'created', 1],
		[[nested('prototype', 202, '{"__proto__":{"error":1},"constructor":1}')], 'unknown', 1],
		[[gzip('20 MB in 20 kB', 202, gzipSync(Buffer.alloc(20e6, 'a')))], 'unknown', 1],
		[[gzip('20 MB in 20 kB', 400, gzipSync(Buffer.alloc(20e6, 'a')))], 'rejected', 1],
	],
};

let service: FakeService;
let results: Map<Row, { json: IDataObject; requests: number }>;

/** All of them at the same time: what takes time are the waits before retries. */
beforeAll(async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const all = Object.values(TABLE).flat();
	const requests = all.map(() => 0);
	service = await startFakeService(({ body }, response) => {
		const index = Number((JSON.parse(body) as { reference: string }).reference);
		answer(response, all[index][0][requests[index]++] ?? 202);
	});
	const bench = await PaymentsBench.start();
	const run = async (row: Row, index: number) => {
		const [, , , , { options = {}, credential = {}, isTool } = {}] = row;
		const id = `row-${index}`;
		await bench.credentials.seed(id, 'paymentsApi', {
			authUrl: service.url,
			baseUrl: service.url,
			clientId: id,
			clientSecret: 'secret',
			scope: 'PAYMENTS',
			accessToken: '',
			...credential,
		} as never);
		const { json } = await bench.run(
			rows(1, () => ({ externalId: id, reference: String(index) })),
			{ specifyTransaction: 'item', options },
			{
				onError: 'continueRegularOutput',
				credentials: { paymentsApi: { id, name: id } },
				...(isTool && { type: 'n8n-nodes-payments.paymentsTool' }),
			},
		);
		return { json: json[0], index };
	};
	const outcomes = await Promise.all(all.map(run));
	results = new Map(
		outcomes.map(({ json, index }) => [all[index], { json, requests: requests[index] }]),
	);
}, 60_000);
afterAll(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

function answer(response: ServerResponse, next: Response): void {
	if (typeof next === 'number') return void response.writeHead(next, locationOf(next)).end();
	if (!Array.isArray(next)) return next.send(response);
	const [status, body, headers] = next;
	const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
	const type = typeof body === 'object' ? JSON_TYPE : {};
	response.writeHead(status, { ...type, ...locationOf(status), ...headers }).end(text);
}

const locationOf = (status: number) =>
	status >= 300 && status < 400 ? { location: 'http://127.0.0.1:1/' } : {};

const describeResponse = (response: Response): string => {
	if (typeof response === 'number') return String(response);
	if (!Array.isArray(response)) return response.name;
	const [status, body, headers] = response;
	return [status, body && JSON.stringify(body), headers && JSON.stringify(headers)]
		.filter(Boolean)
		.join(' ');
};

describe.each(Object.entries(TABLE))('%s', (_, group) => {
	test.each(
		group.map((row) => {
			const [responses, outcome, count, , { options, credential, isTool } = {}] = row;
			const settings = [options, credential, isTool && 'as a tool'].filter(Boolean);
			const name = [
				...responses.map(describeResponse),
				...settings.map((one) => JSON.stringify(one)),
			];
			return [name.join(', '), outcome, count, row] as const;
		}),
	)('%s: %s, requests: %i', (_name, outcome, count, row) => {
		const { json, requests } = results.get(row)!;
		expect({ outcome: json.outcome, requests }).toEqual({ outcome, requests: count });
		expect(json).toMatchObject({
			message: expect.stringMatching(/./),
			eventId: expect.stringMatching(/./),
			externalId: expect.stringMatching(/^row-/),
		});
		const [, , , says] = row;
		if (says) expect(JSON.stringify(json).replaceAll('\\n', ' ')).toMatch(says);
	});
});
