import { asSentences, failed, ok, type Problem, type Result } from '../../shared/result';
import { asText, isBlank } from '../../shared/values';
import { hmacSha256 } from './hmacSha256';
import { messageSignature } from './messageSignature';
import type { Delivery, Scheme, VerificationRules, VerifiedDelivery } from './scheme';
import { standardWebhooks } from './standardWebhooks';

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
	previousSecret?: unknown;
	headerName?: unknown;
}

/** A credential that can verify deliveries. */
interface Verifier {
	scheme: Scheme;
	/** Either verifies: the Signing Secret, then the Previous Secret if there is one. Trimmed. */
	secrets: string[];
	/** In lower case. */
	headerName: string;
	/** Why the Previous Secret can't be read. It never refuses what the Signing Secret verifies. */
	previousProblem?: Problem;
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
	const secret = readSecret("'Signing Secret'", credential.secret, scheme);
	if (secret.problem) return secret;
	const headerName = asText(credential.headerName).trim().toLowerCase();
	if (scheme.needsHeaderName && !HEADER_NAME.test(headerName)) {
		return failed(
			"The 'Header Name' is empty or isn't the name of an HTTP header",
			'Enter the name of the header that the service sends, for example X-Signature.',
		);
	}
	const verifier = { scheme, secrets: [secret.value], headerName };
	if (isBlank(credential.previousSecret)) return ok(verifier);
	const previous = readSecret("'Previous Secret'", credential.previousSecret, scheme);
	if (previous.problem) {
		const { message, fix } = previous.problem;
		const previousProblem = {
			message,
			fix: `${fix} Until then, only the 'Signing Secret' verifies.`,
		};
		return ok({ ...verifier, previousProblem });
	}
	return ok({ ...verifier, secrets: [secret.value, previous.value] });
}

/**
 * Reads one secret.
 *
 * @param field its name, in quotes
 * @returns the secret, trimmed
 */
function readSecret(field: string, value: unknown, scheme: Scheme): Result<string> {
	const secret = asText(value).trim();
	if (!secret) {
		return failed(
			`The ${field} is empty or isn't text`,
			"Copy the secret of the webhook endpoint from the service's dashboard into the credential.",
		);
	}
	if (MASKED.test(secret)) {
		return failed(
			`The ${field} is masked or shortened`,
			"Reveal it in the service's dashboard, and copy the whole secret into the credential.",
		);
	}
	const problem = scheme.checkSecret(secret);
	return problem ? failed(`The ${field} ${problem.message}`, problem.fix) : ok(secret);
}

/**
 * Verifies that a delivery comes from the holder of a secret.
 *
 * @param delivery exact bytes and headers
 * @param clock for schemes with a timestamp
 */
export function verify(
	{ scheme, secrets, headerName, previousProblem }: Verifier,
	delivery: Delivery,
	clock: Pick<VerificationRules, 'now' | 'toleranceMs'>,
): Result<VerifiedDelivery> {
	const results = secrets.map((secret) =>
		scheme.verify(delivery, { secret, headerName, ...clock }),
	);
	const valid = results.find(({ problem }) => !problem);
	if (valid) return valid;
	const { message, fix } = results[0].problem as Problem;
	return failed(message, previousProblem ? `${fix} ${asSentences(previousProblem)}` : fix);
}
