import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * How far a request has come that n8n makes with a credential. n8n calls, in this order:
 *
 * - `tokenRequest`: `preAuthentication`, if there is no token or it was rejected
 * - `tokenStorage`: n8n's database stores the new token
 * - `authentication`: `authenticate`
 * - `request`: the HTTP client
 *
 * n8n wraps what one of them throws, and n8n 1 drops it, so the error alone doesn't tell whether the request went out.
 */
export type RequestStage = 'tokenRequest' | 'tokenStorage' | 'authentication' | 'request';

const stages = new WeakMap<ICredentialDataDecryptedObject, RequestStage>();

/** @param credentials the object that n8n hands to the credential's functions */
export function enterStage(credentials: ICredentialDataDecryptedObject, stage: RequestStage): void {
	stages.set(credentials, stage);
}

/** @returns `undefined` when n8n has not called the credential's functions with this object */
export function stageOf(credentials: ICredentialDataDecryptedObject): RequestStage | undefined {
	return stages.get(credentials);
}
