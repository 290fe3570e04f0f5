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
 * webhook-signature: "v1,BASE64 v1,BASE64 …", HMAC-SHA256 over id.timestamp.body.
 */

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The keys that a secret can stand for: with the prefix `whsec_` its base64 part; without it, both readings that are in
 * use, the text itself and the text as base64. Never an empty key, with which anybody could sign.
 */
export const keysOf = (secret: string): Buffer[] => {
	const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
	const decoded = BASE64.test(text) ? [Buffer.from(text, 'base64')] : [];
	return [...decoded, ...(secret.startsWith(PREFIX) ? [] : [Buffer.from(secret)])].filter(
		(key) => key.length > 0,
	);
};

/** Accepts when one of the v1 signatures is right; the verdict carries the signed id of the delivery. */
export const standardWebhooks: Scheme = (delivery, rules) => {
	const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
		(name) => headerOf(delivery, name),
	);
	if (!id) return rejected('it has no webhook-id header');
	if (!signature) return rejected('it has no webhook-signature header');
	const problem = checkTimestamp(timestamp, rules);
	if (problem) return rejected(problem);

	const candidates = signature
		.split(/\s+/)
		.filter((one) => one.startsWith('v1,'))
		.slice(0, MAX_SIGNATURES);
	if (candidates.length === 0)
		return rejected('its webhook-signature header has no signature of version v1');
	const expected = rules.secrets
		.flatMap(keysOf)
		.map(
			(key) =>
				`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(delivery.rawBody).digest('base64')}`,
		);
	if (candidates.some((candidate) => expected.some((one) => constantTimeEqual(candidate, one))))
		return { accepted: true, id };
	return rejected('its signature was not made with this secret over this body');
};
