import { createHash, createHmac } from 'node:crypto';

import { SECRET, signed } from '../signed';

/** What a hostile, careless or merely unusual sender delivers, and what must come of it. */
export interface Case {
	name: string;
	status: number;
	runs?: number;
	body?: string | Buffer;
	headers: Record<string, string | string[]>;
	query?: string;
}

export const EVENT = {
	id: 'evt_1',
	event: 'PAYMENT.CREATED',
	data: { id: 'pmt_1', amount: '2501.00' },
	createdAt: 1748432324513,
};
export const BODY = JSON.stringify(EVENT);

const now = () => Math.floor(Date.now() / 1000);
const good = () => signed(BODY);
const hex = (text: string, secret = SECRET) =>
	createHmac('sha256', secret).update(text).digest('hex');
const digestOf = (body: string | Buffer, algorithm = 'sha1') =>
	createHash(algorithm).update(body).digest('hex');
const without = (...names: string[]) =>
	Object.fromEntries(Object.entries(good()).filter(([name]) => !names.includes(name)));

/**
 * Rightly signed over whatever the parameters say: shows what is rejected although the sender has
 * the secret.
 */
const signedOver = (parameters: string, digest = digestOf(BODY), lineEnd = '\n') => ({
	digest,
	'signature-input': `fr1=${parameters}`,
	signature: `fr1=:${hex(`"digest": "${digest}"${lineEnd}@signature-params: ${parameters}`)}:`,
});
const forged = () => signed(BODY, { secret: 'not the secret' });
const other = JSON.stringify({ ...EVENT, data: { amount: '9999.00' } });
const wrongOnes = (count: number) =>
	Array.from({ length: count }, (_, i) => `fr1=:${digestOf(String(i), 'sha256')}:`).join(', ');

