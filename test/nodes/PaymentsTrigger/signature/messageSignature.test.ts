import { createHash, createHmac } from 'node:crypto';

import { readVerifier, verify } from '../../../../nodes/PaymentsTrigger/signature/verify';
import { fc, propertyRuns } from '../../../support/properties';
import { SECRET } from '../../../support/signed';

/*
 * Which deliveries the message signature accepts, and what a hostile or careless sender delivers.
 * test/docs/answers.test.ts has the numbers of docs/interface.md.
 */

type Headers = Record<string, string | string[]>;

const EVENT = { id: 'evt_1', event: 'PAYMENT.CREATED', data: { reference: 'Rechnung über 5 €' } };
const BODY = JSON.stringify(EVENT);
const NOW = 1_748_432_324;

const verifier = readVerifier({ scheme: 'messageSignature', secret: SECRET }).value!;
/** Verifies a delivery that arrives so many seconds after NOW. */
const check = (
	headers: Headers,
	{ body = Buffer.from(BODY) as Buffer, later = 0, tolerance = 120 } = {},
) =>
	verify(
		verifier,
		{ rawBody: body, headers },
		{ now: (NOW + later) * 1000, toleranceMs: tolerance * 60_000 },
	);

const hex = (text: string, secret = SECRET) =>
	createHmac('sha256', secret).update(text).digest('hex');
const digestOf = (body: string | Buffer, algorithm = 'sha1') =>
	createHash(algorithm).update(body).digest('hex');

/** Signs whatever the parameters say. */
function sign(
	parameters: string,
	{ secret = SECRET, label = 'fr1', digest = digestOf(BODY), lineEnd = '\n' } = {},
) {
	const base = `"digest": "${digest}"${lineEnd}@signature-params: ${parameters}`;
	return {
		digest,
		'signature-input': `${label}=${parameters}`,
		signature: `${label}=:${hex(base, secret)}:`,
	};
}

const RIGHT = `("digest");created=${NOW}`;
const good = sign(RIGHT);
const withInput = (text: string) => ({ ...good, 'signature-input': text });
const withSignature = (text: string) => ({ ...good, signature: text });
const wrongOnes = (count: number) =>
	Array.from({ length: count }, (_, index) => `fr1=:${hex(String(index), 'wrong')}:`).join(', ');

test.each<[string, Headers, object?]>([
	['as it is documented', good],
	['with another label', sign(RIGHT, { label: 'sig-b21' })],
	['with more parameters', sign(`${RIGHT};keyid="k 1";alg="hmac-sha256"`)],
	['with parameters without a value', sign(`${RIGHT};flag;empty="";nothing=`)],
	['blanks, a name that ends in created', sign(`("digest"); xcreated=1; created=${NOW}`)],
	[
		'in upper case',
		{
			...good,
			digest: good.digest.toUpperCase(),
			signature: `fr1=:${good.signature.slice(5, -1).toUpperCase()}:`,
		},
	],
	[
		'as the second of two labels',
		{
			...good,
			'signature-input': `x=("digest");created=1, ${good['signature-input']}`,
			signature: `x=:${'0'.repeat(64)}:, ${good.signature}`,
		},
	],
	['in the second of two headers', { ...good, signature: [wrongOnes(1), good.signature] }],
	['before a blank and a comma', withInput(`${good['signature-input']} , x=("digest")`)],
	['behind a comma without a blank', withInput(`x=("digest"),${good['signature-input']}`)],
	['before something else', withSignature(`${good.signature} , x`)],
	['as old as the tolerance', good, { later: 7200 }],
	['five minutes ahead', good, { later: -300 }],
	['not expired', sign(`${RIGHT};expires=${NOW + 1}`)],
	['expiring now', sign(`${RIGHT};expires=${NOW}`)],
	['not expired, by the last expiry', sign(`${RIGHT};expires=${NOW - 1};expires=${NOW + 1}`)],
])('accepts a signature %s', (_, headers, ...[delivery]) =>
	expect(check(headers, delivery)).toEqual({ value: {} }),
);

const NO_INPUT = /signature-input header/;
const NO_SIGNATURE = /no signature header/;
const OTHER_FORM = /signature header has the form .*, and this scheme verifies label=/;
const NO_TIME = /time of signing/;
const NO_LABEL = /label/;
const COVERS = /covers/;
const CHANGED = /digest header doesn't fit/;
const NO_SHA1 = /digest header isn't a SHA-1/;
const WRONG = /wasn't made with a secret/;
const EXPIRED = /expired|expiry/;

