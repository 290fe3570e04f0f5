import { createHash, timingSafeEqual } from 'crypto';

/** A webhook request as delivered: the exact bytes of the body, and headers with lower-case names. */
export interface Delivery {
	rawBody: Buffer;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a delivery is verified with. */
export interface VerificationRules {
	/** Trimmed, none empty; more than one while a secret is being rotated. */
	secrets: readonly string[];
	/** Lower-case name of the header with the signature, for the schemes that define none. */
	headerName: string;
	/** How old a signature may be, in seconds. */
	timestampTolerance: number;
	/** In seconds since the epoch. */
	now: number;
}

/** `id` is the ID of the delivery, where the scheme signs one. `reason` names no secret and nothing of the body. */
export type VerificationResult =
	| { accepted: true; id?: string }
	| { accepted: false; reason: string };

/** One signature scheme: a pure function of the delivery and the rules. */
export type Scheme = (delivery: Delivery, rules: VerificationRules) => VerificationResult;

/** How far the sender's clock may be ahead, in seconds: the tolerance of the Standard Webhooks libraries. */
export const CLOCK_SKEW = 5 * 60;

/** How many signatures of one delivery are compared. While a secret is rotated, a sender sends two; the bound keeps a hostile header cheap. */
export const MAX_SIGNATURES = 10;

export const rejected = (reason: string): VerificationResult => ({ accepted: false, reason });

/** Returns the text of a header, or '' when it is missing. A repeated header is joined as HTTP does (RFC 9110, section 5.3). */
export const headerOf = ({ headers }: Delivery, name: string): string => {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim();
};

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest();

/** Compares in constant time: the time taken doesn't tell where, or in length, the two differ. */
export const constantTimeEqual = (one: string | Buffer, other: string | Buffer): boolean =>
	timingSafeEqual(sha256(one), sha256(other));

/**
 * Checks the time of a signature, in seconds since the epoch. Written so that anything that isn't a number, in the header
 * or in the user's tolerance, is rejected.
 *
 * @returns why it is rejected, or undefined when it is accepted
 */
export const checkTimestamp = (
	signedAt: string,
	{ now, timestampTolerance }: VerificationRules,
): string | undefined => {
	if (!/^\d{1,12}$/.test(signedAt)) {
		return 'its time of signing is missing or not a whole number of seconds';
	}
	const age = now - Number(signedAt);
	if (!(age >= -CLOCK_SKEW)) {
		return `it was signed ${Math.round(-age)} seconds in the future; compare the clocks`;
	}
	if (!(age <= timestampTolerance)) {
		return `it was signed ${Math.round(age)} seconds ago, more than 'Timestamp Tolerance' allows`;
	}
	return undefined;
};
