import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';

import {
	checkWebhookCredential,
	verify,
	type WebhookCredential,
} from '../../nodes/PaymentsTrigger/signature/verify';

const NOW = 1_748_432_324_513;
const SECONDS = Math.floor(NOW / 1000);
const BODY =
	'{"id":"evt_9n5ev10g6ozjnn681y4azjdkl2","event":"PAYMENT.STATUS_UPDATED","data":{"reference":"Rechnung über 5 €"}}';

const openssl = (args: string[], input: string) =>
	execFileSync('openssl', ['dgst', ...args], { input });
const hmacByOpenssl = (secret: string, input: string) =>
	openssl(['-sha256', '-hmac', secret, '-binary'], input);
const hexOf = (args: string[], input: string) =>
	openssl([...args, '-binary'], input).toString('hex');

/** The scheme of public practice, as a sender would do it with openssl alone. */
const signedByOpenssl = (
	secret: string,
	{ body = BODY, label = 'fr1', created = SECONDS, more = '' } = {},
) => {
	const digest = hexOf(['-sha1'], body);
	const parameters = `("digest");created=${created}${more}`;
	const hex = hmacByOpenssl(
		secret,
		`"digest": "${digest}"\n@signature-params: ${parameters}`,
	).toString('hex');
	return { digest, 'signature-input': `${label}=${parameters}`, signature: `${label}=:${hex}:` };
};

const check = (
	endpoint: WebhookCredential,
	headers: Record<string, string | string[]>,
	{ body = BODY, now = NOW, toleranceMinutes = 120 } = {},
) => verify(endpoint, { rawBody: Buffer.from(body), headers }, { now, toleranceMinutes });

const reasonOf = (...args: Parameters<typeof check>) => {
	const verdict = check(...args);
	return verdict.accepted ? 'accepted' : verdict.reason;
};

describe('message signature, against openssl', () => {
	const endpoint: WebhookCredential = { scheme: 'messageSignature', secret: 'key of the endpoint' };
	const good = signedByOpenssl('key of the endpoint');
	const forged = signedByOpenssl('another key');

	test.each([
		['the label seen in public', good],
		['any other label', signedByOpenssl('key of the endpoint', { label: 'sig-b21' })],
		[
			'more parameters, which the signature covers',
			signedByOpenssl('key of the endpoint', { more: ';keyid="k 1";alg="hmac-sha256"' }),
		],
		[
			'upper-case hex',
			{
				...good,
				digest: good.digest.toUpperCase(),
				signature: `fr1=:${good.signature.slice(5, -1).toUpperCase()}:`,
			},
		],
		[
			'two labels of which the second is right',
			{
				...good,
				'signature-input': `x=("digest");created=1, ${good['signature-input']}`,
				signature: `x=:${'0'.repeat(64)}:, ${good.signature}`,
			},
		],
		[
			'one label with two signatures of which one is right',
			{ ...good, signature: `${forged.signature}, ${good.signature}` },
		],
		['headers that came twice', { ...good, signature: [forged.signature, good.signature] }],
	])('accepts %s', (_, headers) => expect(check(endpoint, headers)).toEqual({ accepted: true }));

	test('accepts the previous secret too, until it is emptied', () => {
		expect(
			check({ ...endpoint, secret: 'new key', previousSecret: 'key of the endpoint' }, good)
				.accepted,
		).toBe(true);
		expect(check({ ...endpoint, secret: 'new key', previousSecret: '' }, good).accepted).toBe(
			false,
		);
	});

	test('a secret pasted with blanks around it is the same secret', () => {
		expect(check({ ...endpoint, secret: ' key of the endpoint\n' }, good).accepted).toBe(true);
	});

	test('the age counts from the signed time, to the second; a little ahead is forgiven', () => {
		const at = (seconds: number) =>
			check(endpoint, good, { now: (SECONDS + seconds) * 1000 }).accepted;
		expect([at(0), at(7200), at(7201), at(-300), at(-301)]).toEqual([
			true,
			true,
			false,
			true,
			false,
		]);
	});

	test('a timestamp tolerance that is no number lets nobody in', () => {
		for (const toleranceMinutes of [NaN, -1, 0])
			expect(check(endpoint, good, { now: NOW + 60_000, toleranceMinutes }).accepted).toBe(false);
	});

	test('each rejection has its own reason', () => {
		const reasons = [
			reasonOf(endpoint, {}),
			reasonOf(endpoint, { ...good, signature: '' }),
			reasonOf(endpoint, { ...good, digest: '' }),
			reasonOf(endpoint, { ...good, signature: good.signature.replace('fr1', 'fr2') }),
			reasonOf(endpoint, {
				...good,
				'signature-input': good['signature-input'].replace('"digest"', '"digest" "date"'),
			}),
			reasonOf(endpoint, { ...good, 'signature-input': 'fr1=("digest")' }),
			reasonOf(endpoint, good, { now: NOW + 8000_000 }),
			reasonOf(endpoint, good, { now: NOW - 400_000 }),
			reasonOf(endpoint, forged),
		];
		expect(new Set(reasons).size).toBe(reasons.length);
		expect(reasons).not.toContain('accepted');
	});
});

