import { createHash, createHmac } from 'node:crypto';

import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';

import { keysOf } from '../../nodes/PaymentsTrigger/signature/standardWebhooks';
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

	test.each([
		[SECONDS + 1, true],
		[`${SECONDS - 1};expires=${SECONDS + 1}`, true],
		[`${SECONDS + 1};expires`, false],
		[SECONDS, true],
		[SECONDS - 1, false],
		['soon', false],
		['', false],
	])('expires=%p at the time of signing: accepted %p', (expires, accepted) => {
		const parameters = `("digest");created=${SECONDS};expires=${expires}`;
		const digest = createHash('sha1').update(BODY).digest('hex');
		const base = `"digest": "${digest}"\n@signature-params: ${parameters}`;
		const hex = createHmac('sha256', 'key of the endpoint').update(base).digest('hex');
		const headers = {
			digest,
			'signature-input': `fr1=${parameters}`,
			signature: `fr1=:${hex}:`,
		};
		expect(check(endpoint, headers, { now: SECONDS * 1000 }).accepted).toBe(accepted);
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

	test('the same vector with the header names of Svix', () => {
		const headers = {
			'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'svix-timestamp': '1614265330',
			'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		};
		const at = { body: '{"test": 2432232314}', now: 1_614_265_330_000 };
		expect(check(endpoint, headers, at).accepted).toBe(true);
		expect(check(endpoint, { ...headers, 'svix-id': 'msg_2' }, at).accepted).toBe(false);
		// Not some of the one and some of the other.
		const { 'svix-timestamp': timestamp, ...rest } = headers;
		expect(check(endpoint, { ...rest, 'webhook-timestamp': timestamp }, at).accepted).toBe(false);
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

describe('every scheme', () => {
	const withSecret = (scheme: string): WebhookCredential => ({
		scheme,
		secret: 'new secret',
		headerName: 'X-Signature',
	});
	/** Signs BODY: the headers of a delivery with several signatures, of which each was made with another secret. */
	const signers: Record<string, (secrets: string[]) => Record<string, string>> = {
		messageSignature: (secrets) => {
			const signed = secrets.map((secret) => signedByOpenssl(secret));
			return { ...signed[0], signature: signed.map(({ signature }) => signature).join(', ') };
		},
		standardWebhooks: (secrets) => ({
			'webhook-id': 'msg_1',
			'webhook-timestamp': String(SECONDS),
			'webhook-signature': secrets
				.map((secret) => hmacByOpenssl(secret, `msg_1.${SECONDS}.${BODY}`).toString('base64'))
				.map((signature) => `v1,${signature}`)
				.join(' '),
		}),
		hmacSha256: (secrets) => ({
			'x-signature': secrets
				.map((secret) => hmacByOpenssl(secret, BODY).toString('hex'))
				.join(', '),
		}),
	};

	describe.each(Object.entries(signers))('%s', (scheme, sign) => {
		const credential = withSecret(scheme);

		test.each([
			[['new secret'], true],
			[['old secret'], true],
			[['other secret'], false],
			[['other secret', 'old secret'], true],
			[['other secret', 'new secret'], true],
		])('while the secret is rotated, signatures with %p are accepted: %p', (secrets, accepted) => {
			const rotated = { ...credential, previousSecret: 'old secret' };
			expect(check(rotated, sign(secrets)).accepted).toBe(accepted);
		});

		test('compares ten signatures, and no more', () => {
			const wrong = (count: number) => Array.from({ length: count }, (_, i) => `other ${i}`);
			expect(check(credential, sign([...wrong(9), 'new secret'])).accepted).toBe(true);
			expect(check(credential, sign([...wrong(10), 'new secret'])).accepted).toBe(false);
		});

		test('rejects another body', () => {
			expect(check(credential, sign(['new secret']), { body: `${BODY} ` }).accepted).toBe(false);
		});
	});

	describe.each(Object.entries(signers))('%s', (scheme, sign) => {
		test('an empty secret, with which anybody could sign, is none', () => {
			const credential = { ...withSecret(scheme), previousSecret: ' ' };
			expect(check(credential, sign([''])).accepted).toBe(false);
		});
	});

	test('with ten labels and no more, of which one is signed', () => {
		const credential = withSecret('messageSignature');
		const good = signedByOpenssl('new secret');
		const withLabels = (count: number) => ({
			...good,
			'signature-input': [
				...Array.from({ length: count }, (_, i) => `x${i}=("digest");created=1`),
				good['signature-input'],
			].join(', '),
		});
		expect(check(credential, withLabels(9)).accepted).toBe(true);
		expect(check(credential, withLabels(10)).accepted).toBe(false);
	});
});

describe('the headers of a message signature', () => {
	const credential = { scheme: 'messageSignature', secret: 'key' };
	const NO_INPUT = 'it has no readable signature-input header';
	const NO_SIGNATURE = 'it has no readable signature header';
	const good = signedByOpenssl('key');
	const flagged = signedByOpenssl('key', { more: ';flag;empty="";nothing=' });
	const spaced = (() => {
		const parameters = `("digest"); xcreated=1; created=${SECONDS}`;
		const base = `"digest": "${good.digest}"\n@signature-params: ${parameters}`;
		const hex = hmacByOpenssl('key', base).toString('hex');
		return { ...good, 'signature-input': `fr1=${parameters}`, signature: `fr1=:${hex}:` };
	})();
	const input = (text: string) => ({ ...good, 'signature-input': text });
	const signature = (text: string) => ({ ...good, signature: text });

	test.each([
		['parameters without a value', flagged, 'accepted'],
		['blanks before parameters, and a name that ends in created', spaced, 'accepted'],
		['a blank before the comma', input(`${good['signature-input']} , x=("digest")`), 'accepted'],
		['no blank behind it', input(`x=("digest"),${good['signature-input']}`), 'accepted'],
		['a blank before the comma of signatures', signature(`${good.signature} , x`), 'accepted'],
		['a word before the input', input(`junk ${good['signature-input']}`), NO_INPUT],
		['a word behind the input', input(`${good['signature-input']} junk`), NO_INPUT],
		['a quote behind the input', input(`${good['signature-input']}"junk`), NO_INPUT],
		['a word before the signature', signature(`junk ${good.signature}`), NO_SIGNATURE],
		['a word behind the signature', signature(`${good.signature} junk`), NO_SIGNATURE],
		['letters behind the signature', signature(`${good.signature}junk`), NO_SIGNATURE],
		['a longer signature', signature(good.signature.replace(':', ':0')), NO_SIGNATURE],
	])('%s: %s', (_, headers, expected) => expect(reasonOf(credential, headers)).toBe(expected));
});

test.each([
	[
		'hmacSha256',
		'sha256= in the middle of a signature',
		(hex: string) => `${hex.slice(0, 9)}sha256=${hex.slice(9)}`,
	],
	['hmacSha256', 'a name of every object as header', undefined],
	['headerValue', 'a name of every object as header', undefined],
])('%s, %s: rejected', (scheme, _, changed) => {
	const headerName = changed ? 'x-key' : 'constructor';
	const credential = { scheme, secret: 'key', headerName };
	const hex = hmacByOpenssl('key', BODY).toString('hex');
	const headers: Record<string, string> = changed ? { 'x-key': changed(hex) } : {};
	expect(check(credential, headers)).toEqual({
		accepted: false,
		reason: changed
			? 'its signature was not made with this secret over this body'
			: 'it has no constructor header',
	});
});

test('blanks around the value of a header do not count', () => {
	const credential = { scheme: 'headerValue', secret: 'key', headerName: 'x-key' };
	expect(check(credential, { 'x-key': ' key ' }).accepted).toBe(true);
});

describe('the reason of a rejection', () => {
	const WRONG = 'its signature was not made with this secret over this body';
	const NO_TIME = 'its time of signing is missing or not a whole number of seconds';
	const signed = signedByOpenssl('key');
	const standard = (changes = {}) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(SECONDS),
		'webhook-signature': 'v1,AAAA',
		...changes,
	});
	const labels = (input: string) => ({ ...signed, 'signature-input': input });

	test.each<[string, Record<string, string>, string]>([
		['messageSignature', {}, 'it has no readable signature-input header'],
		['messageSignature', labels('fr1=;created=1'), 'it has no readable signature-input header'],
		['messageSignature', { ...signed, signature: '' }, 'it has no readable signature header'],
		[
			'messageSignature',
			{ ...signed, signature: signed.signature.slice(0, -2) + ':' },
			'it has no readable signature header',
		],
		['messageSignature', { ...signed, digest: '' }, 'its digest header does not fit its body'],
		[
			'messageSignature',
			{ ...signed, signature: signed.signature.replace('fr1', 'fr2') },
			'no signature has the label of a signature-input',
		],
		[
			'messageSignature',
			labels(signed['signature-input'].replace('"digest"', '"digest" "date"')),
			'its signature covers something else than the digest alone',
		],
		['messageSignature', labels('fr1=("digest")'), NO_TIME],
		['messageSignature', labels('fr1=("digest");created=1.5'), NO_TIME],
		['messageSignature', labels('fr1=("digest");expired=1'), NO_TIME],
		['messageSignature', signedByOpenssl('other'), WRONG],
		['standardWebhooks', standard({ 'webhook-id': '' }), 'it has no webhook-id header'],
		[
			'standardWebhooks',
			standard({ 'webhook-signature': ' ' }),
			'it has no webhook-signature header',
		],
		['standardWebhooks', standard({ 'webhook-timestamp': '' }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `${SECONDS}s` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `-${SECONDS}` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': '1'.repeat(13) }), NO_TIME],
		[
			'standardWebhooks',
			standard({ 'webhook-signature': 'v2,AAAA Xv1,AAAA' }),
			'its webhook-signature header has no signature of version v1',
		],
		['standardWebhooks', standard(), WRONG],
		['hmacSha256', {}, 'it has no x-key header'],
		['hmacSha256', { 'x-key': 'AAAA' }, WRONG],
		['headerValue', {}, 'it has no x-key header'],
		['headerValue', { 'x-key': 'other' }, 'its x-key header has another value'],
		['other', {}, 'the credential is not complete'],
	])('%s: %j: %s', (scheme, headers, reason) => {
		const credential = { scheme, secret: 'key', headerName: 'X-Key' };
		expect(check(credential, headers)).toEqual({ accepted: false, reason });
	});

	test('says how far the times are apart', () => {
		const credential = { scheme: 'messageSignature', secret: 'key' };
		const at = (seconds: number) =>
			reasonOf(credential, signed, { now: (SECONDS + seconds) * 1000 });
		expect(at(7300.4)).toBe(
			"it was signed 7300 seconds ago, more than 'Timestamp Tolerance' allows",
		);
		expect(at(-400.4)).toBe('it was signed 400 seconds in the future; compare the clocks');
	});

	test('is the last one of several labels', () => {
		const credential = { scheme: 'messageSignature', secret: 'key' };
		const parts = [
			'a=("digest" "date");created=1',
			'b=("digest");created=1',
			'c=("digest")',
			'd=("digest")',
		];
		const value = (label: string) => `${label}=:${'0'.repeat(64)}:`;
		const reasons = [1, 2, 3, 4].map((count) =>
			reasonOf(credential, {
				...signed,
				'signature-input': parts.slice(0, count).join(', '),
				signature: ['a', 'b', 'c'].map(value).join(', '),
			}),
		);
		expect(reasons).toEqual([
			'its signature covers something else than the digest alone',
			expect.stringContaining('seconds ago'),
			NO_TIME,
			NO_TIME,
		]);
	});

	test('names that it could not be read, whatever is thrown', () => {
		const credential = { scheme: 'headerValue', secret: 'key', headerName: 'x-key' };
		const delivery = { rawBody: Buffer.from(''), headers: undefined as never };
		expect(verify(credential, delivery, { now: NOW, toleranceMinutes: 5 })).toEqual({
			accepted: false,
			reason: 'it could not be read',
		});
	});
});

test.each<[WebhookCredential, string]>([
	[{}, "The 'Signature Scheme' isn't one of the list. Select one in the credential."],
	[
		{ scheme: 'hmacSha256', headerName: 'x' },
		"The secret is empty. Copy the secret of the webhook endpoint from the service's dashboard into the credential.",
	],
	[
		{ scheme: 'standardWebhooks', secret: 'whsec_%' },
		"A secret that starts with whsec_ must be followed by base64. Copy the whole secret again from the service's dashboard.",
	],
	[
		{ scheme: 'headerValue', secret: 'é', headerName: 'x' },
		"The secret has characters that an HTTP header can't carry, so no delivery can match it. Set a value of unaccented letters, digits, and ASCII symbols, both in the service and in the credential.",
	],
	[
		{ scheme: 'hmacSha256', secret: 'x' },
		"The 'Header Name' is empty or isn't the name of an HTTP header. Enter the name of the header that the service sends, for example X-Signature.",
	],
])('the credential %j: %s', (credential, problem) =>
	expect(checkWebhookCredential(credential)).toBe(problem),
);

test.each<[WebhookCredential]>([
	[{ scheme: ' messageSignature ', secret: 'é' }],
	[{ scheme: 'standardWebhooks', secret: 'whsec_AAAA', previousSecret: 'whsec_AAA=' }],
	[{ scheme: 'standardWebhooks', secret: 'whsec' }],
	[{ scheme: 'hmacSha256', secret: 'é', headerName: " !#$%&'*+.^_`|~09AZaz- " }],
	[{ scheme: 'hmacSha256', secret: 'whsec_%', headerName: 'x' }],
	[{ scheme: 'headerValue', secret: 'a z~', previousSecret: '', headerName: 'x' }],
])('the credential %j can verify', (credential) =>
	expect(checkWebhookCredential(credential)).toBeUndefined(),
);

test.each([
	[{ scheme: 'headerValue', secret: 'a', previousSecret: 'é', headerName: 'x' }],
	[{ scheme: 'headerValue', secret: 'aéa', headerName: 'x' }],
	[{ scheme: 'hmacSha256', secret: 'a', headerName: 'xé' }],
	[{ scheme: 'hmacSha256', secret: 'a', headerName: 'éx' }],
	[{ scheme: 'headerValue', secret: 'éa', headerName: 'x' }],
	[{ scheme: 'headerValue', secret: 'aé', headerName: 'x' }],
])('the credential %j cannot verify', (credential) =>
	expect(checkWebhookCredential(credential)).toBeDefined(),
);

describe('the keys that a secret of Standard Webhooks stands for', () => {
	const keys = (secret: string) => keysOf(secret).map((key) => key.toString('hex'));
	const hex = (text: string) => Buffer.from(text).toString('hex');

	test.each([
		['whsec_YWJj', [hex('abc')]],
		['YWJj', [hex('abc'), hex('YWJj')]],
		['whsec_YWI=', [hex('ab')]],
		['whsec_YWI', [hex('ab')]],
		['whsec_YQ==', [hex('a')]],
		['whsec_YQ', [hex('a')]],
		['whsec_++//', ['fbefff']],
		['whsec_YWJjYWI=', [hex('abcab')]],
		['whsec_Y', []],
		['whsec_YWJjY', []],
		['whsec_YWI==', []],
		['whsec_YQ=', []],
		['whsec_YWJj=', []],
		['whsec_=YWJj', []],
		['whsec_-YWJj', []],
		['whsec_YWJj-', []],
		['whsec_', []],
		['Y', [hex('Y')]],
		['a whsec_YWJj', [hex('a whsec_YWJj')]],
		['', []],
	])('%s', (secret, expected) => expect(keys(secret)).toEqual(expected));
});
