import { createHmac } from 'crypto';

import {
	MAX_SIGNATURES,
	headerOf,
	checkTimestamp,
	rejected,
	constantTimeEqual,
	type Scheme,
} from './scheme';

/*
 * Standard Webhooks (public practice, Webhook delivery): headers webhook-id, webhook-timestamp and
 * webhook-signature: "v1,BASE64 v1,BASE64 …", HMAC-SHA256 over id.timestamp.body. Svix, where the standard comes from, sends
 * the same with svix- in place of webhook-.
 */

/** Beginnings of the header names. */
const VENDORS = ['webhook', 'svix'];

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * Lists the keys that a secret can stand for: with the prefix `whsec_` its base64 part; without it, the text itself and
 * the text as base64, as both are in use. Never an empty key, with which anyone could sign.
 */
export function keysOf(secret: string): Buffer[] {
	const hasPrefix = secret.startsWith(PREFIX);
	const text = hasPrefix ? secret.slice(PREFIX.length) : secret;
	const keys: Buffer[] = [];
	if (BASE64.test(text)) keys.push(Buffer.from(text, 'base64'));
	if (!hasPrefix) keys.push(Buffer.from(text));
	return keys.filter((key) => key.length > 0);
}

/** Accepts a delivery when one of its v1 signatures is valid. The result has the signed ID of the delivery. */
export const standardWebhooks: Scheme = (delivery, rules) => {
	const vendor = VENDORS.find((name) => headerOf(delivery, `${name}-id`) !== '') ?? 'webhook';
	const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
		headerOf(delivery, `${vendor}-${name}`),
	);
	if (!id) return rejected('it has no webhook-id header');
	if (!signature) return rejected(`it has no ${vendor}-signature header`);
	const timestampIssue = checkTimestamp(timestamp, rules);
	if (timestampIssue) return rejected(timestampIssue);

	const candidates = signature
		.split(/\s/)
		.filter((one) => one.startsWith('v1,'))
		.slice(0, MAX_SIGNATURES);
	if (candidates.length === 0) {
		return rejected('its webhook-signature header has no signature of version v1');
	}
	const expected = rules.secrets.flatMap(keysOf).map((key) => {
		const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(delivery.rawBody);
		return `v1,${hmac.digest('base64')}`;
	});
	const isValid = (candidate: string) => expected.some((one) => constantTimeEqual(candidate, one));
	if (candidates.some(isValid)) return { accepted: true, id };
	return rejected('its signature was not made with this secret over this body');
};
