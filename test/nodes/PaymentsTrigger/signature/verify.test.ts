import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import {
	readVerifier,
	verify,
	type WebhookCredential,
} from '../../../../nodes/PaymentsTrigger/signature/verify';
import { fc, propertyRuns } from '../../../support/properties';

/* What a credential has to be, and the schemes beside the message signature. */

const NOW = 1_748_432_324_513;
const SECONDS = Math.floor(NOW / 1000);
const BODY = '{"event":"PAYMENT.STATUS_UPDATED","data":{"reference":"Rechnung über 5 €"}}';

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

const check = (
	credential: WebhookCredential,
	headers: Record<string, string | string[]>,
	{ body = BODY, now = NOW, toleranceMs = 120 * 60_000 } = {},
) => {
	const { value, problem } = readVerifier(credential);
	if (problem) return { problem };
	return verify(value, { rawBody: Buffer.from(body), headers }, { now, toleranceMs });
};
const reasonOf = (...args: Parameters<typeof check>) => check(...args).problem?.message;

const KEY = 'the key of this one endpoint';

/*
 * The fixtures of the libraries of Standard Webhooks (its repository, libraries/*) and of Svix
 * (svix-webhooks: javascript, go, python, ruby, csharp; for v1a the server's worker.rs). Both have
 * the same ID, body, and secret.
 */
describe.each(['webhook', 'svix'])('the fixtures of Standard Webhooks and Svix, %s-', (vendor) => {
	const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
	const TIME = 1_614_265_330;
	const PAYLOAD = '{"test": 2432232314}';
	const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const V1 = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
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
			{ body, now: (TIME + seconds) * 1000, toleranceMs: 5 * 60_000 },
		);
	};
	const accepted = { value: { id: ID } };

	test.each<[string, string, Record<string, string | undefined>]>([
		['the signature of the sign test', SECRET, {}],
		['the same secret with its prefix', `whsec_${SECRET}`, {}],
		['several signatures of two headers', SECRET, { signature: `v1,${OTHER}, ${V1}` }],
		['the same, joined without a blank', SECRET, { signature: `v1a,AAAA,${V1},v1,${OTHER}` }],
		['several signatures', SECRET, { signature: `v1,${OTHER} v2,${OTHER} ${V1} v1,${OTHER}` }],
		['one beside another by Ed25519', SECRET, { signature: `${V1A} ${V1}` }],
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
		['v1a alone', SECRET, { signature: V1A }, {}],
		['the signature of v1a as v1', SECRET, { signature: V1A.replace('v1a', 'v1') }, {}],
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
});

test.each(['the text itself is the key', 'AbCdEfGhIjKlMnOpQrStUvWx'])(
	'Standard Webhooks: a secret without prefix that its library takes as it is, %j',
	(secret) => {
		const signature = new Webhook(secret, { format: 'raw' }).sign('msg_1', new Date(NOW), BODY);
		const headers = {
			'webhook-id': 'msg_1',
			'webhook-timestamp': String(SECONDS),
			'webhook-signature': signature,
		};
		const credential = { scheme: 'standardWebhooks', secret };
		expect(check(credential, headers)).toEqual({ value: { id: 'msg_1' } });
	},
);

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
		['empty secret', { ...message, secret: '' }, /'Signing Secret' is empty/],
		['blank secret', { ...body, secret: ' \n' }, /'Signing Secret' is empty/],
		['secret that is no text', { ...message, secret: 5 }, /'Signing Secret' .*isn't text/],
		['no secret but the previous one', { ...message, previousSecret: KEY }, /'Signing Secret'/],
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
		['a public key', { ...standard, secret: `whpk_${base64(32)}` }, /asymmetric.*v1a/],
		['a private key', { ...standard, secret: `whsk_${base64(64)}` }, /asymmetric.*v1a/],
		['a version before it', { ...standard, secret: `v1,whsec_${base64(24)}` }, /before/],
		['a line of a file', { ...standard, secret: `SECRET="whsec_${base64(24)}"` }, /before/],
		['a public key in a line', { ...standard, secret: `KEY: whpk_${base64(32)}` }, /before/],
		['a comment behind it', { ...standard, secret: `whsec_${base64(24)} # live` }, /24 bytes/],
	])('%s: says what is wrong, and nothing of the secret', (_, credential, words) => {
		const { problem } = readVerifier(credential);
		expect(problem?.message).toMatch(words);
		expect(problem?.fix).toMatch(/[.]$/);
		expect(JSON.stringify(problem)).not.toContain(base64(24));
	});

	test.each<[WebhookCredential]>([
		[{ scheme: ' messageSignature ', secret: 'é'.repeat(16) }],
		[{ ...standard, secret: `whsec_${base64(64)}` }],
		[{ ...standard, secret: base64(24) }],
		[{ ...standard, secret: 'é'.repeat(24) }],
		[{ ...standard, secret: ` whsec_${base64(24)}\n` }],
		[{ ...body, secret: 'é'.repeat(16), headerName: " !#$%&'*+.^_`|~09AZaz- " }],
		[{ ...body, secret: `whsec_%${KEY}` }],
	])('%j can verify', (credential) => expect(readVerifier(credential).problem).toBeUndefined());
});

