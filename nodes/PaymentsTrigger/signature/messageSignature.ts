import { createHash, createHmac } from 'crypto';

import {
	MAX_SIGNATURES,
	headerOf,
	checkTimestamp,
	rejected,
	constantTimeEqual,
	type Scheme,
} from './scheme';

/*
 * Three headers after an early draft of HTTP Message Signatures (public practice, Webhook delivery):
 *   digest: SHA-1 of the body in hex · signature-input: LABEL=("digest");created=SECONDS · signature: LABEL=:HEX:
 * HEX is HMAC-SHA256 over the digest that the receiver computed and over what stands behind LABEL= in signature-input.
 */

// LABEL=("component" …);name=value;name="value", and LABEL=:HEX:, each as members of a comma-separated list.
// No part may hold a comma, so that reading is linear in the length of the header, whatever it holds.
const INPUTS =
	/(?:^|,)\s*([^\s=,;"()]+)=\(([^(),]*)\)((?:;\s*[^\s=,;"]+(?:="[^",;]*"|=[^\s",;]*)?)*)(?=\s*(?:,|$))/g;
const CREATED = /;\s*created=([^;]*)/;
const SIGNATURES = /(?:^|,)\s*([^\s=,;"()]+)=:([0-9a-f]{64}):(?=\s*(?:,|$))/gi;

/** Accepts when one of the signatures is right, whatever its label. */
export const messageSignature: Scheme = (delivery, rules) => {
	const inputs = [...headerOf(delivery, 'signature-input').matchAll(INPUTS)].slice(
		0,
		MAX_SIGNATURES,
	);
	if (inputs.length === 0) return rejected('it has no readable signature-input header');
	const signatures = [...headerOf(delivery, 'signature').matchAll(SIGNATURES)].slice(
		0,
		MAX_SIGNATURES,
	);
	if (signatures.length === 0) return rejected('it has no readable signature header');

	const digest = createHash('sha1').update(delivery.rawBody).digest('hex');
	if (!constantTimeEqual(headerOf(delivery, 'digest').toLowerCase(), digest))
		return rejected('its digest header does not fit its body');

	let reason = 'no signature has the label of a signature-input';
	for (const [, label, components, parameters] of inputs) {
		const labelled = signatures.filter(([, name]) => name === label);
		if (labelled.length === 0) continue;
		if (components !== '"digest"') {
			reason = 'its signature covers something else than the digest alone';
			continue;
		}
		const problem = checkTimestamp(CREATED.exec(parameters)?.[1] ?? '', rules);
		if (problem) {
			reason = problem;
			continue;
		}
		const base = `"digest": "${digest}"\n@signature-params: (${components})${parameters}`;
		const expected = rules.secrets.map((secret) =>
			createHmac('sha256', secret).update(base).digest('hex'),
		);
		if (
			labelled.some(([, , hex]) =>
				expected.some((one) => constantTimeEqual(hex.toLowerCase(), one)),
			)
		)
			return { accepted: true };
		reason = 'its signature was not made with this secret over this body';
	}
	return rejected(reason);
};
