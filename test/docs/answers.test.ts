import { createHmac } from 'node:crypto';

import { transaction } from '../support/builders/transactions';
import { codeSays } from '../../nodes/Payments/sending/answer/codes';
import { MEANINGS } from '../../nodes/Payments/sending/answer/Says';
import { statusSays } from '../../nodes/shared/statuses';
import { answerTo } from '../support/builders/answers';
import { readVerifier, verify } from '../../nodes/PaymentsTrigger/signature/verify';
import { responses, type DeliveryResponse } from '../../nodes/PaymentsTrigger/responses';
import { read } from '../support/sourceTexts';

/* What docs/interface.md says of answers and signatures is what the nodes make of them. */

const section = (start: string, end: string) =>
	read('docs/interface.md').split(`### ${start}`)[1].split(`### ${end}`)[0];

const rows = section('10.4', '10.5')
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.slice(2)
	.map((line) => line.slice(2, -2).split(' | '))
	.map(([status, content, outcome, sentAgain]) => ({
		statuses: [...status.matchAll(/\b\d{3}\b/g)].map(([number]) => Number(number)),
		bodies: [...content.matchAll(/`(\{.*?\})`/g)].map(([, json]) => JSON.parse(json) as object),
		outcome: /`(\w+)`/.exec(outcome)![1],
		sentAgain,
	}));

function answer(status: number, body: object, retryUnknownOutcome: boolean) {
	const { taken, failure, isSentAgain } = answerTo(status, body, { retryUnknownOutcome });
	return { outcome: (taken ?? failure).outcome, isRetried: isSentAgain && status !== 401 };
}

const examples = rows.flatMap(({ statuses, bodies, ...row }) =>
	statuses.flatMap((status) => bodies.map((body) => ({ status, body, ...row }))),
);

test.each(examples)('$status $body: $outcome', ({ status, body, outcome, sentAgain }) => {
	const byItself = sentAgain.includes('Max Retry Time');
	const ifAllowed = byItself || sentAgain.includes('Retry on Unknown Outcome');
	expect(answer(status, body, false)).toEqual({ outcome, isRetried: byItself });
	expect(answer(status, body, true)).toEqual({ outcome, isRetried: ifAllowed });
});

test('every status that refuses a transaction, or is retried, is in the table', () => {
	const all = Array.from({ length: 400 }, (_, index) => 200 + index);
	const named = (start: string) =>
		examples.filter(({ sentAgain }) => sentAgain.startsWith(start)).map(({ status }) => status);
	const rejected = examples
		.filter(({ outcome }) => outcome === 'rejected')
		.map(({ status }) => status);
	expect([...new Set(rejected)].sort()).toEqual(
		all.filter((status) => MEANINGS[statusSays(status)].outcome === 'rejected'),
	);
	const retried = [429, 503];
	expect(named('Within')).toEqual(expect.arrayContaining(retried));
});

test('each error body of the checklist means to the node what it says', () => {
	const [, json] = /```json\n([\s\S]*?)```/.exec(section('11.2', '11.3'))!;
	const said = (JSON.parse(json) as unknown[]).map((body) =>
		codeSays({ status: 409, headers: {}, body }, transaction(1), []),
	);
	expect(said).toEqual(['recorded', 'inProgress', 'otherContent']);
});

describe('the signatures with numbers', () => {
	const deliveries = section('10.1', '10.2');
	const [messageSignature, base, standardWebhooks, body] = [
		...deliveries.matchAll(/```text\n([^`]*?)\n```/g),
	].map(([, text]) => text);
	const [, secret, webhookSecret] = /`(endpoint-secret-\w+)`[^]*`(whsec_\w+)`/.exec(deliveries)!;

	test.each([
		{ scheme: 'messageSignature', secret, lines: messageSignature },
		{ scheme: 'standardWebhooks', secret: webhookSecret, lines: standardWebhooks },
	])('$scheme', ({ lines, ...credential }) => {
		const headers = Object.fromEntries(lines.split('\n').map((line) => line.split(/: (.*)/)));
		const clock = { now: 1_748_432_324_513, toleranceMs: 60_000 };
		const verifier = readVerifier(credential).value!;
		const verified = (text: string) =>
			verify(verifier, { rawBody: Buffer.from(text), headers }, clock).problem;
		expect(verified(body)).toBeUndefined();
		expect(verified(`${body} `)).toBeDefined();
	});

	test('the base of the message signature', () =>
		expect(messageSignature).toContain(createHmac('sha256', secret).update(base).digest('hex')));
});

test('docs/payments-trigger.md has every response with its status', () => {
	const docs = read('docs/payments-trigger.md');
	for (const [name, answer] of Object.entries<DeliveryResponse>(responses)) {
		const row = docs.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
		expect([name, row?.split('|')[3].trim()]).toEqual([name, String(answer.status)]);
		if (answer.retryAfter) expect(row).toContain(`Retry-After: ${answer.retryAfter}`);
	}
});
