import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import { readVerifier, verify } from '../../../../nodes/PaymentsTrigger/signature/verify';
import { signed } from '../../../support/signed';

/* Which deliveries are accepted while a service changes its secret. */

const NOW = Date.UTC(2026, 10, 28);
const BODY = JSON.stringify({ event: 'PAYMENT.CREATED', id: 'evt_1' });
const HEADER = 'x-signature';
/** How long ago a delivery was signed that the service retries for the last time. */
const QUEUED_MS = 100 * 60_000;

const whsec = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const OLD = whsec('o');
const NEW = whsec('n');

/** The headers of a delivery with one signature by each of the secrets. */
const SIGNERS: Record<string, (secrets: string[], at: number) => Record<string, string>> = {
	messageSignature: (secrets, at) => {
		const created = Math.floor(at / 1000);
		const all = secrets.map((secret) => signed(BODY, { secret, created }));
		return { ...all[0], signature: all.map(({ signature }) => signature).join(', ') };
	},
	standardWebhooks: (secrets, at) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(at / 1000)),
		'webhook-signature': secrets
			.map((secret) => new Webhook(secret).sign('msg_1', new Date(at), BODY))
			.join(' '),
	}),
	hmacSha256: (secrets) => ({
		[HEADER]: secrets
			.map((secret) => createHmac('sha256', secret).update(BODY).digest('hex'))
			.join(', '),
	}),
};

interface Secrets {
	secret: string;
	previousSecret?: unknown;
}

describe.each(Object.entries(SIGNERS))('%s', (scheme, sign) => {
	const problemWith = (secrets: Secrets, signers: string[], at = NOW) => {
		const verifier = readVerifier({ scheme, headerName: HEADER, ...secrets }).value!;
		const delivery = { rawBody: Buffer.from(BODY), headers: sign(signers, at) };
		return verify(verifier, delivery, { now: NOW, toleranceMs: 120 * 60_000 }).problem;
	};
	const accepts = (...args: Parameters<typeof problemWith>) => !problemWith(...args);

	const STAGES: Array<[string, Secrets, { old: boolean; new: boolean }]> = [
		['before', { secret: OLD }, { old: true, new: false }],
		['meanwhile', { secret: NEW, previousSecret: OLD }, { old: true, new: true }],
		[
			'with both the other way around',
			{ secret: OLD, previousSecret: NEW },
			{ old: true, new: true },
		],
		[
			'with blanks around it',
			{ secret: NEW, previousSecret: ` ${OLD}\n` },
			{ old: true, new: true },
		],
		['with the same twice', { secret: NEW, previousSecret: NEW }, { old: false, new: true }],
		['after', { secret: NEW }, { old: false, new: true }],
		['after, with blanks left', { secret: NEW, previousSecret: ' ' }, { old: false, new: true }],
		['after, with null left', { secret: NEW, previousSecret: null }, { old: false, new: true }],
	];

	test.each(STAGES)('%s', (_, secrets, expected) => {
		expect({ old: accepts(secrets, [OLD]), new: accepts(secrets, [NEW]) }).toEqual(expected);
		// What was queued with a secret is delivered later.
		expect(accepts(secrets, [OLD], NOW - QUEUED_MS)).toBe(expected.old);
		for (const both of [
			[OLD, NEW],
			[NEW, OLD],
		])
			expect(accepts(secrets, both)).toBe(true);
		expect(accepts(secrets, [whsec('x')])).toBe(false);
		expect(problemWith(secrets, [whsec('x')])?.fix).not.toMatch(/'Previous Secret' is/);
		expect(accepts(secrets, [whsec('x'), whsec('y')])).toBe(false);
	});

	test('ten signatures of a delivery are compared', () => {
		const others = Array.from({ length: 10 }, (_, index) => whsec(String(index)));
		const secrets = { secret: NEW, previousSecret: OLD };
		for (const right of [OLD, NEW]) {
			expect(accepts(secrets, [...others.slice(1), right])).toBe(true);
			expect(accepts(secrets, [...others, right])).toBe(false);
		}
	});

	const UNREADABLE: Array<[string, unknown, RegExp]> = [
		['masked', `${OLD.slice(0, 12)}••••••••••••`, /masked/],
		['shortened', `${OLD.slice(0, 20)}…`, /shortened/],
		['too short', 'short', /shorter than/],
		['a number', 1234567890123456, /isn't text/],
		['an object', { secret: OLD }, /isn't text/],
	];
	test.each(UNREADABLE)(
		'a Previous Secret that is %s refuses nothing that the Signing Secret verifies, and is named',
		(_, previousSecret, reason) => {
			const secrets = { secret: NEW, previousSecret };
			expect([accepts(secrets, [NEW]), accepts(secrets, [OLD, NEW])]).toEqual([true, true]);
			expect(problemWith(secrets, [OLD])).toEqual({
				message: expect.stringContaining("wasn't made with a secret of the credential"),
				fix: expect.stringMatching(/'Previous Secret'/),
			});
			const { previousProblem } = readVerifier({ scheme, headerName: HEADER, ...secrets }).value!;
			expect(previousProblem?.message).toMatch(/^The 'Previous Secret' /);
			expect(previousProblem?.message).toMatch(reason);
			expect(problemWith(secrets, [OLD])?.fix).toContain(previousProblem?.message);
			expect(JSON.stringify(problemWith(secrets, [OLD]))).not.toContain(OLD.slice(6, 12));
		},
	);
});

test('both secrets are of one scheme: a public key as Previous Secret is named, and never verifies', () => {
	const { value } = readVerifier({
		scheme: 'standardWebhooks',
		secret: NEW,
		previousSecret: `whpk_${Buffer.alloc(32).toString('base64')}`,
	});
	expect(value?.previousProblem?.message).toMatch(/'Previous Secret' is a key of asymmetric/);
	expect(value?.secrets).toEqual([NEW]);
});
