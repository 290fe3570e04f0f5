import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';

import { newSecretFor, schemes } from '../../sandbox/deliveries/sign';

const body =
	'{"id":"evt_1","event":"PAYMENT.CREATED","data":{"reference":"Rechnung für Käse"},"previousValues":{},"createdAt":1748432324728}';
const toSign = {
	body,
	eventId: 'evt_1',
	createdAt: 1_748_432_324_728,
	attemptAt: Date.now(),
	secret: 'a-secret-of-the-endpoint',
	endpoint: {},
};

/** openssl, which nobody here wrote. */
const openssl = (args: string[], input: string, format: 'hex' | 'base64' = 'hex') =>
	execFileSync('openssl', ['dgst', ...args, '-binary'], { input }).toString(format);

describe('the sandbox signs', () => {
	it('by message signature, with the digest, the label and the base lines of docs/interface.md', () => {
		const headers = schemes.messageSignature(toSign);
		const digest = openssl(['-sha1'], body);
		const base = `"digest": "${digest}"\n@signature-params: ("digest");created=1748432324`;
		expect(headers).toEqual({
			digest,
			'signature-input': 'fr1=("digest");created=1748432324',
			signature: `fr1=:${openssl(['-sha256', '-hmac', toSign.secret], base)}:`,
		});
	});

	it('by message signature the same at every attempt, whenever it is made', () => {
		expect(schemes.messageSignature({ ...toSign, attemptAt: 1 })).toEqual(
			schemes.messageSignature({ ...toSign, attemptAt: 2e12 }),
		);
	});

	it('by Standard Webhooks so that its own package accepts it, and rejects another body', () => {
		const secret = newSecretFor('standardWebhooks');
		const headers = schemes.standardWebhooks({ ...toSign, secret });
		expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
		expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
		expect(headers['webhook-id']).toBe('evt_1');
	});

	it('by Standard Webhooks with a secret that is no whsec_ as it stands', () => {
		const timestamp = String(Math.floor(toSign.attemptAt / 1000));
		const expected = openssl(
			['-sha256', '-hmac', toSign.secret],
			`evt_1.${timestamp}.${body}`,
			'base64',
		);
		expect(schemes.standardWebhooks(toSign)['webhook-signature']).toBe(`v1,${expected}`);
	});

	it.each([
		[{}, 'x-signature', 'hex', ''],
		[
			{ headerName: 'X-Hub-Signature-256', prefix: 'sha256=' },
			'X-Hub-Signature-256',
			'hex',
			'sha256=',
		],
		[{ encoding: 'base64' }, 'x-signature', 'base64', ''],
	] as const)('by HMAC-SHA256 of the body with %j', (endpoint, name, format, prefix) => {
		const expected = prefix + openssl(['-sha256', '-hmac', toSign.secret], body, format);
		expect(schemes.hmacSha256({ ...toSign, endpoint })).toEqual({ [name]: expected });
	});
});
