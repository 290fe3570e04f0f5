import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readVerifier, verify } from '../../nodes/PaymentsTrigger/signature/verify';
import { read } from '../support/sourceTexts';

/*
 * The signatures that docs/credentials.md computes in a shell: its commands print what it shows,
 * and the trigger accepts that.
 */

const examples = [
	...read('docs/credentials.md').matchAll(
		/^#### ([^\n]+)\n[^#]*?```sh\n([^`]*)```\n\n```text\n([^`]*)```/gm,
	),
].map(([, scheme, commands, shown]) => ({ scheme, commands, shown }));

const SCHEMES: Record<string, string> = {
	'Message Signature': 'messageSignature',
	'Standard Webhooks': 'standardWebhooks',
	'HMAC-SHA256 of the Body': 'hmacSha256',
};

/** Reads a variable that the commands set. */
const variable = (commands: string, name: string) =>
	new RegExp(`^${name}='?([^'\\n]*)'?$`, 'm').exec(commands)?.[1];

const headersOf = (lines: string) =>
	Object.fromEntries(
		lines
			.trim()
			.split('\n')
			.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
	) as Record<string, string>;

test('every scheme that computes a signature has an example', () => {
	expect(examples.map(({ scheme }) => scheme)).toEqual(Object.keys(SCHEMES));
});

test.each(examples)('$scheme: the commands print the headers of the page', (example) => {
	expect(execFileSync('bash', ['-c', example.commands], { encoding: 'utf8' })).toBe(example.shown);
});

test('Standard Webhooks: the commands verify a signature with the public key', () => {
	const [, commands, shown] =
		/```sh\n(public=[^`]*)```\n\n```text\n([^`]*)```/.exec(read('docs/credentials.md')) ?? [];
	const cwd = mkdtempSync(join(tmpdir(), 'v1a-'));
	expect(execFileSync('bash', ['-c', commands], { encoding: 'utf8', cwd })).toBe(shown);
	rmSync(cwd, { recursive: true });
});

describe.each(examples)('$scheme', ({ scheme, commands, shown }) => {
	const headers = headersOf(shown);
	const verifier = readVerifier({
		scheme: SCHEMES[scheme],
		secret: variable(commands, 'secret'),
		headerName: 'x-signature',
	}).value!;
	const clock = { now: 1_748_432_324_000, toleranceMinutes: 120 };
	const body = variable(commands, 'body') ?? '';

	test('the trigger accepts the headers', () => {
		const delivery = { rawBody: Buffer.from(body), headers };
		expect(verify(verifier, delivery, clock).problem).toBeUndefined();
	});

	test('the trigger rejects them with a line break after the body', () => {
		const delivery = { rawBody: Buffer.from(`${body}\n`), headers };
		expect(verify(verifier, delivery, clock).problem).toBeDefined();
	});
});
