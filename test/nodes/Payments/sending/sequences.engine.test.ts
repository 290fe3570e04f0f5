import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { PaymentsBench } from '../../../support/engine/payments';
import { rows } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';

/*
 * What becomes of a transaction: the responses of the service in their order, and then the outcome,
 * the number of requests, and what the item says. After its last response, a service accepts
 * everything, so one request more than there are responses is a retry. What a response says is in
 * `response/`: here are those that show what n8n and its HTTP client make of them.
 */

type Response =
	| number
	| [status: number, body: unknown, headers?: Record<string, string>]
	/** One that isn't an ordinary one. */
	| { name: string; send: (response: ServerResponse) => void };

interface Settings {
	options?: IDataObject;
	credential?: IDataObject;
}

type Row = [Response[], outcome: string, requests: number, says?: RegExp, settings?: Settings];

const RETRY_UNKNOWN = { options: { retryUnknownOutcome: true } };
const NO_RETRY = { options: { maxRetryTime: 0 } };
const NOBODY_THERE = { ...NO_RETRY, credential: { baseUrl: 'http://127.0.0.1:1' } };
const STATED = { credential: { recordedCodes: 'A, ORDER' } };
const now = (status: number): Response => [status, undefined, { 'retry-after': '0' }];
const later = (status: number): Response => [status, undefined, { 'retry-after': '3600' }];

