import { createHash, timingSafeEqual } from 'crypto';

import { failed, type Problem, type Result } from '../../shared/result';

/** A webhook request as delivered: the body's exact bytes, and headers with lower-case names. */
export interface Delivery {
	rawBody: Buffer;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a delivery is verified with. */
export interface VerificationRules {
	/** Trimmed, not empty. */
	secret: string;
	/** Lower-case name of the header with the signature, for the schemes that define none. */
	headerName: string;
	/** How old a signature may be. */
	toleranceMs: number;
	/** In ms since the epoch. In seconds, a fraction of one wouldn't be exact. */
	now: number;
}

/** A delivery whose signature is valid. */
export interface VerifiedDelivery {
	/** ID of the delivery, where the scheme signs one. */
	id?: string;
}

/** One signature scheme: pure functions. Their problems name no secret and nothing of the body. */
export interface Scheme {
	/** Whether the user names the header, because the scheme defines none. */
	needsHeaderName: boolean;
	/**
	 * Checks what can be known of a secret without a delivery. Says what is wrong in a clause, such
	 * as "is shorter than …", because the caller names the field.
	 */
	checkSecret(secret: string): Problem | undefined;
	verify(delivery: Delivery, rules: VerificationRules): Result<VerifiedDelivery>;
}

/** How far the sender's clock may be ahead, as in the Standard Webhooks libraries. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * How many signatures of one delivery are compared. While a secret is rotated, a sender sends two;
 * the bound keeps a hostile header cheap.
 */
export const MAX_SIGNATURES = 10;

/** Whoever has one delivery can try out all shorter secrets, without asking anyone. */
const MIN_SECRET_LENGTH = 16;

/** A clause about a secret, whose field the caller names. */
export const tooShort = (length: number): Problem => ({
	message: `is shorter than ${length} characters`,
	fix: "Copy the whole secret of the webhook endpoint from the service's dashboard. If you chose it yourself, set a longer one there.",
});

/** Checks a secret that can be any text. */
export const checkSecretText = (secret: string): Problem | undefined =>
	secret.length < MIN_SECRET_LENGTH ? tooShort(MIN_SECRET_LENGTH) : undefined;

/** A header that the scheme needs is missing or has another form. */
export const unreadable = (message: string) =>
	failed(
		message,
		'Check that the scheme of the credential is how the service signs, and that no proxy in front of n8n drops headers.',
	);

export const wrongSignature = () =>
	failed(
		"its signature wasn't made with a secret of the credential over this body",
		"Compare the credential with the webhook endpoint in the service's dashboard. Each endpoint has a secret of its own. After a change, the old one belongs in 'Previous Secret'.",
	);

/**
 * Returns the text of a header, or '' when it is missing. A repeated header is joined as HTTP does
 * (RFC 9110, section 5.3).
 */
export const headerOf = ({ headers }: Pick<Delivery, 'headers'>, name: string): string => {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim();
};

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/** Compares in constant time: the time taken tells neither where nor in length the two differ. */
export const constantTimeEqual = (one: string, other: string): boolean =>
	timingSafeEqual(sha256(one), sha256(other));

/**
 * Checks the time of a signature. Written so that anything that isn't a number is rejected.
 *
 * @param signedAt seconds since the epoch
 */
export function checkTimestamp(
	signedAt: string,
	{ now, toleranceMs }: VerificationRules,
): { problem: Problem } | undefined {
	if (!/^\d{1,12}$/.test(signedAt)) {
		return unreadable('its time of signing is missing or not a whole number of seconds');
	}
	const age = now - Number(signedAt) * 1000;
	if (!(age >= -CLOCK_SKEW_MS)) {
		return failed(
			`it was signed ${Math.round(-age / 1000)} seconds in the future`,
			'Compare the clocks of the service and of this machine.',
		);
	}
	if (!(age <= toleranceMs)) {
		return failed(
			`it was signed ${Math.round(age / 1000)} seconds ago, more than 'Timestamp Tolerance' allows`,
			"Compare the clocks, or raise 'Timestamp Tolerance (Minutes)' under Options.",
		);
	}
	return undefined;
}
