import { BoundedMap } from '../BoundedMap';

/** An access token. Times are in ms since the epoch. */
export interface Token {
	/** With its client and the time of its renewal, as the credential stores it. */
	storedToken: string;
	issuedAt: number;
	expiresAt: number;
	/** What the service granted, a string if its response says so. */
	scope?: unknown;
}

/** How long a request that has no token gets the current one. */
const SHARE_NEW_TOKEN_MS = 10_000;
const REPLACED_TOKENS = { maxSize: 20, maxAgeMs: 24 * 3_600_000 };
/** A failed request says little about its token, so not each one costs a token request. */
const DISTRUST_INTERVAL_MS = 10_000;

/**
 * The access tokens of one client (Auth URL, client ID, client secret, scope) in this process, as
 * the credential stores them.
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
	/** A token that the service seems to reject, without n8n asking for another one. */
	private distrusted?: string;
	private distrustedAt = -Infinity;

	/**
	 * Returns a token to use instead of another one.
	 *
	 * @param old the token that the service rejected, or that is due; empty if the request had none
	 * @param fetchToken makes the token request. What it throws reaches all callers that wait for it.
	 * @param now ms since the epoch
	 */
	async refresh(old: string, fetchToken: () => Promise<Token>, now = Date.now()): Promise<string> {
		const { current } = this;
		if (!this.pending && current && this.isNewer(current, old, now)) return current.storedToken;
		this.pending ??= this.replace(old, fetchToken).finally(() => {
			this.pending = undefined;
		});
		return (await this.pending).storedToken;
	}

	/**
	 * Makes the next request replace this token, at most once in `DISTRUST_INTERVAL_MS`.
	 *
	 * @returns whether it will
	 */
	distrust(token: string, now = Date.now()): boolean {
		if (this.isDistrusted(token)) return true;
		if (now - this.distrustedAt < DISTRUST_INTERVAL_MS) return false;
		this.distrustedAt = now;
		this.distrusted = token;
		return true;
	}

	isDistrusted(token: string): boolean {
		return this.distrusted === token;
	}

	/** Whether this process has replaced the token by a newer one. */
	isReplaced(token: string): boolean {
		return this.replaced.has(token);
	}

	/** Whether the current token is known to be newer. Not if the other is from another process. */
	private isNewer(current: Token, old: string, now: number): boolean {
		if (now >= current.expiresAt || this.isDistrusted(old)) return false;
		if (old === '') return now - current.issuedAt < SHARE_NEW_TOKEN_MS;
		return this.isReplaced(old);
	}

	private async replace(old: string, fetchToken: () => Promise<Token>): Promise<Token> {
		const token = await fetchToken();
		for (const replaced of [old, this.current?.storedToken]) {
			if (replaced) this.replaced.set(replaced, undefined);
		}
		this.replaced.delete(token.storedToken);
		this.current = token;
		this.distrusted = undefined;
		return token;
	}
}
