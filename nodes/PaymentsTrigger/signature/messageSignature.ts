import { createHash, createHmac } from 'crypto';

import {
	MAX_SIGNATURES,
	headerOf,
	checkTimestamp,
	rejected,
	constantTimeEqual,
	type Scheme,
	type VerificationRules,
} from './scheme';

/*
 * Three headers after an early draft of HTTP Message Signatures (public practice, Webhook delivery):
 *   digest: SHA-1 of the body in hex · signature-input: LABEL=("digest");created=SECONDS · signature: LABEL=:HEX:
 * HEX is HMAC-SHA256 over the digest that the receiver computed and over what follows LABEL= in signature-input.
 */

// LABEL=("component" …);name=value;name="value", and LABEL=:HEX:, each as members of a comma-separated list.
// No part may contain a comma, so that matching takes linear time whatever the header contains.
const INPUTS =
	/(?:^|,)\s*([^\s=,;"()]+)=\(([^(),]*)\)((?:;\s*[^\s=,;"]+(?:="[^",;]*"|=[^\s",;]*)?)*)(?=\s*(?:,|$))/g;
const CREATED = /;\s*created=([^;]*)/;
const EXPIRES = /;\s*expires(?:=([^;]*))?(?=;|$)/g;
const SIGNATURES = /(?:^|,)\s*([^\s=,;"()]+)=:([0-9a-f]{64}):(?=\s*(?:,|$))/gi;

const matchesOf = (pattern: RegExp, header: string) =>
	[...header.matchAll(pattern)].slice(0, MAX_SIGNATURES);

/** Accepts a delivery when one of its signatures is valid, whatever its label. */
export const messageSignature: Scheme = (delivery, rules) => {
	const inputs = matchesOf(INPUTS, headerOf(delivery, 'signature-input'));
	if (inputs.length === 0) return rejected('it has no readable signature-input header');
	const signatures = matchesOf(SIGNATURES, headerOf(delivery, 'signature'));
	if (signatures.length === 0) return rejected('it has no readable signature header');

	const digest = createHash('sha1').update(delivery.rawBody).digest('hex');
	if (!constantTimeEqual(headerOf(delivery, 'digest').toLowerCase(), digest))
		return rejected('its digest header does not fit its body');

	let reason = 'no signature has the label of a signature-input';
	for (const [, label, components, parameters] of inputs) {
		const candidates = signatures
			.filter(([, name]) => name === label)
			.map(([, , hex]) => hex.toLowerCase());
		if (candidates.length === 0) continue;
		if (components !== '"digest"') {
			reason = 'its signature covers something else than the digest alone';
			continue;
		}
		const timestampIssue =
			checkTimestamp(CREATED.exec(parameters)?.[1] ?? '', rules) ?? checkExpiry(parameters, rules);
		if (timestampIssue) {
			reason = timestampIssue;
			continue;
		}
		const base = `"digest": "${digest}"\n@signature-params: (${components})${parameters}`;
		const expected = rules.secrets.map((secret) =>
			createHmac('sha256', secret).update(base).digest('hex'),
		);
		const isValid = (candidate: string) =>
			expected.some((signature) => constantTimeEqual(candidate, signature));
		if (candidates.some(isValid)) return { accepted: true };
		reason = 'its signature was not made with this secret over this body';
	}
	return rejected(reason);
};

/** RFC 9421, section 2.3: after `expires`, in seconds since the epoch, a signature is no longer valid. */
function checkExpiry(parameters: string, { now }: VerificationRules): string | undefined {
	// Of a repeated parameter, the last one counts (RFC 8941, section 4.2.3.2).
	const expires = [...parameters.matchAll(EXPIRES)].at(-1);
	if (expires === undefined) return undefined;
	if (!/^\d{1,12}$/.test(expires[1] ?? ''))
		return 'its time of expiry is not a whole number of seconds';
	return now <= Number(expires[1]) ? undefined : 'its signature has expired';
}