describe('Standard Webhooks, against its public vector and its own library', () => {
	const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const endpoint: WebhookCredential = { scheme: 'standardWebhooks', secret };
	const byLibrary = (key = secret, body = BODY) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(SECONDS),
		'webhook-signature': new Webhook(key).sign('msg_1', new Date(SECONDS * 1000), body),
	});
	const other = byLibrary('whsec_c2VjcmV0LW9mLWFub3RoZXItZW5kcG9pbnQ=')['webhook-signature'];

	test('the reference vector', () => {
		const headers = {
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		};
		expect(
			check(endpoint, headers, { body: '{"test": 2432232314}', now: 1_614_265_330_000 }),
		).toEqual({ accepted: true, id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' });
	});

	test('what the library signs is accepted, and what it would not accept is not', () => {
		expect(check(endpoint, byLibrary())).toEqual({ accepted: true, id: 'msg_1' });
		expect(
			check({ ...endpoint, secret: secret.slice('whsec_'.length) }, byLibrary()).accepted,
		).toBe(true);
		expect(check(endpoint, { ...byLibrary(), 'webhook-id': 'msg_2' }).accepted).toBe(false);
		expect(
			check(endpoint, { ...byLibrary(), 'webhook-timestamp': String(SECONDS + 1) }).accepted,
		).toBe(false);
		expect(check(endpoint, byLibrary(), { body: `${BODY} ` }).accepted).toBe(false);
		expect(check(endpoint, byLibrary(), { now: NOW + 7201_000 }).accepted).toBe(false);
	});

	test('a secret without prefix is taken as text too', () => {
		const mac = hmacByOpenssl('plain text secret!', `msg_1.${SECONDS}.${BODY}`).toString('base64');
		expect(
			check(
				{ ...endpoint, secret: 'plain text secret!' },
				{ ...byLibrary(), 'webhook-signature': `v1,${mac}` },
			).accepted,
		).toBe(true);
	});

	test('several signatures: one that is right is enough, other versions do not count', () => {
		const { 'webhook-signature': right, ...rest } = byLibrary();
		expect(
			check(endpoint, { ...rest, 'webhook-signature': `v1a,AAAA ${other} ${right}` }).accepted,
		).toBe(true);
		expect(
			check(endpoint, { ...rest, 'webhook-signature': `${other} ${right.replace('v1,', 'v1a,')}` })
				.accepted,
		).toBe(false);
		expect(
			reasonOf(endpoint, { ...rest, 'webhook-signature': right.replace('v1,', 'v2,') }),
		).toContain('version v1');
	});

	test('an empty key, with which anybody could sign, is never used', () => {
		const withEmptyKey = hmacByOpenssl('', `msg_1.${SECONDS}.${BODY}`).toString('base64');
		for (const empty of ['', 'whsec_', 'whsec_!!!!']) {
			expect(
				check(
					{ ...endpoint, secret: empty },
					{ ...byLibrary(), 'webhook-signature': `v1,${withEmptyKey}` },
				).accepted,
			).toBe(false);
			expect(checkWebhookCredential({ ...endpoint, secret: empty })).toBeDefined();
		}
		expect(
			check(
				{ ...endpoint, previousSecret: '' },
				{ ...byLibrary(), 'webhook-signature': `v1,${withEmptyKey}` },
			).accepted,
		).toBe(false);
	});
});

