import { waitUntil } from '../../host/waitUntil';
import type { OAuthError, ServiceError } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { askToken, http, sendTransaction, type Credentials } from '../support/servers/sandboxCalls';
import { startSandboxHere } from '../support/servers/sandboxCommand';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';

let sandbox: SharedSandbox;
let credentials: Credentials;
let token: string;

beforeAll(async () => {
	sandbox = await sharedSandbox();
	credentials = await sandbox.client.createClient({ name: 'Test' });
	token = (await askToken(sandbox.url, credentials)).data.access_token;
});
beforeEach(async () => await sandbox.client.reset());

describe('the token endpoint', () => {
	it('answers as section 2.4 shows', async () => {
		const { status, data } = await askToken(sandbox.url, credentials);
		expect([status, data]).toEqual([
			200,
			{
				access_token: expect.any(String),
				token_type: 'bearer',
				expires_in: 3599,
				refresh_token: expect.any(String),
			},
		]);
		expect((await sandbox.client.getCounts()).tokens).toEqual({ requests: 1, issued: 1 });
	});

	it.each([
		['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
		['an unknown scope', { scope: 'EVERYTHING' }, 400, 'invalid_scope'],
		['payments.* alone', { scope: 'payments.*' }, 400, 'invalid_scope'],
		['no scope', { scope: '' }, 400, 'invalid_request'],
		['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
	])(
		'rejects %s in the form of RFC 6749',
		async (_what, changes: Record<string, string>, expected, error) => {
			const { status, data } = await askToken(sandbox.url, credentials, changes);
			expect([status, data]).toEqual([expected, { error, error_description: expect.any(String) }]);
			expect(JSON.stringify(data)).not.toContain(credentials.clientSecret);
			expect((await sandbox.client.getCounts()).tokens).toEqual({ requests: 1, issued: 0 });
		},
	);

	it.each([
		[
			'a field twice',
			'grant_type=client_credentials&scope=PAYMENTS&scope=OXYGEN&client_id=a&client_secret=b',
			'application/x-www-form-urlencoded',
		],
		['JSON', '{"grant_type":"client_credentials"}', 'application/json'],
		['no body', undefined, undefined],
	])('rejects %s as an invalid request', async (_what, body, type) => {
		const { status, data } = await http.post<OAuthError>(
			`${sandbox.url}/passport/oauth/token`,
			body,
			{
				headers: { 'content-type': type },
			},
		);
		expect([status, data.error]).toEqual([400, 'invalid_request']);
	});

	it('grants every form of the scope that section 5 shows, to a client that may have it', async () => {
		for (const scope of ['PAYMENTS', 'OXYGEN', 'PAYMENTS payments.*']) {
			expect((await askToken(sandbox.url, credentials, { scope })).status).toBe(200);
		}
		const narrow = await sandbox.client.createClient({ scopes: ['OXYGEN'] });
		expect((await askToken(sandbox.url, narrow)).data.error).toBe('invalid_scope');
	});
});

describe('the transactions path', () => {
	describe('with an Idempotency-Key', () => {
		const send = async (body: object, key: string) => {
			const { status, headers, data } = await sendTransaction(sandbox.url, token, body, {
				headers: { 'idempotency-key': key },
			});
			return [status, headers['idempotent-replayed'] as unknown, data.errorCode];
		};
		const FIRST = [202, undefined, undefined];
		const REPLAYED = [202, 'true', undefined];

		it('repeats its first response to the same content, and records it once', async () => {
			expect(await send(transaction(1), 'a')).toEqual(FIRST);
			expect(await send(transaction(1), 'a')).toEqual(REPLAYED);
			expect((await sandbox.client.getCounts()).transactions).toMatchObject({
				created: 1,
				duplicates: 1,
			});
		});

		it('declines other content, also with another eventId', async () => {
			await send(transaction(1), 'a');
			const reused = [409, undefined, 'IDEMPOTENCY_KEY_REUSED'];
			expect(await send({ ...transaction(1), reference: 'Another' }, 'a')).toEqual(reused);
			expect(await send(transaction(2), 'a')).toEqual(reused);
			const { transactions, requests } = await sandbox.client.getCounts();
			expect([transactions.created, requests.failed]).toEqual([1, 2]);
		});

		it('knows an eventId that came with another key, or with none', async () => {
			const exists = [409, undefined, 'EVENT_ALREADY_EXISTS'];
			await send(transaction(1), 'a');
			expect(await send(transaction(1), 'b')).toEqual(exists);
			await sendTransaction(sandbox.url, token, transaction(2));
			expect(await send(transaction(2), 'c')).toEqual(exists);
		});

		it('forgets it with the eventId, and with a reset', async () => {
			await sandbox.client.setFaults({ forgetEventIdsAfterMs: 1000 });
			await send(transaction(1), 'a');
			await sandbox.client.setClock({ advanceMs: 1001 });
			expect(await send({ ...transaction(1), reference: 'Another' }, 'a')).toEqual(FIRST);
			await sandbox.client.reset();
			expect(await send(transaction(2), 'a')).toEqual(FIRST);
		});

		it('that it doesn’t read compares only the eventId', async () => {
			await sandbox.client.setFaults({ idempotencyKeys: false });
			await send(transaction(1), 'a');
			expect(await send(transaction(1), 'a')).toEqual([409, undefined, 'EVENT_ALREADY_EXISTS']);
			expect(await send(transaction(2), 'a')).toEqual(FIRST);
		});
	});

	it('accepts a transaction and answers a known eventId with 409', async () => {
		const [first, second] = [
			await sendTransaction(sandbox.url, token, transaction(1)),
			await sendTransaction(sandbox.url, token, transaction(1)),
		];
		expect([first.status, first.data]).toEqual([
			202,
			{ eventId: 'event-1', externalId: 'external-1', status: 'ACCEPTED' },
		]);
		expect([second.status, second.data.errorCode]).toEqual([409, 'EVENT_ALREADY_EXISTS']);
		const { transactions, requests } = await sandbox.client.getCounts();
		expect(requests.failed).toBe(0);
		expect(transactions).toMatchObject({
			requests: 2,
			created: 1,
			duplicates: 1,
			responses: { 202: 1, 409: 1 },
			lost: 0,
			inFlight: 0,
		});
		expect((await sandbox.client.listTransactions({ duplicated: true })).items).toMatchObject([
			{ eventId: 'event-1', seen: 2 },
		]);
	});

	it('counts and lists as failed what was refused or lost, of transactions only', async () => {
		await askToken(sandbox.url, credentials, { client_secret: 'wrong' });
		// As the credential test does.
		await http.get(`${sandbox.url}/api/v1/transactions`);
		await http.post(`${sandbox.url}/api/v1/transactions`, {});
		await sendTransaction(sandbox.url, token, { ...transaction(1), currency: 'euro' });
		const lost = { ...transaction(2), reference: 'TEST_UNKNOWN' };
		await sendTransaction(sandbox.url, token, lost).catch(() => undefined);
		await sendTransaction(sandbox.url, token, lost);
		const failed = async () => (await sandbox.client.listRequests({ failed: true })).items;
		await waitUntil('both are listed', async () => (await failed()).length >= 2);
		expect((await failed()).map(({ status }) => status)).toEqual([null, 400]);
		expect((await sandbox.client.getCounts()).requests.failed).toBe(2);
	});

	it('lists everything that is invalid in a body at once', async () => {
		const body = {
			...transaction(1),
			amount: 10,
			currency: 'euro',
			reference: '',
			sender: { externalEntityId: 'a' },
			externalCreatedAt: '2025-01-01',
		};
		const { status, data } = await sendTransaction(sandbox.url, token, body);
		expect([status, data.errorCode]).toEqual([400, 'INVALID_REQUEST_DATA']);
		expect(data.warnings).toEqual(
			expect.arrayContaining([
				{ position: 'amount', issue: 'Must be a string' },
				{ position: 'currency', issue: 'Does not match ^[A-Z]{3}$' },
				{ position: 'reference', issue: 'Must not be empty' },
				{ position: 'sender.countryCode', issue: 'Field is required' },
				{ position: 'sender.externalPaymentChannelId', issue: 'Field is required' },
				{ position: 'externalCreatedAt', issue: 'Must be an integer' },
			]),
		);
		expect(data.warnings).toHaveLength(6);
		expect(await sandbox.client.getCounts()).toMatchObject({
			requests: { failed: 1 },
			transactions: { created: 0 },
		});
	});

	it.each([
		['no token', undefined, 'application/json', '{}', 401, 'UNAUTHORIZED'],
		['an unknown token', 'unknown', 'application/json', '{}', 401, 'UNAUTHORIZED'],
		['broken JSON', 'right', 'application/json', '{"eventId":', 400, 'INVALID_REQUEST_DATA'],
		['an empty body', 'right', 'application/json', '', 400, 'INVALID_REQUEST_DATA'],
		[
			'a form',
			'right',
			'application/x-www-form-urlencoded',
			'eventId=1',
			415,
			'UNSUPPORTED_MEDIA_TYPE',
		],
		['plain text', 'right', 'text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
	])('rejects %s in its own form', async (_what, given, type, body, expected, errorCode) => {
		const authorization = given && `Bearer ${given === 'right' ? token : given}`;
		const headers = { 'content-type': type, ...(authorization && { authorization }) };
		const { status, data } = await http.post<ServiceError>(
			`${sandbox.url}/api/v1/transactions`,
			body,
			{
				headers,
				transformRequest: (text: string) => text,
			},
		);
		expect([status, data.errorCode, typeof data.message]).toEqual([expected, errorCode, 'string']);
	});

	it.each([
		['/nowhere', 404, 'NOT_FOUND'],
		['/api/v1/transactions', 404, 'NOT_FOUND'],
		['/%zz', 400, 'INVALID_REQUEST_DATA'],
		['/sandbox/deliveries?limit=many', 400, 'INVALID_REQUEST_DATA'],
	])('rejects the URL %s in its own form', async (path, expected, errorCode) => {
		const { status, data } = await http.get<ServiceError>(sandbox.url + path);
		expect([status, data.errorCode, typeof data.message]).toEqual([expected, errorCode, 'string']);
	});

	it('makes a payment of each transaction, which goes its way and can be matched to it', async () => {
		await sandbox.client.setFaults({ processingMs: 5 });
		for (let id = 0; id < 20; id++) await sendTransaction(sandbox.url, token, transaction(id));
		const counts = await sandbox.client.idle();
		expect(counts.events).toEqual({ emitted: 60 });
		const { items } = await sandbox.client.listPayments({ eventId: 'event-7' });
		expect(items).toMatchObject([
			{
				status: 'COMPLETED',
				direction: 'PAYIN',
				fromId: 'pyr_xz3l6d7b4k631myjr5',
				toId: 'vac_ong3zm73oela7b2jkr',
				amount: '2501.00',
				currency: 'EUR',
				metadata: { eventId: 'event-7', externalId: 'external-7' },
			},
		]);
		expect((await sandbox.client.listTransactions({ eventId: 'event-7' })).items[0].paymentId).toBe(
			items[0].id,
		);
	});
});

describe('the dashboard', () => {
	it('finds each record by its ID, and the records that belong to it', async () => {
		const { client } = sandbox;
		const { id: endpoint } = await client.createEndpoint({
			url: 'http://127.0.0.1:9/hook',
			events: ['PAYEE.CREATED'],
		});
		const account = 'vac_shop';
		const event = await client.emitEvent({ event: 'PAYEE.CREATED' });
		const sent = transaction('found');
		sent.recipient = { ...sent.recipient, externalPaymentChannelId: account };
		await sendTransaction(sandbox.url, token, sent);
		await sendTransaction(sandbox.url, token, transaction('other'));
		await sendTransaction(sandbox.url, 'unknown-token', transaction('rejected'));
		await waitUntil(
			'both are processed',
			async () => (await client.getCounts()).transactions.processing === 0,
		);
		const { items: payments } = await client.listPayments({ eventId: 'event-found' });
		const { items: requests } = await client.listRequests({ eventId: 'event-found' });
		for (const [id, ...found] of [
			['event-found', 'transaction event-found', `payment ${payments[0].id}`],
			['external-found', 'transaction event-found'],
			[payments[0].id, 'transaction event-found', `payment ${payments[0].id}`],
			[account, 'transaction event-found', `payment ${payments[0].id}`],
			[
				sent.sender.externalEntityId,
				'transaction event-other',
				'transaction event-found',
				...(await client.listPayments()).items.map((one) => `payment ${one.id}`),
			],
			[event.id, `delivery ${event.deliveries[0]}`],
			[event.deliveries[0], `delivery ${event.deliveries[0]}`],
			[requests[0].id, `request ${requests[0].id}`],
			[endpoint, `endpoint ${endpoint}`],
			[credentials.clientId, `client ${credentials.clientId}`],
			['nowhere'],
		]) {
			const { items } = await client.search(id);
			expect([id, ...items.map((one) => `${one.kind} ${one.id}`)]).toEqual([id, ...found]);
		}
		const [found] = (await client.search('external-found')).items;
		expect(found).toMatchObject({
			status: 'COMPLETED',
			at: expect.any(Number),
			text: `${sent.amount} EUR, external-found`,
		});
		await client.deleteEndpoint(endpoint);
	});

	it('shows the secret of a client once and never again', async () => {
		const { clientId, clientSecret } = await sandbox.client.createClient({ name: 'Shown once' });
		const all = JSON.stringify(await sandbox.client.listClients());
		expect(all).toContain(clientId);
		expect(all).not.toContain(clientSecret);
	});

	it('ends the tokens of a client that is deleted', async () => {
		const created = await sandbox.client.createClient();
		const { access_token } = (await askToken(sandbox.url, created)).data;
		await sandbox.client.deleteClient(created.clientId);
		expect((await sendTransaction(sandbox.url, access_token, transaction(1))).status).toBe(401);
		expect((await askToken(sandbox.url, created)).data.error).toBe('invalid_client');
	});

	it('lets no page of another origin in, and no other name for this machine', async () => {
		const ask = async (headers: Record<string, string>) =>
			(await http.get(`${sandbox.url}/sandbox/counts`, { headers })).status;
		expect(await ask({ origin: 'http://evil.example' })).toBe(403);
		expect(await ask({ host: 'evil.example' })).toBe(403);
		expect(await ask({ origin: sandbox.url })).toBe(200);
	});
});

describe('a sandbox that listens on every address', () => {
	let open: Awaited<ReturnType<typeof startSandboxHere>>;
	beforeAll(async () => {
		open = await startSandboxHere('--host', '0.0.0.0');
	});
	afterAll(async () => await open.stop());

	it.each([
		['127.0.0.1', undefined, 200],
		['192.168.1.7:8480', undefined, 200],
		['[fd00::7]:8480', 'http://[fd00::7]:8480', 200],
		['192.168.1.7:8480', 'http://192.168.1.7:8480', 200],
		['evil.example:8480', undefined, 403],
		['192.168.1.7.evil.example', undefined, 403],
		['192.168.1.7:8480', 'http://192.168.1.8:8480', 403],
		['192.168.1.7:8480', 'http://192.168.1.7:9999', 403],
	])('called as %j by a page of %j responds with %i', async (host, origin, expected) => {
		const headers = { host, ...(origin && { origin }) };
		for (const path of ['/', '/sandbox/counts', '/openapi.yaml']) {
			const { status } = await http.get(`http://127.0.0.1:${new URL(open.url).port}${path}`, {
				headers,
			});
			expect([path, status]).toEqual([path, expected]);
		}
	});
});
