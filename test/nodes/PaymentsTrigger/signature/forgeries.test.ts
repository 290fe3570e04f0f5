import { createHash, createHmac } from 'node:crypto';

import { readVerifier, verify } from '../../../../nodes/PaymentsTrigger/signature/verify';
import { fc, propertyRuns } from '../../../support/properties';
import { SECRET, signed } from '../../../support/signed';

/* What a hostile or careless sender delivers to a trigger that verifies the message signature. */

type Headers = Record<string, string | string[]>;

const EVENT = {
	id: 'evt_1',
	event: 'PAYMENT.CREATED',
	data: { id: 'pmt_1', amount: '2501.00' },
	createdAt: 1748432324513,
};
const BODY = JSON.stringify(EVENT);
const OTHER = JSON.stringify({ ...EVENT, data: { amount: '9999.00' } });
const NOW = Math.floor(Date.now() / 1000);

const verifier = readVerifier({ scheme: 'messageSignature', secret: SECRET }).value!;
const check = (headers: Headers, body: string | Buffer = BODY) =>
	verify(
		verifier,
		{ rawBody: Buffer.from(body as string), headers },
		{ now: NOW * 1000, toleranceMinutes: 120 },
	);

const good = signed(BODY, { created: NOW });
const hex = (text: string, secret = SECRET) =>
	createHmac('sha256', secret).update(text).digest('hex');
const digestOf = (body: string, algorithm = 'sha1') =>
	createHash(algorithm).update(body).digest('hex');
const without = (...names: string[]) =>
	Object.fromEntries(Object.entries(good).filter(([name]) => !names.includes(name)));

/** Signed with the secret over whatever the parameters say, which is rejected all the same. */
const signedOver = (parameters: string, digest = digestOf(BODY), lineEnd = '\n') => ({
	digest,
	'signature-input': `fr1=${parameters}`,
	signature: `fr1=:${hex(`"digest": "${digest}"${lineEnd}@signature-params: ${parameters}`)}:`,
});
const wrongOnes = (count: number) =>
	Array.from({ length: count }, (_, i) => `fr1=:${digestOf(String(i), 'sha256')}:`).join(', ');

test('what these are made of is accepted', () => {
	expect(check(good)).toEqual({ value: {} });
	expect(check(signedOver(`("digest");created=${NOW}`))).toEqual({ value: {} });
});

test.each<[string, Headers, (string | Buffer)?]>([
	['no headers at all', {}],
	['a digest alone', without('signature', 'signature-input')],
	['empty headers', { digest: '', 'signature-input': '', signature: '' }],
	['made with another secret', signed(BODY, { secret: 'not the secret', created: NOW })],
	['made with an empty secret', signed(BODY, { secret: '', created: NOW })],
	['the secret in another case', signed(BODY, { secret: SECRET.toUpperCase(), created: NOW })],
	['amount altered', good, BODY.replace('2501', '9501')],
	['one blank added', good, `${BODY} `],
	['parsed and written again', good, JSON.stringify(EVENT, null, 1)],
	['body emptied', good, ''],
	['signature of another body', signed(OTHER, { created: NOW })],
	[
		'signature of another body with the digest of this one',
		{ ...signed(OTHER, { created: NOW }), digest: digestOf(BODY) },
	],
	['another body with the digest of the signed one', good, OTHER],
	['wrong label in signature', { ...good, signature: good.signature.replace('fr1', 'fr2') }],
	['label in another case', { ...good, signature: good.signature.replace('fr1', 'FR1') }],
	[
		'labels that every object has',
		{
			...good,
			'signature-input': `__proto__=("digest");created=${NOW}`,
			signature: `constructor=:${hex('')}:`,
		},
	],
	[
		'time renewed without the secret',
		{
			...signed(BODY, { created: NOW - 9000 }),
			'signature-input': `fr1=("digest");created=${NOW}`,
		},
	],
	['no time', signedOver('("digest")')],
	['an empty time', signedOver('("digest");created=')],
	['a negative time', signedOver(`("digest");created=-${NOW}`)],
	['a time in milliseconds', signedOver(`("digest");created=${NOW}000`)],
	['a time with a fraction', signedOver(`("digest");created=${NOW}.5`)],
	['a time with an exponent', signedOver('("digest");created=2e9')],
	['a time in quotes', signedOver(`("digest");created="${NOW}"`)],
	['a century in the future', signed(BODY, { created: NOW + 3_155_760_000 })],
	['the epoch', signed(BODY, { created: 0 })],
	['covers more than the digest', signedOver(`("digest" "date");created=${NOW}`)],
	['covers nothing', signedOver(`();created=${NOW}`)],
	['covers something else', signedOver(`("content-type");created=${NOW}`)],
	['base with CRLF', signedOver(`("digest");created=${NOW}`, digestOf(BODY), '\r\n')],
	['SHA-256 as digest', signedOver(`("digest");created=${NOW}`, digestOf(BODY, 'sha256'))],
	['digest with a prefix', { ...good, digest: `sha-1=${good.digest}` }],
	['HMAC of the body as signature', { ...good, signature: `fr1=:${hex(BODY)}:` }],
	[
		'signature in base64',
		{
			...good,
			signature: `fr1=:${Buffer.from(good.signature.slice(5, -1), 'hex').toString('base64')}:`,
		},
	],
	['signature without colons', { ...good, signature: good.signature.replaceAll(':', '') }],
	['signature cut short', { ...good, signature: `${good.signature.slice(0, 40)}:` }],
	['signature of zeros', { ...good, signature: `fr1=:${'0'.repeat(64)}:` }],
	['empty signature', { ...good, signature: 'fr1=::' }],
	[
		'a quote that never ends',
		{ ...good, 'signature-input': `fr1=("digest");keyid="x;created=${NOW}` },
	],
	[
		'the right signature behind more than anybody sends',
		{ ...good, signature: `${wrongOnes(10)}, ${good.signature}` },
	],
	[
		'the right input behind more than anybody sends',
		{
			...good,
			'signature-input': `${'x=("digest");created=1, '.repeat(10)}${good['signature-input']}`,
		},
	],
	['twelve thousand commas', { ...good, 'signature-input': ','.repeat(12_000) }],
	['twelve thousand brackets', { ...good, 'signature-input': `fr1=${'('.repeat(12_000)}` }],
	['the secret itself as a bearer token', { authorization: `Bearer ${SECRET}` }],
	['the secret as every header', { digest: SECRET, 'signature-input': SECRET, signature: SECRET }],
])('%s: rejected, and the reason has nothing that is secret', (_, headers, ...[body]) => {
	const { problem } = check(headers, body);
	expect(problem?.message).toMatch(/./);
	expect(JSON.stringify(problem)).not.toContain(SECRET);
	expect(JSON.stringify(problem)).not.toContain('evt_1');
});

