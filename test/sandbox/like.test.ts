import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launchSandbox } from '../../host/sandbox';
import { playLike } from '../../sandbox/cli/files';
import { CliError } from '../../sandbox/cli/cliError';
import { CheckedBehavior } from '../../sandbox/like/CheckedBehavior';
import { fillIn } from '../../sandbox/like/fillIn';
import { SandboxState } from '../../sandbox/state/sandboxState';
import type { CheckedService, ServiceBehavior } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-like-'));
afterAll(() => rmSync(folder, { recursive: true }));

const checked = (behavior: Partial<ServiceBehavior>): CheckedService => ({
	check: 1,
	service: 'api.sandbox.example.com',
	checkedAt: '2026-05-04T12:00:00.000Z',
	behavior: { answers: {}, ...behavior },
});
const answer = (status: number, body?: unknown, headers = {}) => ({ status, headers, body });

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
		const sandbox = await launchSandbox({ args: ['--like', file] });
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
		for (const text of [page, sandbox.process.output()]) {
			expect(text).toContain('api.sandbox.example.com');
			expect(text).toContain('an invalid transaction');
		}
		await sandbox.stop();
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
