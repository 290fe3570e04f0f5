import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import {
	readVerifier,
	verify,
	type WebhookCredential,
} from '../../../../nodes/PaymentsTrigger/signature/verify';
import { signed } from '../../../support/signed';

/* What a credential has to be, and the schemes beside the message signature. */

const NOW = 1_748_432_324_513;
const SECONDS = Math.floor(NOW / 1000);
const BODY = '{"event":"PAYMENT.STATUS_UPDATED","data":{"reference":"Rechnung über 5 €"}}';

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

const check = (
	credential: WebhookCredential,
	headers: Record<string, string | string[]>,
	{ body = BODY, now = NOW, toleranceMinutes = 120 } = {},
) => {
	const { value, problem } = readVerifier(credential);
	if (problem) return { problem };
	return verify(value, { rawBody: Buffer.from(body), headers }, { now, toleranceMinutes });
};
const reasonOf = (...args: Parameters<typeof check>) => check(...args).problem?.message;

const KEY = 'the key of this one endpoint';

/*
 * The fixtures of the libraries of Standard Webhooks (its repository, libraries/*) and of Svix
 * (svix-webhooks: javascript, go, python, ruby, csharp; for v1a the server's worker.rs, and the
 * headers in the specification). Both have the same ID, body, and secret.
 */