type Change = (at: number, headers: Record<string, string>, body: Buffer) => [Headers, Buffer];
const changes: Change[] = [
	function oneBit(at, headers, body) {
		const changed = Buffer.from(body);
		changed[at % changed.length] ^= 1 << (at % 8);
		return [headers, changed];
	},
	function oneByteLess(at, headers, body) {
		const place = at % body.length;
		return [headers, Buffer.concat([body.subarray(0, place), body.subarray(place + 1)])];
	},
	function oneDigitOfTheSignature(at, headers, body) {
		const place = 'fr1=:'.length + (at % 64);
		const { signature } = headers;
		const digit = ((parseInt(signature[place], 16) + 1 + (at % 15)) % 16).toString(16);
		const changed = signature.slice(0, place) + digit + signature.slice(place + 1);
		return [{ ...headers, signature: changed }, body];
	},
	function theTime(at, headers, body) {
		const earlier = (time: string) => String(Number(time) - 1 - (at % 7000));
		const changed = headers['signature-input'].replace(/\d+$/, earlier);
		return [{ ...headers, 'signature-input': changed }, body];
	},
];

test('what was changed on the way is rejected', () => {
	const body = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes));
	fc.assert(
		fc.property(body, fc.nat(), fc.constantFrom(...changes), (bytes, at, change) => {
			const [headers, changed] = change(at, signed(bytes, { created: NOW }), bytes);
			expect(check(headers, changed).problem).toBeDefined();
		}),
		{ numRuns: propertyRuns(20_000) },
	);
});

test('what is invented is rejected, however it looks', () => {
	const noise = fc.string({
		unit: fc.constantFrom(...'fr1=("digest");creatd:,. \t\\0'),
		maxLength: 60,
	});
	const hex64 = fc.stringMatching(/^[0-9a-fA-F]{62,66}$/);
	const label = fc.constantFrom('fr1', 'fr2', '__proto__', '*', '');
	const input = fc
		.tuple(label, fc.constantFrom('"digest"', '', '"date"'), fc.constantFrom(String(NOW), '-1', ''))
		.map(([name, what, when]) => `${name}=(${what});created=${when}`);
	const signature = fc.tuple(label, hex64).map(([name, value]) => `${name}=:${value}:`);
	const listOf = (one: fc.Arbitrary<string>) =>
		fc.array(fc.oneof(one, noise), { minLength: 1, maxLength: 3 }).map((all) => all.join(', '));
	const headers = fc.record(
		{
			digest: fc.oneof(fc.constant(good.digest), noise),
			'signature-input': listOf(input),
			signature: listOf(signature),
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(headers, (invented) => {
			expect(check(invented as Headers).problem).toBeDefined();
		}),
		{ numRuns: propertyRuns(60_000) },
	);
});