const rejected: Array<[string, Omit<Case, 'name' | 'status'>]> = [
	['no headers at all', { headers: {} }],
	['a content type alone', { headers: { 'content-type': 'application/json' } }],
	['no digest', { headers: without('digest') }],
	['no signature-input', { headers: without('signature-input') }],
	['no signature', { headers: without('signature') }],
	['a digest alone', { headers: without('signature', 'signature-input') }],
	['empty headers', { headers: { digest: '', 'signature-input': '', signature: '' } }],
	['made with another secret', { headers: forged() }],
	['made with an empty secret', { headers: signed(BODY, { secret: '' }) }],
	[
		'made with the secret in another case',
		{ headers: signed(BODY, { secret: SECRET.toUpperCase() }) },
	],
	['amount altered', { headers: good(), body: BODY.replace('2501', '9501') }],
	['one blank added', { headers: good(), body: `${BODY} ` }],
	['parsed and written again', { headers: good(), body: JSON.stringify(EVENT, null, 1) }],
	['body emptied', { headers: good(), body: '' }],
	['signature of another body', { headers: signed(other) }],
	[
		'signature of another body with the digest of this one',
		{ headers: { ...signed(other), digest: digestOf(BODY) } },
	],
	['another body with the digest of the signed one', { headers: good(), body: other }],
	[
		'wrong label in signature',
		{ headers: { ...good(), signature: good().signature.replace('fr1', 'fr2') } },
	],
	[
		'wrong label in signature-input',
		{ headers: { ...good(), 'signature-input': good()['signature-input'].replace('fr1', 'fr2') } },
	],
	[
		'label in another case',
		{ headers: { ...good(), signature: good().signature.replace('fr1', 'FR1') } },
	],
	[
		'labels that every object has',
		{
			headers: {
				...good(),
				'signature-input': `__proto__=("digest");created=${now()}`,
				signature: `constructor=:${hex('')}:`,
			},
		},
	],
	[
		'time renewed without the secret',
		{
			headers: {
				...signed(BODY, { created: now() - 9000 }),
				'signature-input': `fr1=("digest");created=${now()}`,
			},
		},
	],
	['no time', { headers: signedOver('("digest")') }],
	['an empty time', { headers: signedOver('("digest");created=') }],
	['a negative time', { headers: signedOver(`("digest");created=-${now()}`) }],
	['a time in milliseconds', { headers: signedOver(`("digest");created=${Date.now()}`) }],
	['a time with a fraction', { headers: signedOver(`("digest");created=${now()}.5`) }],
	['a time in words', { headers: signedOver('("digest");created=now') }],
	['a time with an exponent', { headers: signedOver('("digest");created=2e9') }],
	['a time in quotes', { headers: signedOver(`("digest");created="${now()}"`) }],
	['121 minutes old', { headers: signed(BODY, { created: now() - 121 * 60 }) }],
	['a year old', { headers: signed(BODY, { created: now() - 365 * 86_400 }) }],
	['six minutes in the future', { headers: signed(BODY, { created: now() + 6 * 60 }) }],
	['a century in the future', { headers: signed(BODY, { created: now() + 3_155_760_000 }) }],
	['the epoch', { headers: signed(BODY, { created: 0 }) }],
	['covers more than the digest', { headers: signedOver(`("digest" "date");created=${now()}`) }],
	['covers nothing', { headers: signedOver(`();created=${now()}`) }],
	['covers something else', { headers: signedOver(`("content-type");created=${now()}`) }],
	[
		'base with CRLF',
		{ headers: signedOver(`("digest");created=${now()}`, digestOf(BODY), '\r\n') },
	],
	[
		'SHA-256 as digest',
		{ headers: signedOver(`("digest");created=${now()}`, digestOf(BODY, 'sha256')) },
	],
	['digest with a prefix', { headers: { ...good(), digest: `sha-1=${good().digest}` } }],
	[
		'HMAC of the body in place of the signature',
		{ headers: { ...good(), signature: `fr1=:${hex(BODY)}:` } },
	],
	[
		'signature in base64',
		{
			headers: {
				...good(),
				signature: `fr1=:${Buffer.from(good().signature.slice(5, -1), 'hex').toString('base64')}:`,
			},
		},
	],
	[
		'signature without colons',
		{ headers: { ...good(), signature: good().signature.replaceAll(':', '') } },
	],
	[
		'signature cut short',
		{ headers: { ...good(), signature: `${good().signature.slice(0, 40)}:` } },
	],
	['signature of zeros', { headers: { ...good(), signature: `fr1=:${'0'.repeat(64)}:` } }],
	['empty signature', { headers: { ...good(), signature: 'fr1=::' } }],
	[
		'a quote that never ends',
		{ headers: { ...good(), 'signature-input': `fr1=("digest");keyid="x;created=${now()}` } },
	],
	['two signatures, both wrong', { headers: { ...good(), signature: wrongOnes(2) } }],
	[
		'the right signature behind more than anybody sends',
		{ headers: { ...good(), signature: `${wrongOnes(50)}, ${good().signature}` } },
	],
	['twelve thousand commas', { headers: { ...good(), 'signature-input': ','.repeat(12_000) } }],
	[
		'twelve thousand brackets',
		{ headers: { ...good(), 'signature-input': `fr1=${'('.repeat(12_000)}` } },
	],
	[
		'signature in the query',
		{ headers: without('signature'), query: `?signature=${encodeURIComponent(good().signature)}` },
	],
	['the secret itself in the query', { headers: {}, query: `?secret=${SECRET}` }],
	['the secret itself as a bearer token', { headers: { authorization: `Bearer ${SECRET}` } }],
	[
		'the secret as every header',
		{ headers: { digest: SECRET, 'signature-input': SECRET, signature: SECRET } },
	],
	[
		'signed by Standard Webhooks',
		{
			headers: {
				'webhook-id': 'm',
				'webhook-timestamp': String(now()),
				'webhook-signature': `v1,${createHmac('sha256', SECRET).update(`m.${now()}.${BODY}`).digest('base64')}`,
			},
		},
	],
	['signed by HMAC of the body', { headers: { 'x-signature': `sha256=${hex(BODY)}` } }],
	['unsigned and not JSON', { headers: {}, body: 'hello' }],
	['unsigned and empty', { headers: {}, body: '' }],
	['unsigned kind that nobody listens to', { headers: {}, body: '{"event":"X"}' }],
];