type Forgery = [what: string, headers: Headers, reason: RegExp, delivery?: object];
const forgeries: Forgery[] = [
	['no headers at all', {}, NO_INPUT],
	['a digest alone', { digest: good.digest }, NO_INPUT],
	['no label in the input', withInput('fr1=;created=1'), NO_INPUT],
	['a word before the input', withInput(`junk ${good['signature-input']}`), NO_INPUT],
	['a word behind the input', withInput(`${good['signature-input']} junk`), NO_INPUT],
	['a quote behind the input', withInput(`${good['signature-input']}"junk`), NO_INPUT],
	['a quote that never ends', withInput(`fr1=("digest");keyid="x;created=${NOW}`), NO_INPUT],
	['twelve thousand commas', withInput(','.repeat(12_000)), NO_INPUT],
	['twelve thousand brackets', withInput(`fr1=${'('.repeat(12_000)}`), NO_INPUT],
	['the secret itself as a bearer token', { authorization: `Bearer ${SECRET}` }, NO_INPUT],
	[
		'the secret as every header',
		{ digest: SECRET, 'signature-input': SECRET, signature: SECRET },
		NO_INPUT,
	],
	['no signature', withSignature(''), NO_SIGNATURE],
	['an empty signature', withSignature('fr1=::'), OTHER_FORM],
	['without colons', withSignature(good.signature.replaceAll(':', '')), OTHER_FORM],
	['cut short', withSignature(`${good.signature.slice(0, 40)}:`), OTHER_FORM],
	['one digit longer', withSignature(good.signature.replace(':', ':0')), OTHER_FORM],
	['a word before the signature', withSignature(`junk ${good.signature}`), OTHER_FORM],
	['a word behind the signature', withSignature(`${good.signature} junk`), OTHER_FORM],
	['letters behind the signature', withSignature(`${good.signature}junk`), OTHER_FORM],
	[
		'in base64',
		withSignature(`fr1=:${Buffer.from(good.signature.slice(5, -1), 'hex').toString('base64')}:`),
		OTHER_FORM,
	],
	['another label', withSignature(good.signature.replace('fr1', 'fr2')), NO_LABEL],
	['a label in another case', withSignature(good.signature.replace('fr1', 'FR1')), NO_LABEL],
	[
		'labels that every object has',
		{ ...withInput(`__proto__=${RIGHT}`), signature: `constructor=:${hex('')}:` },
		NO_LABEL,
	],
	[
		'the right input behind more than anybody sends',
		withInput(`${'x=("digest");created=1, '.repeat(10)}${good['signature-input']}`),
		NO_LABEL,
	],
	['covers more than the digest', sign(`("digest" "date");created=${NOW}`), COVERS],
	['covers nothing', sign(`();created=${NOW}`), COVERS],
	['covers something else', sign(`("content-type");created=${NOW}`), COVERS],
	['no time', sign('("digest")'), NO_TIME],
	['an expiry alone', sign('("digest");expired=1'), NO_TIME],
	...['', `-${NOW}`, `${NOW}000`, `${NOW}.5`, '2e9', `"${NOW}"`].map((time): Forgery => [
		`signed at ${time}`,
		sign(`("digest");created=${time}`),
		NO_TIME,
	]),
	['signed a century ahead', sign(`("digest");created=${NOW + 3_155_760_000}`), /the future/],
	['signed at the epoch', sign('("digest");created=0'), /seconds ago/],
	['too old', good, /7201 seconds ago.*'Timestamp Tolerance'/, { later: 7200.6 }],
	['too far ahead', good, /301 seconds in the future/, { later: -300.6 }],
	['a tolerance that is no number', good, /ago/, { later: 60, tolerance: NaN }],
	['a negative tolerance', good, /ago/, { later: 60, tolerance: -1 }],
	['no tolerance', good, /ago/, { later: 60, tolerance: 0 }],
	['expired', sign(`${RIGHT};expires=${NOW - 1}`), EXPIRED],
	...[`=${NOW + 1};expires`, '=soon', '='].map((expires): Forgery => [
		`expires${expires}`,
		sign(`${RIGHT};expires${expires}`),
		EXPIRED,
	]),
	['a changed body', good, CHANGED, { body: Buffer.from(BODY.replace('5 €', '9 €')) }],
	['an emptied body', good, CHANGED, { body: Buffer.alloc(0) }],
	['no digest', { ...good, digest: '' }, /no digest header/],
	['a digest by SHA-256', sign(RIGHT, { digest: digestOf(BODY, 'sha256') }), NO_SHA1],
	['a digest with a prefix', { ...good, digest: `sha-1=${good.digest}` }, NO_SHA1],
	['another secret', sign(RIGHT, { secret: 'not the secret' }), WRONG],
	['the secret in another case', sign(RIGHT, { secret: SECRET.toUpperCase() }), WRONG],
	[
		'of another body, with the digest of this one',
		{ ...sign(RIGHT, { digest: digestOf('{}') }), digest: good.digest },
		WRONG,
	],
	['a renewed time', withSignature(sign(`("digest");created=${NOW - 9000}`).signature), WRONG],
	['a base with CRLF', sign(RIGHT, { lineEnd: '\r\n' }), WRONG],
	['the HMAC of the body', withSignature(`fr1=:${hex(BODY)}:`), WRONG],
	['the right one behind ten', withSignature(`${wrongOnes(10)}, ${good.signature}`), WRONG],
];

test.each(forgeries)(
	'%s: rejected, without anything secret',
	(_, headers, reason, ...[delivery]) => {
		const { problem } = check(headers, delivery);
		expect(problem?.message).toMatch(reason);
		expect(JSON.stringify(problem)).not.toContain(SECRET);
		expect(JSON.stringify(problem)).not.toContain('evt_1');
	},
);

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
	const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array));
	fc.assert(
		fc.property(bytes, fc.nat(), fc.constantFrom(...changes), (sent, at, change) => {
			const [headers, body] = change(at, sign(RIGHT, { digest: digestOf(sent) }), sent);
			expect(check(headers, { body }).problem).toBeDefined();
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
