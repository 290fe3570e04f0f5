import type { ICredentialDataDecryptedObject, IHttpRequestHelper, UserError } from 'n8n-workflow';

/*
 * For each request, n8n calls the functions of a credential with the same object of decrypted data.
 * It tells none of them what the request is for, or how it ended:
 *
 *   Payments node          n8n                          this credential           service
 *   ── markAsPaymentsNode(data)
 *   ── httpRequestWith- ─▶ no token stored?
 *      Authentication      ── preAuthentication ──────▶ renewToken ─────────────▶ POST token
 *                          stores the token
 *                          ── authenticate ───────────▶ adds the token, or
 *                                                       throws ForceTokenRefresh
 *                          sends the request ───────────────────────────────────▶ POST transaction
 *                          401 or ForceTokenRefresh?
 *                          preAuthentication, authenticate, and the request again
 *
 * For other nodes that use n8n's older helper, n8n calls preAuthentication after any failure, and
 * repeats the request if that returns a token.
 *
 * What one of these calls has to know of an earlier one is a `CredentialUse`, found by the object
 * of decrypted data.
 */

/** How far a request got. The error that n8n throws doesn't say whether the request was sent. */
type RequestStage = 'tokenRequest' | 'tokenStorage' | 'authentication' | 'request';

export interface CredentialUse {
	stage?: RequestStage;
	/**
	 * Set for requests of the Payments node, because nobody else has its object of decrypted data.
	 */
	paymentsNode?: { timeoutMs: number };
	/**
	 * Set for a request that n8n's older helper would repeat after any failure, and that could
	 * then do something twice.
	 */
	mustNotRepeat?: boolean;
	/**
	 * Why the request must not be sent. Kept, because n8n's older helper asks for a new token next.
	 */
	withheld?: UserError;
	/** Kept, because n8n passes its HTTP helper only to `preAuthentication`. */
	httpRequest?: IHttpRequestHelper['helpers']['httpRequest'];
}

const uses = new WeakMap<ICredentialDataDecryptedObject, CredentialUse>();

/** Returns the use of a credential by one request. */
export function useOf(credentials: ICredentialDataDecryptedObject): CredentialUse {
	const use = uses.get(credentials) ?? {};
	uses.set(credentials, use);
	return use;
}

/**
 * Marks decrypted data as those of a request of the Payments node, which alone may use a credential
 * with limits.
 *
 * @param timeoutMs total time of each HTTP request, that for the token included
 */
export function markAsPaymentsNode(
	credentials: ICredentialDataDecryptedObject,
	timeoutMs: number,
): void {
	uses.set(credentials, { paymentsNode: { timeoutMs } });
}