describe('the reason of a rejection', () => {
	const NO_TIME = /time of signing/;
	const standard = (changes = {}) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(SECONDS),
		'webhook-signature': `v1,${'A'.repeat(43)}=`,
		...changes,
	});

	test.each<[string, Record<string, string>, RegExp]>([
		['standardWebhooks', standard({ 'webhook-id': '' }), /no webhook-id header/],
		['standardWebhooks', standard({ 'webhook-signature': ' ' }), /no webhook-signature header/],
		['standardWebhooks', standard({ 'webhook-timestamp': '' }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `${SECONDS}s` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': `-${SECONDS}` }), NO_TIME],
		['standardWebhooks', standard({ 'webhook-timestamp': '1'.repeat(13) }), NO_TIME],
		['standardWebhooks', standard(), /wasn't made with a secret/],
		['hmacSha256', {}, /no x-key header/],
		['messageSignature', {}, /no signature-input header/],
		['messageSignature', { 'signature-input': 'x' }, /signature-input header has no label=/],
	])('%s: %j: %s', (scheme, headers, reason) => {
		const credential = { scheme, secret: KEY, headerName: 'X-Key' };
		expect(reasonOf(credential, headers)).toMatch(reason);
	});

	const HEX = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';
	const BASE64 = Buffer.from(HEX, 'hex').toString('base64');
	const BASE64_URL = Buffer.from(HEX, 'hex').toString('base64url');

	/* Headers as services send them. The reason has their form, and none of their values. */
	test.each([
		['Revolut', `v1=${HEX}`, 'v1=<64 hex digits>'],
		['Stripe', `t=1492774577,v1=${HEX},v0=${HEX}`, 't=…,v1=<64 hex digits>,v0=<64 hex digits>'],
		['Paddle', `ts=1671552777;h1=${HEX}`, 'ts=…;h1=<64 hex digits>'],
		['Slack', `v0=${HEX}`, 'v0=<64 hex digits>'],
		['Persona', `t=1,v1=${HEX} t=1,v1=${HEX}`, 't=…,v1=<64 hex digits> t=…,v1=<64 hex digits>'],
		['GitHub, before 2021', `sha1=${HEX.slice(0, 40)}`, 'sha1=<40 hex digits>'],
		['SHA-512', HEX + HEX, '<128 hex digits>'],
		['base64url', BASE64_URL, '<43 characters of base64url>'],
		['base64url with its padding', `${BASE64_URL.slice(0, -2)}-_=`, '<44 characters of base64url>'],
		['SHA-1 in base64', Buffer.alloc(20).toString('base64'), '<28 characters of base64>'],
		['SHA-512 in base64', Buffer.alloc(64).toString('base64'), '<88 characters of base64>'],
		['RFC 9421', `sig1=:${BASE64}:`, 'sig1=:<44 characters of base64>:'],
		['a token', `Bearer ${KEY.replaceAll(' ', '')}`, '… <23 characters of base64url>'],
		['another word', 'AAAA', '…'],
		['a digit less', HEX.slice(1), '<63 characters of base64url>'],
	])('HMAC-SHA256 of the Body, a header as %s: its form', (_, header, form) => {
		const reason = reasonOf(
			{ scheme: 'hmacSha256', secret: KEY, headerName: 'X-Key' },
			{
				'x-key': header,
			},
		);
		expect(reason).toBe(
			`its x-key header has the form ${form}, and this scheme verifies 64 hex digits or 44 characters of base64, alone or behind sha256=`,
		);
	});

	test('the form of a header without end is bounded', () => {
		const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'X-Key' };
		const reason = reasonOf(credential, { 'x-key': 'v1=A,'.repeat(3000) });
		expect(reason?.length).toBeLessThan(600);
	});

	test('no value of a header is in the reason, whatever the header is', () => {
		const value = fc.string({ unit: fc.constantFrom(...'aB09+/=_-.'), minLength: 14 });
		const separator = fc.constantFrom(',', ' ', '; ', ':', 'v1=', 't=');
		const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'X-Key' };
		fc.assert(
			fc.property(separator, fc.array(value, { minLength: 1 }), (between, values) => {
				const reason = reasonOf(credential, { 'x-key': between + values.join(between) });
				for (const one of values) expect(reason).not.toContain(one);
			}),
			{ numRuns: propertyRuns(2000) },
		);
	});

	test.each([HEX, HEX.toUpperCase(), BASE64, `sha256=${HEX}`, `SHA256=${BASE64}`, `x, ${HEX}`])(
		'HMAC-SHA256 of the Body, %s: a form that it verifies, so that the secret is another one',
		(header) => {
			const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'X-Key' };
			expect(reasonOf(credential, { 'x-key': header })).toMatch(/wasn't made with a secret/);
		},
	);

	test.each([
		['hex', `v1,${HEX}`, 'v1,<64 hex digits>'],
		['an equals sign', `v1=${BASE64}`, 'v1=<44 characters of base64>'],
		['no version', BASE64, '<44 characters of base64>'],
		['v1a alone', `v1a,${BASE64}`, 'v1a,<44 characters of base64>'],
		['another version', `v2,${BASE64} Xv1,${BASE64}`, 'v2,<44 characters of base64> …,<44 char'],
	])('Standard Webhooks, a signature with %s: its form', (_, header, form) => {
		const credential = { scheme: 'standardWebhooks', secret: KEY };
		const reason = reasonOf(credential, standard({ 'webhook-signature': header }));
		expect(reason).toContain(`its webhook-signature header has the form ${form}`);
		expect(reason).toMatch(/, and this scheme verifies v1,<44 characters of base64>$/);
	});

	test.each([
		['RFC 9421', `sig1=:${BASE64}:`, 'sig1=:<44 characters of base64>:'],
		['Revolut', `v1=${HEX}`, 'v1=<64 hex digits>'],
	])('Message Signature, a signature as %s: its form', (_, signature, form) => {
		const headers = {
			'content-digest': `sha-256=:${BASE64}:`,
			'signature-input': `sig1=("@method" "content-digest");created=1;keyid="k";alg="hmac-sha256"`,
			signature,
		};
		const reason = reasonOf({ scheme: 'messageSignature', secret: KEY }, headers);
		expect(reason).toBe(
			`its signature header has the form ${form}, and this scheme verifies label=:<64 hex digits>:`,
		);
	});

	test('hmacSha256, a name of every object as header', () => {
		const credential = { scheme: 'hmacSha256', secret: KEY, headerName: 'constructor' };
		expect(reasonOf(credential, {})).toMatch(/no constructor header/);
	});
});
