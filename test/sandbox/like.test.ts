import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { playLike } from '../../sandbox/cli/files';
import { CliError } from '../../sandbox/cli/cliError';
import { CheckedBehavior } from '../../sandbox/like/CheckedBehavior';
import { fillIn } from '../../sandbox/like/fillIn';
import { SandboxState } from '../../sandbox/state/sandboxState';
import type { CheckedService, ServiceBehavior } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { startSandboxHere } from '../support/servers/sandboxCommand';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-like-'));
afterAll(() => rmSync(folder, { recursive: true }));

const checked = (behavior: Partial<ServiceBehavior>): CheckedService => ({
	check: 1,
	service: 'api.sandbox.example.com',
	checkedAt: '2026-05-04T12:00:00.000Z',
	behavior: { answers: {}, ...behavior },
});
const answer = (status: number, body?: unknown, headers = {}) => ({ status, headers, body });

/** Starts a sandbox that answers like a service, and is stopped whatever a test finds. */
async function startLike(behavior: Partial<ServiceBehavior>) {
	const file = join(folder, 'played.json');
	writeFileSync(file, JSON.stringify(checked(behavior)));
	const { url, client, stop } = await startSandboxHere('--like', file);
	stops.push(stop);
	const { access_token: token } = (await askToken(url, await client.createClient())).data;
	return async (body: object) => await sendTransaction(url, token, body);
}
const stops: Array<() => Promise<unknown>> = [];
afterEach(async () => await Promise.all(stops.splice(0).map(async (stop) => await stop())));

describe('the placeholders of an answer', () => {
	it('become values of the transaction, in texts and as a whole', () => {
		const template = {
			id: '{{eventId}}',
			at: '{{externalCreatedAt}}',
			text: 'Of {{sender.countryCode}}: {{amount}}.',
		};
		expect(fillIn(template, { transaction: transaction(1) })).toEqual({
			id: 'event-1',
			at: 1748432324513,
			text: 'Of BE: 2501.00.',
		});
	});

	it('become times and new values', () => {
		const template = ['{{nowMs}}', '{{nowS}}', '{{now}}', '{{assignedNumber:n}}', '{{random}}'];
		expect(fillIn(template, {})).toEqual([
			expect.any(Number),
			expect.any(Number),
			expect.stringMatching(/^\d{4}-.*Z$/),
			expect.any(Number),
			expect.stringMatching(/^[0-9a-f-]{36}$/),
		]);
	});

	it('stay empty for what the transaction lacks, and reach nothing that it inherits', () => {
		expect(fillIn('{{constructor.name}}{{toString}}', { transaction: {} })).toBe('');
	});

	it('stand for the same ID in each answer about a transaction, until it’s recorded again', () => {
		const created = answer(201, { id: '{{assigned:id}}' });
		const like = new CheckedBehavior(checked({ answers: { created, repeated: created } }));
		const first = like.answerTo('created', transaction(1));
		expect(like.answerTo('eventExists', transaction(1))).toEqual(first);
		expect(like.answerTo('created', transaction(2))).not.toEqual(first);
		expect(like.answerTo('created', transaction(1))).not.toEqual(first);
	});
});

describe('the sandbox with --like', () => {
	it('answers as the service did, signs as it did, and says what was never seen', async () => {
		const file = join(folder, 'service.json');
		const party = answer(409, 'Event {{eventId}} is there', { 'content-type': 'text/plain' });
		const behavior: Partial<ServiceBehavior> = {
			answers: {
				created: answer(
					201,
					{ id: '{{assigned:id}}', eventId: '{{eventId}}' },
					{ 'x-kind': 'new' },
				),
				repeated: party,
				wrongToken: answer(403, { error: 'invalid_token' }),
			},
			signature: { scheme: 'standardWebhooks' },
		};
		writeFileSync(file, JSON.stringify(checked(behavior)));
		const sandbox = await startSandboxHere('--like', file);
		const client = await sandbox.client.createClient();
		const { access_token: token } = (await askToken(sandbox.url, client)).data;
		const send = async (body: object, withToken = token) =>
			await sendTransaction(sandbox.url, withToken, body);
		const created = await send(transaction(1));
		expect([created.status, created.headers['x-kind'], created.data]).toEqual([
			201,
			'new',
			{ id: expect.any(String), eventId: 'event-1' },
		]);
		const repeated = await send(transaction(1));
		expect([repeated.status, repeated.data]).toEqual([409, 'Event event-1 is there']);
		expect((await send(transaction(2), 'wrong')).status).toBe(403);
		// Never seen, so the sandbox's own.
		expect((await send({})).data.errorCode).toBe('INVALID_REQUEST_DATA');
		const { scheme } = await sandbox.client.createEndpoint({
			url: 'http://127.0.0.1:9/',
			events: ['*'],
		});
		expect(scheme).toBe('standardWebhooks');
		const page = await (await fetch(sandbox.url)).text();
		for (const text of [page, sandbox.output]) {
			expect(text).toContain('api.sandbox.example.com');
			expect(text).toContain('an invalid transaction');
		}
		await sandbox.stop();
	});

	it('answers in scenarios as the service did to what it had recorded', async () => {
		const created = answer(201, { id: '{{assigned:id}}' });
		const sendTo = await startLike({ answers: { created, repeated: answer(409) } });
		const send = async (scenario: string) =>
			await sendTo({ ...transaction(1), eventId: scenario, reference: scenario }).then(
				({ status, data }) => [status, data as unknown],
				() => 'no response',
			);
		expect(await send('TEST_DUPLICATE')).toEqual([409, '']);
		expect(await send('TEST_UNKNOWN')).toBe('no response');
		expect(await send('TEST_UNKNOWN')).toEqual([409, '']);
		expect(await send('TEST_COMPLETED')).toEqual([201, { id: expect.any(String) }]);
		// What a scenario asks for stays.
		expect(await send('TEST_CONFLICT')).toMatchObject([409, { errorCode: 'EXTERNAL_ID_IN_USE' }]);
	});

	it('takes as many transactions per second as the service did, or as its file says', async () => {
		const tooMany = answer(429, 'Slow down');
		const send = await startLike({ answers: { tooMany }, maxPerSecond: 3 });
		const sendFive = async (first: number) => {
			const all = [0, 1, 2, 3, 4].map(async (index) => await send(transaction(first + index)));
			return (await Promise.all(all)).map(({ status }) => status).sort();
		};
		expect(await sendFive(1)).toEqual([202, 202, 202, 429, 429]);
		await new Promise((resolve) => setTimeout(resolve, 1100));
		expect(await sendFive(11)).toEqual([202, 202, 202, 429, 429]);
	});

	test.each([
		['/nowhere.json', "doesn't exist"],
		['{"check": 2}', 'CheckedService'],
		[
			'{"check": 1, "service": "x", "checkedAt": "x", "behavior": {"answers": {"created": {"status": 99, "headers": {}}}}}',
			'behavior.answers.created.status',
		],
	])('%s is explained', (content, words) => {
		const file = content.startsWith('{') ? join(folder, 'bad.json') : content;
		if (content.startsWith('{')) writeFileSync(file, content);
		const play = () => playLike(new SandboxState(1), file);
		expect(play).toThrow(CliError);
		expect(play).toThrow(words);
	});
});
