/** An access token as the service issued it; times in ms since the epoch. */
export interface Token {
	value: string;
	issuedAt: number;
	expiresAt: number;
	/** From then on, requests get a new one, so that none is sent with a token that ends on the way. */
	renewAt: number;
	/** What the service granted, a string if its response says so. */
	scope?: unknown;
}

/** How long a new token is handed to requests that came without any token, in ms. */
const SHARE_NEW_TOKEN_MS = 10_000;
const MAX_REPLACED_TOKENS = 20;
/** A request of another node that failed says little about its token, so not each one costs a token request. */
const DISTRUST_INTERVAL_MS = 10_000;

/**
 * The access tokens of one client (Auth URL, client ID, client secret, scope) in this process.
 *
 * n8n asks for a new token once for each rejected request, so 50 concurrent requests ask 50 times. Here they share one token request, and a
 * request that comes later with a token that was already rejected gets the one that replaced it.
 */
export class TokenCache {
	private pending?: Promise<Token>;
	/** The newest token. */
	current?: Token;
	private readonly replaced = new Set<string>();
	/** A token that the service seems to reject. */
	private suspect?: string;
	private suspectedAt = -Infinity;

	/**
	 * Returns a token to use instead of `rejected`.
	 *
	 * @param rejected the token that the service rejected; empty when the request had none
	 * @param fetchToken makes the token request; what it throws reaches every caller that waits for it
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
	 * Makes the next request get a new token in place of this one, at most once in a while.
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

	/** Returns the current token only if the rejected one is known to be older. One from another process may be newer. */
	private supersedes(current: Token, rejected: string, now: number): boolean {
		if (now >= current.expiresAt) return false;
		if (rejected === '') return now - current.issuedAt < SHARE_NEW_TOKEN_MS;
		return this.replaced.has(rejected);
	}

	private async replace(rejected: string, fetchToken: () => Promise<Token>): Promise<Token> {
		const token = await fetchToken();
		for (const old of [rejected, this.current?.value]) {
			if (old) this.replaced.add(old);
		}
		this.replaced.delete(token.value);
		for (const oldest of this.replaced) {
			if (this.replaced.size > MAX_REPLACED_TOKENS) this.replaced.delete(oldest);
		}
		this.current = token;
		this.suspect = undefined;
		return token;
	}
}
