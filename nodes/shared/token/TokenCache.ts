import { BoundedMap } from '../BoundedMap';

/** An access token. Times are in ms since the epoch. */
export interface Token {
	/** In the form that the credential stores. */
	value: string;
	issuedAt: number;
	expiresAt: number;
	/** What the service granted, a string if its response says so. */
	scope?: unknown;
}

/** How long a request that has no token gets the current one. */
const SHARE_NEW_TOKEN_MS = 10_000;
const REPLACED_TOKENS = { maxSize: 20, maxAgeMs: 24 * 3_600_000 };
/**
 * A failed request of another node says little about its token, so not each one costs a request.
 */
const DISTRUST_INTERVAL_MS = 10_000;

/**
 * The access tokens of one client (Auth URL, client ID, client secret, scope) in this process.
 *
 * n8n asks for a new token for each rejected request, so 50 concurrent requests ask 50 times. Here
 * they share one token request. A later request with a token that is already replaced gets the
 * current one.
 */
export class TokenCache {
	private pending?: Promise<Token>;
	/** The newest token. */
	current?: Token;
	private readonly replaced = new BoundedMap<string, undefined>(REPLACED_TOKENS);
	/** A token that the service seems to reject. */
	private suspect?: string;
	private suspectedAt = -Infinity;

	/**
	 * Returns a token to use instead of `rejected`.
	 *
	 * @param rejected the token that the service rejected, empty if the request had none
	 * @param fetchToken makes the token request. What it throws reaches all callers that wait for it.
	 * @param now ms since the epoch
	 */
	async refresh(
		rejected: string,
		fetchToken: () => Promise<Token>,
		now = Date.now(),
	): Promise<string> {
		const isKnown = rejected !== this.suspect;
		if (isKnown && !this.pending && this.current && this.supersedes(this.current, rejected, now))
			return this.current.value;
		this.pending ??= this.replace(rejected, fetchToken).finally(() => {
			this.pending = undefined;
		});
		return (await this.pending).value;
	}

	/**
	 * Makes the next request replace this token, at most once in `DISTRUST_INTERVAL_MS`.
	 *
	 * @param token as the credential stores it
	 * @returns whether it will
	 */
	distrust(token: string, now = Date.now()): boolean {
		if (this.isSuspect(token)) return true;
		if (now - this.suspectedAt < DISTRUST_INTERVAL_MS) return false;
		this.suspectedAt = now;
		this.suspect = token;
		return true;
	}

	isSuspect(token: string): boolean {
		return this.suspect === token;
	}

	isReplaced(token: string): boolean {
		return this.replaced.has(token);
	}

	/** Whether the rejected token is known to be older. One from another process may be newer. */
	private supersedes(current: Token, rejected: string, now: number): boolean {
		if (now >= current.expiresAt) return false;
		if (rejected === '') return now - current.issuedAt < SHARE_NEW_TOKEN_MS;
		return this.isReplaced(rejected);
	}

	private async replace(rejected: string, fetchToken: () => Promise<Token>): Promise<Token> {
		const token = await fetchToken();
		for (const old of [rejected, this.current?.value]) {
			if (old) this.replaced.set(old, undefined);
		}
		this.replaced.delete(token.value);
		this.current = token;
		this.suspect = undefined;
		return token;
	}
}
