/** What the Payments node and the credential tell each other about one request. */
export interface PaymentsNodeMark {
	/** Total time of each HTTP request, that for the token included. */
	readonly timeoutMs: number;
	/** Nothing leaves after it is aborted. */
	readonly signal: AbortSignal;
	/** The token with which the request left. Missing if it didn't leave. */
	sentToken?: string;
	/**
	 * Ends the request after its time. Node.js 20 forgets a timeout that nobody holds, although a
	 * signal made of it is in use.
	 */
	timeout?: AbortSignal;
}

/**
 * The name of the mark in the decrypted data of a request. n8n hands the same object to
 * `preAuthentication` and `authenticate`, and stores nothing behind a symbol. A workflow can't make
 * this symbol, so only the Payments node can write with the credential.
 */
export const PAYMENTS_NODE = Symbol('PaymentsNode');

export const markOf = (credentials: object): PaymentsNodeMark | undefined =>
	(credentials as { [PAYMENTS_NODE]?: PaymentsNodeMark })[PAYMENTS_NODE];
