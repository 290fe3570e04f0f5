/** A token as the service issued it; times in ms since the epoch. */
export interface Token {
	value: string;
	mintedAt: number;
	expiresAt: number;
}

/** How long after an exchange a client that came without any token is given the new one, in ms. */
const HAND_ON_WITHOUT_TOKEN = 10_000;
const REMEMBERED = 20;

/**
 * The tokens of one client (auth URL, client id, secret, scope) in this process.
 *
 * n8n asks for a new token once per rejected request, so fifty requests in flight ask fifty times. Here one exchange serves
 * all who wait, and whoever comes later with a token that was rejected already is handed the one that replaced it.
 */
export class TokenCache {
	private exchange?: Promise<Token>;
	private current?: Token;
	private readonly replaced = new Set<string>();

	/**
	 * A token to use instead of `rejected`.
	 *
	 * @param rejected the token that the service refused; empty when the client never had one
	 * @param mint makes the exchange; what it throws reaches everybody who waits for it
	 * @param now ms since the epoch
	 */
	async refresh(rejected: string, mint: () => Promise<Token>, now = Date.now()): Promise<string> {
		if (!this.exchange && this.current && this.supersedes(this.current, rejected, now))
			return this.current.value;
		this.exchange ??= this.mintInsteadOf(rejected, mint).finally(() => {
			this.exchange = undefined;
		});
		return (await this.exchange).value;
	}

	/** Only a token known to be older is answered with the current one; one from another process may be newer than ours. */
	private supersedes(current: Token, rejected: string, now: number) {
		if (now >= current.expiresAt || current.value === rejected) return false;
		return rejected === ''
			? now - current.mintedAt < HAND_ON_WITHOUT_TOKEN
			: this.replaced.has(rejected);
	}

	private async mintInsteadOf(rejected: string, mint: () => Promise<Token>) {
		const minted = await mint();
		for (const old of [rejected, this.current?.value]) if (old) this.replaced.add(old);
		this.replaced.delete(minted.value);
		for (const old of this.replaced) if (this.replaced.size > REMEMBERED) this.replaced.delete(old);
		this.current = minted;
		return minted;
	}
}