describe.each(['webhook', 'svix'])('the fixtures of Standard Webhooks and Svix, %s-', (vendor) => {
	const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
	const TIME = 1_614_265_330;
	const PAYLOAD = '{"test": 2432232314}';
	const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const V1 = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
	const PUBLIC_KEY = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';
	const V1A =
		'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';
	const OTHER = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

	const headersOf = (fields: Record<string, string>) =>
		Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${vendor}-${name}`, value]));
	const deliver = (
		secret: string,
		fields: Record<string, string | undefined> = {},
		{ body = PAYLOAD, seconds = 0 } = {},
	) => {
		const all = { id: ID, timestamp: String(TIME), signature: V1, ...fields };
		return check(
			{ scheme: 'standardWebhooks', secret },
			headersOf(JSON.parse(JSON.stringify(all)) as Record<string, string>),
			{ body, now: (TIME + seconds) * 1000, toleranceMinutes: 5 },
		);
	};
	const accepted = { value: { id: ID } };

	test.each<[string, string, Record<string, string | undefined>]>([
		['the signature of the sign test', SECRET, {}],
		['the same secret with its prefix', `whsec_${SECRET}`, {}],
		['several signatures of two headers', SECRET, { signature: `v1,${OTHER}, ${V1}` }],
		['the same, joined without a blank', SECRET, { signature: `v1a,AAAA,${V1},v1,${OTHER}` }],
		['several signatures', SECRET, { signature: `v1,${OTHER} v2,${OTHER} ${V1} v1,${OTHER}` }],
		['a signature by Ed25519', PUBLIC_KEY, { signature: V1A }],
		['both, to who has the secret', SECRET, { signature: `${V1} ${V1A}` }],
		['both, to who has the public key', PUBLIC_KEY, { signature: `${V1} ${V1A}` }],
		['v1a behind a wrong one', PUBLIC_KEY, { signature: `v1a,${OTHER} ${V1A}` }],
	])('accepts %s', (_, secret, fields) => expect(deliver(secret, fields)).toEqual(accepted));

	test.each<[string, string, Record<string, string | undefined>, object]>([
		['no ID', SECRET, { id: undefined }, {}],
		['no timestamp', SECRET, { timestamp: undefined }, {}],
		['a timestamp that is no number', SECRET, { timestamp: 'hello' }, {}],
		['no signature', SECRET, { signature: undefined }, {}],
		['another signature', SECRET, { signature: 'v1,dawfeoifkpqwoekfpqoekf' }, {}],
		['one changed letter', SECRET, { signature: V1.replace('OE=', 'OA=') }, {}],
		['the end of another', SECRET, { signature: V1.replace('LJ1OE=', 'Lawdd') }, {}],
		['a partial signature', SECRET, { signature: V1.slice(0, 8) }, {}],
		['an empty signature', SECRET, { signature: 'v1,' }, {}],
		['v1 of another body', SECRET, {}, { body: `${PAYLOAD} ` }],
		['v1 of another ID', SECRET, { id: 'msg_2' }, {}],
		['an old timestamp', SECRET, {}, { seconds: 301 }],
		['a timestamp in the future', SECRET, {}, { seconds: -301 }],
		['v1a of another body', PUBLIC_KEY, { signature: V1A }, { body: `${PAYLOAD} ` }],
		['v1a of another ID', PUBLIC_KEY, { signature: V1A, id: 'msg_2' }, {}],
		['v1a of another time', PUBLIC_KEY, { signature: V1A, timestamp: `${TIME + 1}` }, {}],
		['v1a, old', PUBLIC_KEY, { signature: V1A }, { seconds: 301 }],
		['v1a by another key', PUBLIC_KEY.replace('1SiA', '2SiA'), { signature: V1A }, {}],
		['v1a cut short', PUBLIC_KEY, { signature: V1A.slice(0, -8) }, {}],
		['v1a that is no base64', PUBLIC_KEY, { signature: `${V1A}%` }, {}],
		['an empty v1a', PUBLIC_KEY, { signature: 'v1a,' }, {}],
		['v1 alone, to who has the public key', PUBLIC_KEY, { signature: V1 }, {}],
		['v1a alone, to who has the secret', SECRET, { signature: V1A }, {}],
		['the signature of v1a as v1', PUBLIC_KEY, { signature: V1A.replace('v1a', 'v1') }, {}],
	])('rejects %s', (_, secret, fields, delivery) =>
		expect(deliver(secret, fields, delivery).problem).toBeDefined(),
	);

	test('rejects a timestamp under the name of the other vendor', () => {
		const other = vendor === 'svix' ? 'webhook' : 'svix';
		const headers = {
			...headersOf({ id: ID, signature: V1 }),
			[`${other}-timestamp`]: String(TIME),
		};
		const credential = { scheme: 'standardWebhooks', secret: SECRET };
		expect(check(credential, headers, { body: PAYLOAD, now: TIME * 1000 }).problem).toBeDefined();
	});

	test('rejects an HMAC made with the public key, which everybody has', () => {
		const signature = new Webhook(PUBLIC_KEY.slice('whpk_'.length)).sign(
			ID,
			new Date(TIME * 1000),
			PAYLOAD,
		);
		expect(deliver(PUBLIC_KEY, { signature }).problem).toBeDefined();
		expect(
			deliver(PUBLIC_KEY, { signature: signature.replace('v1', 'v1a') }).problem,
		).toBeDefined();
	});
});

describe('HMAC-SHA256 of the body', () => {
	const endpoint: WebhookCredential = {
		scheme: 'hmacSha256',
		secret: "It's a Secret to Everybody",
		headerName: 'X-Hub-Signature-256',
	};

	test('the example of GitHub’s documentation', () => {
		const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
		expect(
			check(endpoint, { 'x-hub-signature-256': signature }, { body: 'Hello, World!' }),
		).toEqual({ value: {} });
	});

	const mac = hmac(endpoint.secret as string, BODY).digest();
	test.each([
		['hex', mac.toString('hex')],
		['hex in upper case', mac.toString('hex').toUpperCase()],
		['hex with a prefix', `sha256=${mac.toString('hex')}`],
		['base64', mac.toString('base64')],
		['base64 with a prefix', `sha256=${mac.toString('base64')}`],
	])('accepts %s', (_, signature) =>
		expect(check(endpoint, { 'x-hub-signature-256': signature })).toEqual({ value: {} }),
	);

	test.each([
		['another body', mac.toString('hex'), `${BODY}\n`],
		['base64 in the wrong case', mac.toString('base64').toLowerCase(), BODY],
		['a shortened one', mac.toString('hex').slice(0, 32), BODY],
		['another algorithm', `sha1=${mac.toString('hex')}`, BODY],
	])('rejects %s', (_, signature, body) =>
		expect(check(endpoint, { 'x-hub-signature-256': signature }, { body }).problem).toBeDefined(),
	);
});

describe('a credential', () => {
	const body = { scheme: 'hmacSha256', headerName: 'x-signature' };
	const message = { scheme: 'messageSignature' };
	const standard = { scheme: 'standardWebhooks' };
	const base64 = (bytes: number) => Buffer.alloc(bytes, 'é').toString('base64');

	test.each<[string, WebhookCredential, RegExp]>([
		['nothing', {}, /'Signature Scheme'/],
		['unknown scheme', { scheme: 'none', secret: KEY }, /'Signature Scheme'/],
		['a member of every object', { scheme: 'constructor', secret: KEY }, /'Signature Scheme'/],
		['empty secret', { ...message, secret: '' }, /secret is empty/],
		['blank secret', { ...body, secret: ' \n' }, /secret is empty/],
		['secret that is no text', { ...message, secret: 5 }, /secret is empty/],
		['made-up secret', { ...message, secret: 'a'.repeat(15) }, /shorter than 16/],
		['made-up secret', { ...body, secret: 'test' }, /shorter than 16/],
		['made-up secret', { ...standard, secret: 'a'.repeat(23) }, /shorter than 24/],
		['masked secret', { ...message, secret: '••••••••••••••••••••' }, /masked/],
		['masked secret', { ...standard, secret: `whsec_****${base64(24)}` }, /masked/],
		['shortened secret', { ...standard, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8I…' }, /masked/],
		['no header name', { ...body, secret: KEY, headerName: '' }, /'Header Name'/],
		['header name with a blank', { ...body, secret: KEY, headerName: 'X Y' }, /'Header Name'/],
		['header name beyond ASCII', { ...body, secret: KEY, headerName: 'xé' }, /'Header Name'/],
		['header name beyond ASCII', { ...body, secret: KEY, headerName: 'éx' }, /'Header Name'/],
		['one letter', { ...standard, secret: 'w' }, /shorter than 24/],
		['whsec_ without base64', { ...standard, secret: `whsec_%${base64(24)}` }, /24 bytes/],
		['whsec_ with too little', { ...standard, secret: 'whsec_wronglength' }, /24 bytes/],
		['whsec_ of 23 bytes', { ...standard, secret: `whsec_${base64(23)}` }, /24 bytes/],
		['whsec_ alone', { ...standard, secret: 'whsec_' }, /24 bytes/],
		['whpk_ of 31 bytes', { ...standard, secret: `whpk_${base64(31)}` }, /32 bytes/],
		['whpk_ of 33 bytes', { ...standard, secret: `whpk_${base64(33)}` }, /32 bytes/],
		['a private key', { ...standard, secret: `whsk_${base64(64)}` }, /private key/],
	])('%s: says what is wrong', (_, credential, words) => {
		const { problem } = readVerifier(credential);
		expect(problem?.message).toMatch(words);
		expect(problem?.fix).toMatch(/[.]$/);
	});

	const WHSEC = `whsec_${base64(24)}`;
	const WHPK = `whpk_${base64(32)}`;

	/* Secrets as dashboards, their docs, environment files, and command lines show them. */
	test.each([
		['as it is', WHSEC, WHSEC],
		['behind a version (Supabase)', `v1,${WHSEC}`, WHSEC],
		['a public key behind its version', `v1a,${WHPK}`, WHPK],
		['in quotes, from JSON or YAML', `"${WHSEC}"`, WHSEC],
		['in single quotes', `'${WHSEC}'`, WHSEC],
		['as code in Markdown', `\`${WHSEC}\``, WHSEC],
		['a line of an environment file', `WEBHOOK_SECRET=${WHSEC}`, WHSEC],
		['the same with quotes and a version', `WEBHOOK_SECRET="v1,${WHSEC}"`, WHSEC],
		['a line of a shell', `export WEBHOOK_SECRET='${WHSEC}';`, WHSEC],
		['a line of YAML', `webhook-secret: ${WHSEC}`, WHSEC],
		['with a comma behind it', `"${WHSEC}",`, WHSEC],
		['with blanks around it', `  ${WHSEC}\n`, WHSEC],
	])('the secret of Standard Webhooks %s', (_, pasted, secret) => {
		expect(readVerifier({ ...standard, secret: pasted }).value?.secret).toBe(secret);
	});

	test.each([
		['a sentence', `Signing secret ${WHSEC}`],
		['an object', `{"secret":"${WHSEC}"}`],
		['another version', `v2,${WHSEC}`],
		['a quote that never ends', `"${WHSEC}`],
		['a comment behind it', `SECRET=${WHSEC} # production`],
		['two of them', `${WHSEC} ${WHSEC}`],
		['a private key behind a name', `KEY=whsk_${base64(64)}`],
	])("%s isn't saved, and the fix says what to enter", (_, secret) => {
		const { problem } = readVerifier({ ...standard, secret });
		expect(problem?.fix).toMatch(/whsec_|whpk_|whole secret/);
		expect(JSON.stringify(problem)).not.toContain(base64(24));
	});

	test.each<[WebhookCredential]>([
		[{ scheme: ' messageSignature ', secret: 'é'.repeat(16) }],
		[{ ...standard, secret: `whsec_${base64(64)}` }],
		[{ ...standard, secret: base64(24) }],
		[{ ...standard, secret: 'é'.repeat(24) }],
		[{ ...standard, secret: `whpk_${base64(32)}` }],
		[{ ...body, secret: 'é'.repeat(16), headerName: " !#$%&'*+.^_`|~09AZaz- " }],
		[{ ...body, secret: `whsec_%${KEY}` }],
	])('%j can verify', (credential) => expect(readVerifier(credential).problem).toBeUndefined());
});

