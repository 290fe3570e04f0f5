import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../../check/main';
import { checkService as checkWith } from '../../check/questions';
import { verdictLines } from '../../check/report';
import { verdictOf } from '../../check/verdict';
import {
	checkService,
	repeatsWith,
	SECRET,
	setupOf,
	startCheckedService,
	type Answers,
	type Reply,
	type ServiceOptions,
} from '../support/servers/checkedService';

/* The check of a service that limits how many requests it takes. */

const exists = repeatsWith(409, { errorCode: 'EVENT_ALREADY_EXISTS' });
const tooMany = (ms: number): Reply => [429, undefined, { 'retry-after': (ms / 1000).toFixed(3) }];
const HOUR = 3_600_000;

/** Takes so many requests, and after each wait so many again. */
function takes(first: number, then: number): ServiceOptions {
	let left = first;
	let closedUntil: number | undefined;
	return {
		limit() {
			const now = Date.now();
			if (closedUntil !== undefined && now >= closedUntil) {
				left = then;
				closedUntil = undefined;
			}
			if (left-- > 0) return undefined;
			closedUntil ??= now + 30;
			return tooMany(closedUntil - now);
		},
	};
}

test.each([
	['14, so one of two at once, and 12 again', takes(14, 12)],
	['none at first', takes(0, 12)],
	['12, and then one by one', takes(12, 1)],
])('a service that takes %s: it waits, and asks everything', async (_, options) => {
	const { findings } = await checkService(exists, options);
	expect(verdictOf(findings)).toBe('fits');
	const texts = findings.map(({ text }) => text).join('\n');
	expect(texts).toMatch(/Of \d\d requests, [1-9]\d* met the rate limit/);
	expect(texts).not.toMatch(/The test of the credential in n8n will say|Neither of two/);
});

test.each([0, 1, 2, 4, 8, 15])(
	'after %i requests, it says that it waits most of a minute',
	async (count) => {
		let left = count;
		const server = await startCheckedService(exists, {
			limit: () => (left-- > 0 ? undefined : tooMany(45_000)),
		});
		try {
			const waits: string[] = [];
			const print = (line: string) => {
				if (!line.includes('429')) return;
				waits.push(line.trim());
				// Nobody waits here.
				throw new Error(line);
			};
			await checkWith(setupOf(server.url), print).catch(() => {});
			expect(waits).toContain('Status 429: the check goes on in 45 s');
		} finally {
			await server.stop();
		}
	},
);

describe('a limit that stays', () => {
	const folder = mkdtempSync(join(tmpdir(), 'check-limits-'));
	beforeEach(() => {
		jest.spyOn(console, 'log').mockImplementation(() => {});
		process.env.CHECKED_SECRET = SECRET;
	});
	afterEach(() => {
		jest.restoreAllMocks();
		delete process.env.CHECKED_SECRET;
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	test.each([0, 1, 12])('after %i transactions: the page has what was found', async (count) => {
		const eventIds: string[] = [];
		const answers: Answers = (request, answer) => {
			eventIds.push(request.transaction.eventId);
			if (eventIds.length > count) answer(...tooMany(HOUR));
			else exists(request, answer);
		};
		const server = await startCheckedService(answers);
		const output = join(folder, String(count));
		try {
			const code = await runCommand([
				...['--auth-url', server.url, '--host', '127.0.0.1', '--wait', '0', '--output', output],
				...['--client-id', 'c', '--secret-env', 'CHECKED_SECRET'],
				...['--sender', 'mill,mill-account,BE', '--recipient', 'bakery,bakery-account,BE'],
			]);
			expect(code).toBe(1);
		} finally {
			await server.stop();
		}
		const page = readFileSync(join(output, 'service.md'), 'utf8');
		expect(page).toMatch(/ended early:\n.*because of a limit.*Check again later/);
		expect(page).not.toMatch(/It fits/);
		expect(page).toContain('issues an access token');
		for (const eventId of eventIds) expect(page).toContain(eventId);
	});

	test.each<[string, (count: number) => ServiceOptions & { answer?: Reply }]>([
		['transactions', () => ({ answer: tooMany(HOUR) })],
		['tokens', (count) => ({ token: () => (count > 10 ? tooMany(HOUR) : undefined) })],
	])('for %s, without the header: what was found with it counts', async (_, optionsOf) => {
		// Without the header, it begins again.
		let count = 0;
		const answers: Answers = (request, answer) => {
			count++;
			const { answer: limited } = optionsOf(count);
			if (limited && request.key === undefined) answer(...limited);
			else if (request.first === undefined) answer(202);
			else answer(500);
		};
		const token: ServiceOptions['token'] = (form) => optionsOf(count).token?.(form);
		const check = await checkService(answers, { token });
		expect(verdictOf(check.findings)).toBe('fitsBut');
		const lines = verdictLines({ findings: check.findings, check }).join('\n');
		expect(lines).toMatch(
			/Without the header, the check ended early: .*(status 429|because of a limit)/,
		);
	});
});

test('no two requests at once: what the second one gets is not known', async () => {
	const seen = new Set<string>();
	const limited = new Set<string>();
	const oneByOne: Answers = (request, answer) => {
		const { eventId } = request.transaction;
		if (!seen.has(eventId) || limited.has(eventId)) exists(request, answer);
		else answer(...tooMany(5));
		(seen.has(eventId) ? limited : seen).add(eventId);
	};
	const { findings } = await checkService(oneByOne);
	expect(verdictOf(findings)).toBe('fits');
	expect(verdictLines({ findings }).join('\n')).toMatch(/no two requests arrived at once/);
});