describe('HMAC-SHA256 of the body, against a public example and openssl', () => {
	const endpoint: WebhookCredential = {
		scheme: 'hmacSha256',
		secret: "It's a Secret to Everybody",
		headerName: 'X-Hub-Signature-256',
	};

	test('the example of GitHub’s documentation', () => {
		const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
		expect(
			check(endpoint, { 'x-hub-signature-256': signature }, { body: 'Hello, World!' }),
		).toEqual({ accepted: true });
	});

	const mac = hmacByOpenssl("It's a Secret to Everybody", BODY);
	test.each([
		['hex', mac.toString('hex')],
		['hex in upper case', mac.toString('hex').toUpperCase()],
		['hex with a prefix', `sha256=${mac.toString('hex')}`],
		['base64', mac.toString('base64')],
		['base64 with a prefix', `sha256=${mac.toString('base64')}`],
		['a second signature', `${'0'.repeat(64)},${mac.toString('hex')}`],
	])('accepts %s', (_, signature) =>
		expect(check(endpoint, { 'x-hub-signature-256': signature })).toEqual({ accepted: true }),
	);

	test.each([
		['another body', mac.toString('hex'), `${BODY}\n`],
		['base64 in the wrong case', mac.toString('base64').toLowerCase(), BODY],
		['a shortened one', mac.toString('hex').slice(0, 32), BODY],
		['another algorithm', `sha1=${mac.toString('hex')}`, BODY],
	])('rejects %s', (_, signature, body) =>
		expect(check(endpoint, { 'x-hub-signature-256': signature }, { body }).accepted).toBe(false),
	);
});

describe('fixed header value', () => {
	const endpoint: WebhookCredential = {
		scheme: 'headerValue',
		secret: 'Bearer 0123',
		headerName: 'Authorization',
		previousSecret: 'Bearer old',
	};

	test.each([
		['Bearer 0123', true],
		['Bearer old', true],
		['bearer 0123', false],
		['Bearer 01234', false],
		['Bearer', false],
		['', false],
	])('"%s" is accepted: %s', (value, accepted) =>
		expect(check(endpoint, { authorization: value }).accepted).toBe(accepted),
	);
});

describe('a credential that cannot verify', () => {
	test.each<[string, WebhookCredential, RegExp]>([
		['nothing', {}, /'Signature Scheme'/],
		['unknown scheme', { scheme: 'none', secret: 'x' }, /'Signature Scheme'/],
		[
			'a scheme that is a member of every object',
			{ scheme: 'constructor', secret: 'x' },
			/'Signature Scheme'/,
		],
		['empty secret', { scheme: 'messageSignature', secret: '' }, /secret is empty/],
		['blank secret', { scheme: 'hmacSha256', secret: ' \n', headerName: 'x' }, /secret is empty/],
		['secret that is no text', { scheme: 'messageSignature', secret: 5 }, /secret is empty/],
		['no header name', { scheme: 'hmacSha256', secret: 'x', headerName: '' }, /'Header Name'/],
		[
			'header name with a blank',
			{ scheme: 'headerValue', secret: 'x', headerName: 'X Signature' },
			/'Header Name'/,
		],
		['whsec_ without base64', { scheme: 'standardWebhooks', secret: 'whsec_%' }, /base64/],
		[
			'whsec_ without base64 in the previous secret',
			{ scheme: 'standardWebhooks', secret: 'abcd', previousSecret: 'whsec_%' },
			/base64/,
		],
	])('%s: says what to do, and rejects', (_, endpoint, words) => {
		expect(checkWebhookCredential(endpoint)).toMatch(words);
		expect(check(endpoint, { ...signedByOpenssl('x'), '': 'x', 'x signature': 'x' }).accepted).toBe(
			false,
		);
	});
});
