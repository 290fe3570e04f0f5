import { createHmac } from 'crypto';

import { ok } from '../../shared/result';
import { wrongForm } from './headerForm';
import {
	MAX_SIGNATURES,
	checkTimestamp,
	constantTimeEqual,
	headerOf,
	tooShort,
	unreadable,
	wrongSignature,
	type Scheme,
} from './scheme';

/*
 * Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, its specification):
 * headers webhook-id, webhook-timestamp, and webhook-signature, a list of signatures over
 * id.timestamp.body: "v1,BASE64" by HMAC-SHA256. Svix, where the standard comes from, also sends
 * them with svix- in place of webhook-.
 */

/** Beginnings of the header names. */
const VENDORS = ['webhook', 'svix'];

/** The version of the signatures that a shared secret verifies. */
const VERSION = 'v1';

/** A key is 24 to 64 bytes; libraries also take text and longer ones. */
const MIN_KEY_BYTES = 24;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** A SHA-256 in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

const PREFIX = 'whsec_';

/** The keys of version v1a, which the scheme doesn't verify: the public and the private one. */
const ASYMMETRIC_KEY = /^wh[ps]k_/;

/** A prefix behind something else, as in an environment file or a list. */
const EMBEDDED = /.wh(?:sec|pk|sk)_/s;

const decode = (base64: string) =>
	BASE64.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);

/** Checks a secret. Behind `whsec_` is a key in base64; every other text is one, too. */
function checkSecret(secret: string) {
	if (ASYMMETRIC_KEY.test(secret)) {
		return {
			message: 'is a key of asymmetric signatures (v1a), which the trigger does not verify',
			fix: 'Enter the shared secret, which starts with whsec_. If the service has none, it signs in a way that the trigger does not verify.',
		};
	}
	if (EMBEDDED.test(secret)) {
		return {
			message: 'has something before its secret',
			fix: 'Enter only the part that begins with whsec_, without what is before and after it.',
		};
	}
	if (secret.startsWith(PREFIX)) {
		if (decode(secret.slice(PREFIX.length)).length >= MIN_KEY_BYTES) return undefined;
		return {
			message: 'starts with whsec_, but not with at least 24 bytes in base64 behind it',
			fix: "Copy the whole secret again from the service's dashboard.",
		};
	}
	return secret.length < MIN_KEY_BYTES ? tooShort(MIN_KEY_BYTES) : undefined;
}

/**
 * Lists the keys that a secret can stand for. Without a prefix, it's the text itself or base64,
 * because the libraries of the standard decode it, and services of their own use the text.
 */
function keysOf(secret: string): Buffer[] {
	if (secret.startsWith(PREFIX)) return [decode(secret.slice(PREFIX.length))];
	return [Buffer.from(secret), decode(secret)].filter(({ length }) => length > 0);
}

/**
 * Lists the signatures in a header such as `v1,BASE64 v1,BASE64`. Of a repeated header, they're
 * separated by ", " (RFC 9110, section 5.3).
 */
function signaturesOf(header: string): string[] {
	const parts = header.split(/[\s,]+/);
	return parts
		.filter((part, index) => parts[index - 1] === VERSION && SIGNATURE.test(part))
		.slice(0, MAX_SIGNATURES);
}

/** Accepts a delivery when one of its signatures is valid. The result has the signed ID. */
export const standardWebhooks: Scheme = {
	needsHeaderName: false,
	checkSecret,
	verify(delivery, rules) {
		const vendor = VENDORS.find((name) => headerOf(delivery, `${name}-id`) !== '') ?? 'webhook';
		const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
			headerOf(delivery, `${vendor}-${name}`),
		);
		if (!id) return unreadable('it has no webhook-id header');
		if (!signature) return unreadable(`it has no ${vendor}-signature header`);
		const wrongTime = checkTimestamp(timestamp, rules);
		if (wrongTime) return wrongTime;

		const candidates = signaturesOf(signature);
		if (candidates.length === 0) {
			const expected = `${VERSION},<44 characters of base64>`;
			return wrongForm(`${vendor}-signature`, signature, expected);
		}
		const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), delivery.rawBody]);
		const expected = keysOf(rules.secret).map((key) =>
			createHmac('sha256', key).update(content).digest('base64'),
		);
		const isValid = expected.some((mac) => candidates.some((one) => constantTimeEqual(one, mac)));
		return isValid ? ok({ id }) : wrongSignature();
	},
};