const JSON_TYPE = { 'content-type': 'application/json' };
const raw = (name: string, bytes: string): Response => ({
	name,
	send: ({ socket }) => void socket!.end(bytes),
});
const lost: Response = { name: 'no response', send: ({ socket }) => void socket!.destroy() };
const hangs: Response = { name: 'nothing, for long', send: () => {} };
const hints: Response = {
	name: '103, then 202',
	send: (response) => {
		response.writeEarlyHints({ link: '</style.css>; rel=preload' });
		response.writeHead(202).end();
	},
};
const cut = (status: number): Response => ({
	name: `${status}, cut off`,
	send: (response) => {
		response.writeHead(status, { ...JSON_TYPE, 'content-length': 100 }).write('{"errorCode":');
		setTimeout(() => response.destroy(), 20);
	},
});
const gzip = (name: string, status: number, body: Buffer): Response => ({
	name: `${status}, ${name}`,
	send: (response) =>
		void response.writeHead(status, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(body),
});
const zipped = gzipSync(JSON.stringify({ errorCode: 'EVENT_ALREADY_EXISTS' }));
const damagedGzip = gzip('damaged gzip', 202, Buffer.from(zipped).fill(0xff, 12, 20));
/** The HTTP client hands on what it could unpack. */
const cutGzip = gzip('cut gzip', 202, zipped.subarray(0, 30));
const bomb = (status: number) => gzip('20 MB in 20 kB', status, gzipSync(Buffer.alloc(20e6, 'a')));
/** What is left out of it is tested in serviceResponse.test.ts. */
const nested: Response = {
	name: '202, nested',
	send: (response) => {
		const body = `{"error":${'['.repeat(20_000)}1${']'.repeat(20_000)}}`;
		response.writeHead(202, JSON_TYPE).end(body);
	},
};

const exists: Response = [409, { errorCode: 'EVENT_ALREADY_EXISTS' }];
/** IETF draft on the Idempotency-Key header, section 2.7. */
const inProgress: Response = [409, { title: 'A request is outstanding for this Idempotency-Key' }];
const otherContent: Response = [422, { errorCode: 'IDEMPOTENCY_KEY_REUSED' }];
const conflict: Response = [409, { errorCode: 'ORDER' }];
const limit = (status: number): Response => [status, { errorCode: 'LIMIT', message: 'Too much' }];
const REPLAYED = { 'idempotent-replayed': 'true' };
const TOKEN_HEADER = { 'www-authenticate': 'Bearer error="invalid_token"' };

const TABLE: Row[] = [
	// A success status.
	[[202], 'created', 1, /Accepted/],
	[[[201, { status: 'booked' }]], 'created', 1, /Recorded, status .*booked/],
	[[[202, 'OK', JSON_TYPE]], 'created', 1],
	[[hints], 'created', 1],
	[[[200, { id: 'T1' }, REPLAYED]], 'duplicate', 1, /Already there/],
	[[[200, { errcode: 40001, errmsg: 'invalid credential' }]], 'unknown', 1, /errcode 40001/],
	// It came, so the same request again tells nothing new.
	[[[202, '{"id":"T1","sta', JSON_TYPE]], 'unknown', 1, /can't be read/, RETRY_UNKNOWN],
	[[cut(202)], 'unknown', 1, /can't be read/],
	[[damagedGzip], 'unknown', 1, /can't be read/],
	[[cutGzip], 'unknown', 1, /can't be read/],
	// A refusal, and a redirect that isn't followed.
	...[400, 501, 307].map((status): Row => [[status], 'rejected', 1, /status/, RETRY_UNKNOWN]),
	[[limit(422)], 'rejected', 1, /status 422.*LIMIT: Too much/],
	[[cut(400)], 'rejected', 1],
	[[cut(409)], 'unknown', 1, /Look up the Event ID/],
	// What leaves it open is retried only if the user says so.
	...[302, 500, lost].flatMap((response): Row[] => [
		[[response], 'unknown', 1, /Run it again as it is/],
		[[response], 'created', 2, undefined, RETRY_UNKNOWN],
	]),
	[[hangs], 'unknown', 1, /didn't respond in time/, { options: { timeout: 3 } }],
	[[raw('no HTTP', 'SSH-2.0-OpenSSH\r\n')], 'unknown', 1, /isn't HTTP|broke off/],
	[[raw('half a head', 'HTTP/1.1 202 Accepted\r\nConte')], 'unknown', 1, /Run it again as it is/],
	// Not now: the same again.
	[[now(429)], 'created', 2],
	[[503, now(503)], 'created', 3],
	[[later(429)], 'notSent', 1, /Not processed.*'Max Retry Time'/],
	// There are services that respond with 503 after they recorded the transaction.
	[[later(503)], 'unknown', 1, /'Max Retry Time'.*Run it again as it is/],
	[[503], 'unknown', 1, /tried once/, NO_RETRY],
	[[], 'notSent', 0, /nothing responds/, NOBODY_THERE],
	// A rejected access token: the same again, because it is new.
	[[401, 401, 401], 'created', 4],
	[[401], 'created', 2, undefined, NO_RETRY],
	[[401, now(503), 401], 'created', 4],
	[[[400, '', TOKEN_HEADER]], 'created', 2],
	[[[403, { error: 'invalid_token' }]], 'created', 2],
	// Codes.
	[[exists], 'duplicate', 1, /Already there/],
	[[now(503), exists], 'duplicate', 2, /earlier attempt/],
	[[now(429), lost, exists], 'duplicate', 3, /earlier attempt/, RETRY_UNKNOWN],
	[[inProgress, exists], 'duplicate', 2, /Already there/],
	[[inProgress], 'unknown', 1, /same Event ID again later/, NO_RETRY],
	[[otherContent], 'unknown', 1, /with other values: this change wasn't recorded.*Look up/],
	[[conflict], 'unknown', 1, /Look up/],
	[[conflict], 'duplicate', 1, /Already there/, STATED],
	// What an attempt left open stays open.
	[[now(503), limit(422)], 'unknown', 2, /503.*Retry: .*LIMIT.*Look up the Event ID/],
	[[lost, later(429)], 'unknown', 2, /without a response.*Retry: /, RETRY_UNKNOWN],
	[[502, now(429), limit(400)], 'unknown', 3, /502.*Retry: .*LIMIT/, RETRY_UNKNOWN],
	// Nothing was open.
	[[now(429), 401, limit(422)], 'rejected', 3, /LIMIT/],
	// A body that no service of its right mind sends.
	[[nested], 'unknown', 1],
	[[bomb(202)], 'unknown', 1],
	[[bomb(400)], 'rejected', 1],
];

let service: FakeService;
let results: Array<{ json: IDataObject; requests: number }>;

/** All of them at the same time: what takes time are the waits before retries. */
beforeAll(async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const requests = TABLE.map(() => 0);
	service = await startFakeService(({ body }, response) => {
		const index = Number((JSON.parse(body) as { reference: string }).reference);
		answer(response, TABLE[index][0][requests[index]++] ?? 202);
	});
	const bench = await PaymentsBench.start();
	const { url } = service;
	results = await Promise.all(
		TABLE.map(async ([, , , , { options = {}, credential = {} } = {}], index) => {
			const id = `row-${index}`;
			const client = { clientId: id, clientSecret: 'secret', scope: 'PAYMENTS' };
			const data = { authUrl: url, baseUrl: url, ...client, ...credential };
			await bench.credentials.seed(id, 'paymentsApi', data as never);
			const { json } = await bench.run(
				rows(1, () => ({ externalId: id, reference: String(index) })),
				{ specifyTransaction: 'item', options },
				{ onError: 'continueRegularOutput', credentials: { paymentsApi: { id, name: id } } },
			);
			return { json: json[0], requests: requests[index] };
		}),
	);
}, 60_000);
afterAll(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

function answer(response: ServerResponse, next: Response): void {
	if (typeof next === 'object' && 'send' in next) return next.send(response);
	const [status, body, headers] = typeof next === 'number' ? [next] : next;
	const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
	const type = typeof body === 'object' ? JSON_TYPE : {};
	const location = status >= 300 && status < 400 ? { location: 'http://127.0.0.1:1/' } : {};
	response.writeHead(status, { ...type, ...location, ...headers }).end(text);
}

test.each(
	TABLE.map(([responses, outcome, requests, says = /./, settings], index) => ({
		...{ name: JSON.stringify([responses, settings]), index, outcome, requests, says },
	})),
)('$name: $outcome, requests: $requests', ({ index, outcome, requests, says }) => {
	const { json, ...seen } = results[index];
	expect({ outcome: json.outcome, ...seen }).toEqual({ outcome, requests });
	expect(json).toMatchObject({
		message: expect.stringMatching(/./),
		externalId: `row-${index}`,
	});
	expect(JSON.stringify(json).replace(/\\n|\u00a0/g, ' ')).toMatch(says);
});
