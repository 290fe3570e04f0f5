import { failed, ok, type Result } from '../../shared/result';

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
export function readSecretText(pasted: string): Result<string> {
	if (pasted.search(PREFIX) <= 0) return ok(pasted);
	const [, , secret] = WRAPPED.exec(pasted) ?? [];
	if (secret !== undefined) return ok(secret);
	return failed(
		'The secret begins in the middle of the text that was entered',
		'Enter only the part that begins with whsec_ or whpk_, without what is before and after it.',
	);
}
