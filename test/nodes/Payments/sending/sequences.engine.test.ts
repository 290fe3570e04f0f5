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
	hasCustomEventId?: boolean;
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
const LIMIT = { errorCode: 'LIMIT', message: 'Too much for today' };
const RUN_AGAIN = /Run it again as it is/;

const OTHER_CONTENT = { errorCode: 'IDEMPOTENCY_KEY_REUSED', message: 'It has other content.' };
const CUSTOM: Extra = { hasCustomEventId: true };
const stated = (recordedCodes: string): Extra => ({ credential: { recordedCodes } });

const TABLE: Record<string, Row[]> = {
	'a success status': [
		[[202], 'created', 1, /Transaction created/],
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
		[[[202, 'OK', JSON_TYPE]], 'created', 1],
	],
	'a success status that is a replay': [
		[[[200, { id: 'T1' }, { 'idempotent-replayed': 'true' }]], 'duplicate', 1, /already/],
		[[now(503), [200, { id: 'T1' }, { 'idempotent-replayed': 'true' }]], 'duplicate', 2, /earlier/],
	],
	'a success status, and the top level of the body says no': [
		[[[200, { errcode: 40001, errmsg: 'invalid credential' }]], 'unknown', 1, /errcode 40001/],
		[[cut(202)], 'unknown', 1, /can't be read/],
		[[brokenGzip(202)], 'unknown', 1, /can't be read/],
		[[cutGzip(202)], 'unknown', 1, /can't be read/],
		// A success status came, so the same request again tells nothing new.
		[[[202, '{"id":"T1","sta', JSON_TYPE]], 'unknown', 1, undefined, RETRY_UNKNOWN],
	],
	'a status by which HTTP rejects a request': [
		...[400, 404, 501, 307].flatMap((status): Row[] => [
			[[[status, LIMIT]], 'rejected', 1, new RegExp(`\\(status ${status}\\)`)],
			[[[status, LIMIT]], 'rejected', 1, /Nothing|LIMIT|redirects/, RETRY_UNKNOWN],
		]),
		[[cut(400)], 'rejected', 1],
	],
	'a status that leaves it open is retried only if the user says so': [
		...[302, 408, 500, 520].flatMap((status): Row[] => [
			[[status], 'unknown', 1, RUN_AGAIN],
			[[status], 'created', 2, undefined, RETRY_UNKNOWN],
		]),
		[[[500, LIMIT]], 'unknown', 1, /status 500: .*LIMIT/],
	],
	'no complete response is retried only if the user says so': [
		[[lost], 'unknown', 1, /without a response/],
		[[lost], 'created', 2, undefined, RETRY_UNKNOWN],
		[[hangs], 'unknown', 1, /didn't respond in time/, { options: { timeout: 1 } }],
		[[raw('no HTTP', 'SSH-2.0-OpenSSH\r\n')], 'unknown', 1, /isn't HTTP|broke off/],
		[[raw('half a head', 'HTTP/1.1 202 Accepted\r\nContent-Ty')], 'unknown', 1, RUN_AGAIN],
	],
	'not now: the same again': [
		[[now(429)], 'created', 2],
		[[now(503)], 'created', 2],
		[[503], 'created', 2],
		[[now(503), now(503)], 'created', 3],
		[[later(429)], 'notSent', 1, /Nothing was processed.*'Max Retry Time'/],
		// There are services that respond with 503 after they recorded the transaction.
		[[later(503)], 'unknown', 1, /'Max Retry Time'.*Run it again as it is/],
		[[503], 'unknown', 1, /tried once/, { options: { maxRetryTime: 0 } }],
	],
	'a rejected access token: the same again, because it is new': [
		[[401], 'created', 2],
		[[401, 401], 'created', 3],
		[[401, 401, 401], 'created', 4],
		[[401], 'created', 2, undefined, { options: { maxRetryTime: 0 } }],
		...[400, 403].flatMap((status): Row[] => [
			[[[status, '', { 'www-authenticate': 'Bearer error="invalid_token"' }]], 'created', 2],
			[[[status, { error: 'invalid_token' }]], 'created', 2],
		]),
		[[401, now(503), 401], 'created', 4],
	],
	'a code for recorded already': [
		[[[409, EXISTS]], 'duplicate', 1, /had this Event ID already/],
		[[now(429), [409, EXISTS]], 'duplicate', 2, /had this Event ID already/],
		[[now(503), [409, EXISTS]], 'duplicate', 2, /earlier attempt/],
		[[lost, [409, EXISTS]], 'duplicate', 2, /earlier attempt/, RETRY_UNKNOWN],
		[[now(429), lost, [409, EXISTS]], 'duplicate', 3, /earlier attempt/, RETRY_UNKNOWN],
	],
	'a code for still in progress: the same again while there is time': [
		[
			[
				[409, OUTSTANDING],
				[409, OUTSTANDING],
				[409, EXISTS],
			],
			'duplicate',
			3,
			// It wasn't this execution that sent the other request.
			/had this Event ID already/,
		],
		[[now(503), [409, OUTSTANDING], [409, EXISTS]], 'duplicate', 3, /earlier attempt/],
		[
			[[409, OUTSTANDING]],
			'unknown',
			1,
			/same Event ID again later.*Run it again as it is/,
			{ options: { maxRetryTime: 0 } },
		],
	],
	'a code for other content': [
		[[[400, OTHER_CONTENT]], 'unknown', 1, /other content.*Look up.*'Created At'/],
		[[[422, OTHER_CONTENT]], 'unknown', 1, /other content.*Look up/, CUSTOM],
	],
	'409 without a code that anybody stated': [
		[[[409, { errorCode: 'DUPLICATE_ORDER' }]], 'unknown', 1, /Look up.*'Codes for Recorded/],
		[[cut(409)], 'unknown', 1, /Look up the Event ID/],
	],
	'codes that the credential states': [
		[
			[[409, { errorCode: 'DUPLICATE_ORDER' }]],
			'duplicate',
			1,
			undefined,
			stated('A, DUPLICATE_ORDER'),
		],
		[[[409, { fehler: 'Gibt es, schon' }]], 'duplicate', 1, undefined, stated('"es, schon", A')],
		[
			[[422, { errorCode: 'E1001', message: 'E1001: limit' }]],
			'rejected',
			1,
			/E1001/,
			stated('E100'),
		],
	],
	'what an attempt left open stays open': [
		[[now(503), [422, LIMIT]], 'unknown', 2, /503.*Retry: .*LIMIT.*Look up the Event ID/],
		[
			[
				[503, { message: 'Overloaded. Retry: in a minute' }, { 'retry-after': '0' }],
				now(503),
				[422, LIMIT],
			],
			'unknown',
			3,
			/Overloaded. Retry: in a minute.*\. Retry: .*LIMIT/,
		],
		[[now(503), [409, { errorCode: 'EXTERNAL_ID_IN_USE' }]], 'unknown', 2, /EXTERNAL_ID/],
		[[lost, [400, LIMIT]], 'unknown', 2, /without a response.*Retry: .*LIMIT/, RETRY_UNKNOWN],
		[[lost, later(429)], 'unknown', 2, /without a response.*Retry: /, RETRY_UNKNOWN],
		[[502, now(429), [400, LIMIT]], 'unknown', 3, /502.*Retry: .*LIMIT/, RETRY_UNKNOWN],
		[[now(429), lost], 'unknown', 2, RUN_AGAIN],
		// Nothing was open.
		[[now(429), [422, LIMIT]], 'rejected', 2, /LIMIT/],
		[[401, [422, LIMIT]], 'rejected', 2, /LIMIT/],
	],
	'a body that no service of its right mind sends': [
		[[nested('objects', 202, deep('{"a":', '}'))], 'created', 1],
		[[nested('error', 202, `{"error":${deep('[', ']')}}`)], 'unknown', 1],
		[[nested('objects', 400, deep('{"a":', '}'))], 'rejected', 1],
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
		const [, , , , { options = {}, credential = {}, hasCustomEventId } = {}] = row;
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
			rows(1, () => ({
				externalId: id,
				reference: String(index),
				...(hasCustomEventId && { eventId: id }),
			})),
			{ specifyTransaction: 'item', options },
			{
				onError: 'continueRegularOutput',
				credentials: { paymentsApi: { id, name: id } },
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
			const [responses, outcome, count, , { options, credential, hasCustomEventId } = {}] = row;
			const settings = [options, credential, hasCustomEventId && 'custom Event ID'].filter(Boolean);
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
