import { createHmac, createPublicKey, verify } from 'crypto';

import { failed, ok, type Result } from '../../shared/result';
import {
	MAX_SIGNATURES,
	checkTimestamp,
	constantTimeEqual,
	headerOf,
	tooShort,
	unreadableForm,
	wrongSignature,
	type Scheme,
} from './scheme';

/*
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, its specification):
 * headers webhook-id, webhook-timestamp, and webhook-signature, a list of signatures over
 * id.timestamp.body: "v1,BASE64" by HMAC-SHA256, "v1a,BASE64" by Ed25519. Svix, where the standard
 * comes from, also sends them with svix- in place of webhook-.
 */

/** Beginnings of the header names. */
const VENDORS = ['webhook', 'svix'];

/** A key is 24 to 64 bytes; libraries also take text and longer ones. */
const MIN_KEY_BYTES = 24;

const ED25519_KEY_BYTES = 32;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What verifies the signatures of one version. */
interface VerificationKey {
	version: string;
	/** Whether a signature in base64 was made over this content. */
	verifies: (signature: string, content: Buffer) => boolean;
}

const hmacKey = (key: Buffer): VerificationKey => ({
	version: 'v1',
	verifies: (signature, content) =>
		constantTimeEqual(signature, createHmac('sha256', key).update(content).digest('base64')),
});

function ed25519Key(bytes: Buffer): VerificationKey {
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
	const key = createPublicKey({ key: jwk, format: 'jwk' });
	return {
		version: 'v1a',
		verifies: (signature, content) =>
			BASE64.test(signature) && verify(null, content, key, Buffer.from(signature, 'base64')),
	};
}

const decode = (base64: string) =>
	BASE64.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);

/**
 * Lists the keys that a secret can stand for. Its prefix tells which signatures it verifies, as the
 * specification says: `whsec_` has a shared key in base64, `whpk_` the service's public key.
 * Without a prefix, the text itself and the text as base64 are shared keys, as both are in use.
 */
function keysOf(secret: string): Result<VerificationKey[]> {
	const [, prefix, rest] = /^(whsec_|whpk_|whsk_)?(.*)$/s.exec(secret) as string[];
	const key = decode(rest);
	switch (prefix) {
		case 'whsk_':
			return failed(
				'The secret starts with whsk_, so it is the private key of the service',
				'Enter the public key, which starts with whpk_. Nobody but the service may have the private one: have it replaced.',
			);
		case 'whpk_':
			if (key.length === ED25519_KEY_BYTES) return ok([ed25519Key(key)]);
			return failed(
				'A public key that starts with whpk_ must be followed by 32 bytes in base64',
				"Copy the whole key again from the service's dashboard.",
			);
		case 'whsec_':
			if (key.length >= MIN_KEY_BYTES) return ok([hmacKey(key)]);
			return failed(
				'A secret that starts with whsec_ must be followed by at least 24 bytes in base64',
				"Copy the whole secret again from the service's dashboard.",
			);
		default:
			if (rest.length < MIN_KEY_BYTES) return { problem: tooShort(MIN_KEY_BYTES) };
			return ok([Buffer.from(rest), key].filter(({ length }) => length > 0).map(hmacKey));
	}
}

/**
 * Lists the signatures of one version in a header such as `v1,BASE64 v1,BASE64`. Of a repeated
 * header, they're separated by ", " (RFC 9110, section 5.3).
 */
function signaturesOf(header: string, version: string): string[] {
	const parts = header.split(/[\s,]+/);
	return parts.filter((_, index) => parts[index - 1] === version).slice(0, MAX_SIGNATURES);
}

/** Accepts a delivery when one of its signatures is valid. The result has the signed ID. */
export const standardWebhooks: Scheme = {
	needsHeaderName: false,
	checkSecret: (secret) => keysOf(secret).problem,
	verify(delivery, rules) {
		const vendor = VENDORS.find((name) => headerOf(delivery, `${name}-id`) !== '') ?? 'webhook';
		const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
			headerOf(delivery, `${vendor}-${name}`),
		);
		if (!id) return unreadableForm('it has no webhook-id header', delivery);
		if (!signature) return unreadableForm(`it has no ${vendor}-signature header`, delivery);
		const wrongTime = checkTimestamp(timestamp, rules);
		if (wrongTime) return wrongTime;

		const { value: keys, problem } = keysOf(rules.secret);
		if (problem) return { problem };
		const { version } = keys[0];
		const candidates = signaturesOf(signature, version);
		if (candidates.length === 0) {
			return failed(
				`its ${vendor}-signature header has no signature of version ${version}`,
				'For version v1, enter the shared secret, which starts with whsec_. For version v1a, enter the public key, which starts with whpk_.',
			);
		}
		const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), delivery.rawBody]);
		const isValid = keys.some(({ verifies }) => candidates.some((one) => verifies(one, content)));
		return isValid ? ok({ id }) : wrongSignature();
	},
};
