import { createHmac } from 'crypto';

import { failed, ok, type Result } from '../../shared/result';
import { asText } from '../../shared/values';
import { messageSignature } from './messageSignature';
import {
	MAX_SIGNATURES,
	checkSecretText,
	constantTimeEqual,
	headerOf,
	unreadableForm,
	wrongSignature,
	type Delivery,
	type Scheme,
	type VerifiedDelivery,
} from './scheme';
import { standardWebhooks } from './standardWebhooks';

/** 32 bytes in hex or base64. */
const SIGNATURE = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/i;

/**
 * HMAC-SHA256 of the body in one header, hex or base64, with or without the prefix `sha256=`
 * (docs/interface.md, 10.1). The scheme has no timestamp, so the tolerance doesn't apply.
 * The header may have several signatures, separated by commas or spaces.
 */
const hmacSha256: Scheme = {
	needsHeaderName: true,
	checkSecret: checkSecretText,
	verify(delivery, { secret, headerName }) {
		const header = headerOf(delivery, headerName);
		if (!header) return unreadableForm(`it has no ${headerName} header`, delivery);
		const signatures = header
			.split(/[\s,]+/)
			.slice(0, MAX_SIGNATURES)
			.map((one) => one.replace(/^sha256=/i, ''));
		const mac = createHmac('sha256', secret).update(delivery.rawBody).digest();
		const isValid = signatures.some(
			(signature) =>
				constantTimeEqual(signature.toLowerCase(), mac.toString('hex')) ||
				constantTimeEqual(signature, mac.toString('base64')),
		);
		if (isValid) return ok({});
		if (signatures.some((one) => SIGNATURE.test(one))) return wrongSignature();
		return unreadableForm(`its ${headerName} header has no SHA-256 in hex or base64`, delivery);
	},
};

const schemes = new Map<string, Scheme>(
	Object.entries({ messageSignature, standardWebhooks, hmacSha256 }),
);

/**
 * The data of a Payments Webhook API credential. Users type it, so any member can be missing or of
 * another type.
 */
export interface WebhookCredential {
	scheme?: unknown;
	secret?: unknown;
	headerName?: unknown;
}

/** A credential that can verify deliveries. */
export interface Verifier {
	scheme: Scheme;
	/** Trimmed, not empty. */
	secret: string;
	/** In lower case. */
	headerName: string;
}

/** The name of an HTTP header: a token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** What a dashboard shows in place of a secret. */
const MASKED = /[•●∙]|\*{4}|…$|\.{3}$/;

/** Reads a credential and checks that it can verify deliveries. Problems never name a secret. */
export function readVerifier(credential: WebhookCredential): Result<Verifier> {
	const scheme = schemes.get(asText(credential.scheme).trim());
	if (!scheme) {
		return failed("The 'Signature Scheme' isn't one of the list", 'Select one in the credential.');
	}
	const pasted = asText(credential.secret).trim();
	if (!pasted) {
		return failed(
			'The secret is empty',
			"Copy the secret of the webhook endpoint from the service's dashboard into the credential.",
		);
	}
	if (MASKED.test(pasted)) {
		return failed(
			'The secret is masked or shortened',
			"Reveal it in the service's dashboard, and copy the whole secret into the credential.",
		);
	}
	const { value: secret, problem: notAlone } = readSecretText(pasted);
	if (notAlone) return { problem: notAlone };
	const problem = scheme.checkSecret(secret);
	if (problem) return { problem };
	const headerName = asText(credential.headerName).trim().toLowerCase();
	if (scheme.needsHeaderName && !HEADER_NAME.test(headerName)) {
		return failed(
			"The 'Header Name' is empty or isn't the name of an HTTP header",
			'Enter the name of the header that the service sends, for example X-Signature.',
		);
	}
	return ok({ scheme, secret, headerName });
}

/** The prefixes of Standard Webhooks: a shared key, the public key, the private key. */
const PREFIX = /wh(?:sec|pk|sk)_/;

/** `NAME=`, `Name: `, quotes, or a version, as dashboards and environment files have them. */
const WRAPPED =
	/^(?:export\s+)?(?:[\w.-]+\s*[=:]\s*)?(["'`]?)(?:v1a?,\s*)?(wh(?:sec|pk|sk)_[A-Za-z0-9+/=]*)\1[,;]?$/;

/**
 * Reads a secret as somebody pasted it. One with a prefix of Standard Webhooks begins there,
 * whatever the dashboard shows before it; every other text is the secret itself.
 *
 * @param pasted trimmed
 */
function readSecretText(pasted: string): Result<string> {
	if (pasted.search(PREFIX) <= 0) return ok(pasted);
	const [, , secret] = WRAPPED.exec(pasted) ?? [];
	if (secret !== undefined) return ok(secret);
	return failed(
		'The secret begins in the middle of the text that was entered',
		'Enter only the part that begins with whsec_ or whpk_, without what is before and after it.',
	);
}

/**
 * Verifies that a delivery comes from the holder of the secret. Never throws.
 *
 * @param delivery exact bytes and headers
 * @param clock `now` in milliseconds since the epoch, `toleranceMinutes` for schemes with a
 *   timestamp
 */
export function verify(
	{ scheme, secret, headerName }: Verifier,
	delivery: Delivery,
	clock: { now: number; toleranceMinutes: number },
): Result<VerifiedDelivery> {
	try {
		return scheme.verify(delivery, {
			secret,
			headerName,
			toleranceMs: clock.toleranceMinutes * 60_000,
			now: clock.now,
		});
	} catch {
		return failed(
			'it could not be read',
			'Check that the scheme of the credential is how the service signs.',
		);
	}
}