const rightly = (body: string | Buffer, headers: Record<string, string | string[]> = {}) => ({
	body,
	headers: { ...signed(body), ...headers },
});
const withMember = (member: object) => JSON.stringify({ ...EVENT, ...member });

const verified: Array<[string, number, number, Omit<Case, 'name' | 'status'>]> = [
	['as it should be', 200, 1, rightly(BODY)],
	['119 minutes old', 200, 1, { headers: signed(BODY, { created: now() - 119 * 60 }) }],
	['four minutes in the future', 200, 1, { headers: signed(BODY, { created: now() + 4 * 60 }) }],
	['any label', 200, 1, { headers: signed(BODY, { label: 'sig-1.a_b*' }) }],
	[
		'two signatures of which one is right',
		200,
		1,
		rightly(BODY, { signature: `${forged().signature}, ${good().signature}` }),
	],
	[
		'two signature headers of which one is right',
		200,
		1,
		rightly(BODY, { signature: [forged().signature, good().signature] }),
	],
	['no content type', 200, 1, rightly(BODY, { 'content-type': '' })],
	['content type text/plain', 200, 1, rightly(BODY, { 'content-type': 'text/plain' })],
	[
		'content type application/octet-stream',
		200,
		1,
		rightly(BODY, { 'content-type': 'application/octet-stream' }),
	],
	['a byte order mark', 200, 1, rightly(`\ufeff${BODY}`)],
	[
		'UTF-8 beyond ASCII',
		200,
		1,
		rightly(withMember({ data: { reference: 'Größe 5 € 漢字 😀 \u2028' } })),
	],
	['a megabyte', 200, 1, rightly(withMember({ data: 'x'.repeat(1 << 20) }))],
	['a list of two', 200, 1, rightly(`[${BODY},${BODY.replace('evt_1', 'evt_2')}]`)],
	['a member named __proto__', 200, 1, rightly('{"event":"PAYMENT.CREATED","__proto__":{"x":1}}')],
	['unsubscribed kind', 200, 0, rightly(withMember({ event: 'PAYEE.CREATED' }))],
	['kind in lower case', 200, 0, rightly(withMember({ event: 'payment.created' }))],
	['kind with a blank', 200, 0, rightly(withMember({ event: 'PAYMENT.CREATED ' }))],
	['kind *', 200, 0, rightly(withMember({ event: '*' }))],
	['kind __proto__', 200, 0, rightly(withMember({ event: '__proto__' }))],
	['empty', 400, 0, rightly('')],
	['not JSON', 400, 0, rightly('hello')],
	['half of JSON', 400, 0, rightly(BODY.slice(0, -1))],
	['broken UTF-8', 400, 0, rightly(Buffer.from(BODY.replace('pmt_1', 'pmt_ÿ'), 'latin1'))],
	['no kind', 400, 0, rightly('{"id":"evt_1"}')],
	['a kind that is no text', 400, 0, rightly('{"event":5}')],
	['null', 400, 0, rightly('null')],
	['an empty list', 400, 0, rightly('[]')],
	[
		'a form with files, whose bytes n8n has used up',
		400,
		0,
		rightly(BODY, { 'content-type': 'multipart/form-data; boundary=x' }),
	],
];

/** For a trigger that verifies the message signature and listens to what is preselected. */
export const cases: Case[] = [
	...rejected.map(([name, one]) => ({ name, status: 401, runs: 0, ...one })),
	...verified.map(([name, status, runs, one]) => ({
		name: `verified: ${name}`,
		status,
		runs,
		...one,
	})),
];
