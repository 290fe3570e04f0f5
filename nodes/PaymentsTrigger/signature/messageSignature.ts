import { createHash, createHmac } from 'crypto';

import { failed, ok, type Result } from '../../shared/result';
import { wrongForm } from './headerForm';
import {
	MAX_SIGNATURES,
	checkSecretText,
	checkTimestamp,
	constantTimeEqual,
	headerOf,
	unreadable,
	wrongSignature,
	type Delivery,
	type Scheme,
	type VerificationRules,
	type VerifiedDelivery,
} from './scheme';

/*
 * Three headers after an early draft of HTTP Message Signatures (docs/interface.md, 10.1):
 *
 *   digest: SHA-1 of the body in hex
 *   signature-input: LABEL=("digest");created=SECONDS
 *   signature: LABEL=:HEX:
 *
 * HEX is HMAC-SHA256 over the digest that the receiver computed and over what follows LABEL= in
 * signature-input.
 */

// LABEL=("component" …);name=value;name="value", and LABEL=:HEX:, each in a comma-separated list.
// No part may have a comma, so that matching takes linear time whatever the header contains.
const INPUTS =
	/(?:^|,)\s*([^\s=,;"()]+)=\(([^(),]*)\)((?:;\s*[^\s=,;"]+(?:="[^",;]*"|=[^\s",;]*)?)*)(?=\s*(?:,|$))/g;
const CREATED = /;\s*created=([^;]*)/;
const EXPIRES = /;\s*expires(?:=([^;]*))?(?=;|$)/g;
const SIGNATURES = /(?:^|,)\s*([^\s=,;"()]+)=:([0-9a-f]{64}):(?=\s*(?:,|$))/gi;

const SHA1 = /^[0-9a-f]{40}$/;

const matchesOf = (pattern: RegExp, header: string) =>
	[...header.matchAll(pattern)].slice(0, MAX_SIGNATURES);

/** Accepts a delivery when one of its signatures is valid, whatever its label. */
function verify(delivery: Delivery, rules: VerificationRules): Result<VerifiedDelivery> {
	const input = headerOf(delivery, 'signature-input');
	if (!input) return unreadable('it has no signature-input header');
	const inputs = matchesOf(INPUTS, input);
	if (inputs.length === 0)
		return unreadable('its signature-input header has no label=("…");created=…');
	const signature = headerOf(delivery, 'signature');
	if (!signature) return unreadable('it has no signature header');
	const signatures = matchesOf(SIGNATURES, signature);
	if (signatures.length === 0) return wrongForm('signature', signature, 'label=:<64 hex digits>:');

	const sent = headerOf(delivery, 'digest').toLowerCase();
	if (!sent) return unreadable('it has no digest header');
	if (!SHA1.test(sent)) return unreadable("its digest header isn't a SHA-1 of 40 hex digits");
	const digest = createHash('sha1').update(delivery.rawBody).digest('hex');
	if (!constantTimeEqual(sent, digest)) {
		return failed(
			"its digest header doesn't fit its body",
			'Have no proxy in front of n8n change the body.',
		);
	}

	const results = inputs.flatMap(([, label, components, parameters]) => {
		// A label can be repeated.
		const labeled = signatures.filter(([, name]) => name === label).map(([, , hex]) => hex);
		return labeled.length > 0 ? [verifyLabel(components, parameters, labeled, digest, rules)] : [];
	});
	const valid = results.find(({ problem }) => !problem);
	return valid ?? results.at(-1) ?? unreadable('no signature has the label of a signature-input');
}

/** Verifies the signatures that have the label of one signature-input. */
function verifyLabel(
	components: string,
	parameters: string,
	signatures: string[],
	digest: string,
	rules: VerificationRules,
): Result<VerifiedDelivery> {
	if (components !== '"digest"') {
		return unreadable('its signature covers something else than the digest alone');
	}
	const created = CREATED.exec(parameters)?.[1] ?? '';
	const wrongTime = checkTimestamp(created, rules) ?? checkExpiry(parameters, rules);
	if (wrongTime) return wrongTime;

	const base = `"digest": "${digest}"\n@signature-params: (${components})${parameters}`;
	const expected = createHmac('sha256', rules.secret).update(base).digest('hex');
	const isValid = signatures.some((hex) => constantTimeEqual(hex.toLowerCase(), expected));
	return isValid ? ok({}) : wrongSignature();
}

/** RFC 9421, section 2.3: after `expires`, in seconds since the epoch, a signature is invalid. */
function checkExpiry(parameters: string, { now }: VerificationRules) {
	// Of a repeated parameter, the last one counts (RFC 8941, section 4.2.3.2).
	const expires = [...parameters.matchAll(EXPIRES)].at(-1);
	if (expires === undefined) return undefined;
	if (!/^\d{1,12}$/.test(expires[1] ?? '')) {
		return unreadable("its time of expiry isn't a whole number of seconds");
	}
	if (now <= Number(expires[1]) * 1000) return undefined;
	return failed(
		'its signature has expired',
		'Compare the clocks, and ask the service to resend the event.',
	);
}

export const messageSignature: Scheme = {
	needsHeaderName: false,
	checkSecret: checkSecretText,
	verify,
};
