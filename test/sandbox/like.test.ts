import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CheckedService, ServiceBehavior } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { startSandboxHere } from '../support/servers/sandboxCommand';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-like-'));
const stops: Array<() => Promise<unknown>> = [];
afterEach(async () => await Promise.all(stops.splice(0).map(async (stop) => await stop())));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a sandbox that answers like a service, and is stopped whatever a test finds. */
async function startLike(behavior: Partial<ServiceBehavior>) {
	const file = join(folder, 'service.json');
	const checked: CheckedService = {
		check: 1,
		service: 'api.sandbox.example.com',
		checkedAt: '2026-05-04T12:00:00.000Z',
		behavior: { answers: {}, ...behavior },
	};
	writeFileSync(file, JSON.stringify(checked));
	const sandbox = await startSandboxHere('--like', file);
	stops.push(sandbox.stop);
	const credentials = await sandbox.client.createClient();
	const { access_token: token } = (await askToken(sandbox.url, credentials)).data;
	const send = async (body: object) => await sendTransaction(sandbox.url, token, body);
	return { ...sandbox, send };
}

it('answers as the service did, with its codes and sentences, and lists what it doesn’t play', async () => {
	const { send, url, output } = await startLike({
		answers: {
			created: { status: 201 },
			repeated: { status: 409, code: 'payment_known', message: 'Payment is known' },
			otherContent: { status: 400, code: 'idempotency_error' },
		},
	});
	expect((await send(transaction(1))).status).toBe(201);
	expect(await send(transaction(1))).toMatchObject({
		status: 409,
		data: { errorCode: 'payment_known', message: 'Payment is known' },
	});
	expect(await send({ ...transaction(1), amount: '7' })).toMatchObject({
		status: 400,
		data: { errorCode: 'idempotency_error' },
	});
	// Never seen, so the sandbox's own.
	expect((await send({})).data.errorCode).toBe('INVALID_REQUEST_DATA');
	const shown = await (await fetch(`${url}/sandbox/state`)).text();
	for (const text of [shown, output])
		for (const part of [
			'api.sandbox.example.com',
			'the same transaction again',
			'two requests at once',
		])
			expect(text).toContain(part);
});

it('records one of two requests at once, with Retry-After anew each time', async () => {
	const twoAtOnce = { status: 409, code: 'in_progress', retryAfter: 2 };
	// So long that the second is there in time on a busy machine, too.
	const { send, client } = await startLike({ answers: { twoAtOnce }, latencyMs: 1500 });
	const both = await Promise.all([send(transaction(1)), send(transaction(1))]);
	const seen = both.map(({ status, headers }) => `${status} ${String(headers['retry-after'])}`);
	expect(seen.sort()).toEqual(['202 undefined', '409 2']);
	expect((await client.getCounts()).transactions).toMatchObject({ created: 1, rejected: 0 });
});

it('replays as the service did', async () => {
	const repeated = { status: 200, replayed: true };
	const replaying = await startLike({ answers: { repeated } });
	await replaying.send(transaction(1));
	expect(await replaying.send(transaction(1))).toMatchObject({
		status: 200,
		headers: { 'idempotent-replayed': 'true' },
		data: { eventId: 'event-1' },
	});
});

it('answers in scenarios as the service did to what it had recorded', async () => {
	const { send } = await startLike({ answers: { repeated: { status: 422 } } });
	const statusOf = async (scenario: string) =>
		await send({ ...transaction(1), eventId: scenario, reference: scenario }).then(
			({ status }) => status,
			() => 'no response',
		);
	expect(await statusOf('TEST_DUPLICATE')).toBe(422);
	expect(await statusOf('TEST_UNKNOWN')).toBe('no response');
	expect(await statusOf('TEST_UNKNOWN')).toBe(422);
	// What a scenario asks for stays.
	expect(await statusOf('TEST_INVALID')).toBe(400);
});