/** Signs BODY: the headers of a delivery with several signatures, each made with another secret. */
const SIGNERS: Record<string, (secrets: string[]) => Record<string, string>> = {
	messageSignature: (secrets) => {
		const all = secrets.map((secret) => signed(BODY, { secret, created: SECONDS }));
		return { ...all[0], signature: all.map(({ signature }) => signature).join(', ') };
	},
	standardWebhooks: (secrets) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(SECONDS),
		'webhook-signature': secrets
			.map((secret) => hmac(secret, `msg_1.${SECONDS}.${BODY}`).digest('base64'))
			.map((signature) => `v1,${signature}`)
			.join(' '),
	}),
	hmacSha256: (secrets) => ({
		'x-key': secrets.map((secret) => hmac(secret, BODY).digest('hex')).join(', '),
	}),
};

test.each(Object.entries(SIGNERS))(
	'%s: while the sender signs with two secrets, either is accepted; ten signatures are compared',
	(scheme, sign) => {
		const wrong = (count: number) => Array.from({ length: count }, (_, index) => `other ${index}`);
		const accepts = (...secrets: string[]) =>
			check({ scheme, secret: KEY, headerName: 'X-Key' }, sign(secrets)).problem === undefined;
		expect([accepts(KEY), accepts(KEY, 'other'), accepts('other', KEY)]).toEqual([
			true,
			true,
			true,
		]);
		expect([accepts('other'), accepts(...wrong(10))]).toEqual([false, false]);
		expect([accepts(...wrong(9), KEY), accepts(...wrong(10), KEY)]).toEqual([true, false]);
	},
);

