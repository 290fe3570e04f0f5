import type { ICredentialDataDecryptedObject, IHttpRequestHelper, UserError } from 'n8n-workflow';

/*
 * n8n calls the functions of a credential one after the other, with the same object of decrypted data, and tells none of them what the
 * request is for or how it ended:
 *
 *   Payments node                      n8n                                     this credential                   service
 *   ── beginRequest(data) ──▶
 *   ── httpRequestWithAuthentication ▶ no token stored? ── preAuthentication ─▶ getToken ──────────────────────▶ POST token
 *                                      store the token
 *                                      ── authenticate ──────────────────────▶ adds the token, or throws ForceTokenRefresh
 *                                      send the request ───────────────────────────────────────────────────────▶ POST transaction
 *                                      401 (or ForceTokenRefresh)? ── preAuthentication, authenticate, and retry
 *
 *   other nodes, n8n's older helper    the same, but preAuthentication after any failure, and a retry if that returns a token
 *
 * What one of these calls has to know of an earlier one is in one object for each object of decrypted data.
 */

/** How far a request came. The error that n8n throws doesn't tell whether the request went out. */
export type RequestStage = 'tokenRequest' | 'tokenStorage' | 'authentication' | 'request';

export interface CredentialUse {
	stage?: RequestStage;
	/** Set for requests of the Payments node. Nobody else has its object of decrypted data. */
	paymentsNode?: { timeoutMs: number };
	/** Whether a retry of the request could do something twice. */
	isWrite?: boolean;
	/** Why the request must not be sent; n8n's older helper asks for a new token after it. */
	rejection?: UserError;
	/** n8n hands its HTTP helper to `preAuthentication` alone. */
	httpRequest?: IHttpRequestHelper['helpers']['httpRequest'];
}

const uses = new WeakMap<ICredentialDataDecryptedObject, CredentialUse>();

/** Returns what is remembered of the use of a credential. */
export function useOf(credentials: ICredentialDataDecryptedObject): CredentialUse {
	const use = uses.get(credentials) ?? {};
	uses.set(credentials, use);
	return use;
}

/**
 * Marks decrypted data as those of a request of the Payments node.
 *
 * @param timeoutMs total time of each request that is made with them
 */
export function beginRequest(credentials: ICredentialDataDecryptedObject, timeoutMs: number): void {
	uses.set(credentials, { paymentsNode: { timeoutMs } });
}
