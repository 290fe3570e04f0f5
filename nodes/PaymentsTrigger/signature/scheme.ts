import { createHash, timingSafeEqual } from 'crypto';

/** A webhook request as it came: the exact bytes of the body, and headers with lower-case names. */
export interface Delivery {
	rawBody: Buffer;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a delivery is held against. Times in seconds since the epoch, ages in seconds. */
export interface VerificationRules {
	/** Trimmed, none empty; more than one while a secret is being rotated. */
	secrets: readonly string[];
	/** Lower-case name of the header to look at, for the schemes that have no header of their own. */
	headerName: string;
	maximumAge: number;
	now: number;
}

/** `id` is the id of the delivery where the scheme carries (and signs) one. */
export type VerificationResult =
	| { accepted: true; id?: string }
	| { accepted: false; reason: string };

/** One way of signing. Reads nothing but its arguments, and gives the constantTimeEqual verdict for the constantTimeEqual arguments. */
export type Scheme = (delivery: Delivery, rules: VerificationRules) => VerificationResult;

/** How far the sender's clock may be ahead of ours, in seconds: the tolerance that Standard Webhooks' own library has. */
export const CLOCK_SKEW = 5 * 60;

/** How many signatures of one delivery are looked at. A sender that changes its secret sends two; the bound keeps a hostile header cheap. */
export const MAX_SIGNATURES = 10;

export const rejected = (reason: string): VerificationResult => ({ accepted: false, reason });

/** The text of a header, or '' when it did not come. A header that came several times is joined as HTTP joins it. */
export const headerOf = ({ headers }: Delivery, name: string): string => {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim();
};

/** Compares without telling, by the time it takes, where or in what length the two differ. */
export const constantTimeEqual = (one: string | Buffer, other: string | Buffer): boolean =>
	timingSafeEqual(
		createHash('sha256').update(one).digest(),
		createHash('sha256').update(other).digest(),
	);

/**
 * Says why a time of signing is not acceptable; nothing when it is.
 * Written so that anything that is not a number (in the header or in the user's limit) is rejected.
 */
export const checkTimestamp = (
	signedAt: string,
	{ now, maximumAge }: VerificationRules,
): string | undefined => {
	if (!/^\d{1,12}$/.test(signedAt))
		return 'its time of signing is missing or not a whole number of seconds';
	const age = now - Number(signedAt);
	if (!(age >= -CLOCK_SKEW))
		return `it was signed ${Math.round(-age)} seconds in the future; compare the clocks`;
	if (!(age <= maximumAge))
		return `it was signed ${Math.round(age)} seconds ago, more than the maximum age allows`;
	return undefined;
};