describe('the reason of a rejection', () => {
	const NO_TIME = /time of signing/;
	const standard = (changes = {}) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(SECONDS),
		'webhook-signature': 'v1,AAAA',
		...changes,
	});

	test.each<[string, Record<string, string>, RegExp]>([
		['standardWebhooks', standard({ 'webhook-id': '' }), /no webhook-id header/],
		['standardWebhooks', standard({ 'webhook-signature': ' ' }), /no webhook-signature header/],
		['standardWebhooks', standard({ 'webhook-timestamp': '' }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `${SECONDS}s` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `-${SECONDS}` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': '1'.repeat(13) }), NO_TIME],
		[
			'standardWebhooks',
			standard({ 'webhook-signature': 'v2,AAAA Xv1,AAAA' }),
			/webhook-signature header.* v1/,
		],
		['standardWebhooks', standard(), /this secret/],
		['hmacSha256', {}, /no x-key header/],
		['hmacSha256', { 'x-key': 'AAAA' }, /no SHA-256/],
		['hmacSha256', { 'x-key': '0'.repeat(64) }, /this secret/],
	])('%s: %j: %s', (scheme, headers, reason) => {
		const credential = { scheme, secret: KEY, headerName: 'X-Key' };
		expect(reasonOf(credential, headers)).toMatch(reason);
	});

	test('hmacSha256, a name of every object as header', () => {
		const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'constructor' };
		expect(reasonOf(credential, {})).toMatch(/no constructor header/);
	});

	const HEX = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';
	const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

	/* Signed with the right secret, but in a form that no scheme verifies. */
	describe.each<[string, Record<string, string>, RegExp]>([
		['Stripe', { 'stripe-signature': `t=1492774577,v1=${HEX},v0=${HEX}` }, /t=…,v1=…/],
		['Calendly', { 'calendly-webhook-signature': `t=1492774577,v1=${HEX}` }, /t=…,v1=…/],
		['Persona', { 'persona-signature': `t=1492774577,v1=${HEX} t=1492774577,v1=${HEX}` }, /t=…/],
		['Paddle', { 'paddle-signature': `ts=1671552777;h1=${HEX}` }, /t=…/],
		['Slack', { 'x-slack-request-timestamp': '1', 'x-slack-signature': `v0=${HEX}` }, /v0=…/],
		['Zoom', { 'x-zm-request-timestamp': '1', 'x-zm-signature': `v0=${HEX}` }, /v0=…/],
		[
			'RFC 9421',
			{
				'content-digest': `sha-256=:${BASE64}:`,
				'signature-input': `sig1=("@method" "content-digest");created=1;keyid="k";alg="hmac-sha256"`,
				signature: `sig1=:${BASE64}:`,
			},
			/RFC 9421/,
		],
	])('a delivery as %s signs it', (_, headers, form) => {
		const header = Object.keys(headers).at(-1)!;
		test.each(['messageSignature', 'standardWebhooks', 'hmacSha256'])(
			'names the form with the scheme %s',
			(scheme) => {
				expect(reasonOf({ scheme, secret: KEY, headerName: header }, headers)).toMatch(form);
			},
		);
	});

	test.each([
		['a wrong secret', signed(BODY, { secret: 'another', created: SECONDS })],
		[
			'a changed body',
			{ ...signed(BODY, { secret: KEY, created: SECONDS }), digest: HEX.slice(0, 40) },
		],
	])('%s is one, although the service also signs as Stripe', (_, headers) => {
		const both = { ...headers, 'x-signature': `t=1492774577,v1=${HEX}` };
		const reason = reasonOf({ scheme: 'messageSignature', secret: KEY }, both);
		expect(reason).toMatch(/secret|digest/);
	});

	test('names that it could not be read, whatever is thrown', () => {
		const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'x-key' };
		const delivery = { rawBody: Buffer.from(''), headers: undefined as never };
		const verifier = readVerifier(credential).value!;
		const { problem } = verify(verifier, delivery, { now: NOW, toleranceMinutes: 5 });
		expect(problem?.message).toMatch(/read/);
	});
});
