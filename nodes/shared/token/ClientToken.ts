import { sleep } from 'n8n-workflow';

/** An access token. Times are in ms since the epoch. */
export interface Token {
	bearerToken: string;
	/** A little before it ends. */
	renewAt: number;
}

/**
 * A service can allow one token per client, and another system can take it again and again. So a
 * client makes at most one token request in this time, and a new token is used for at least so
 * long, however short it lives.
 */
export const TOKEN_REQUEST_INTERVAL_MS = 1000;

/** What a service's rejection of a token means for the next request. */
export interface RejectedToken {
	/** Whether the token is in use, and this is its first rejection. */
	isCurrent: boolean;
	/** ms until the next request has another token. */
	waitMs: number;
}

/** The access token of one client in this process. Concurrent requests share one token request. */
export class ClientToken {
	private current?: Token;

	private pending?: Promise<Token>;

	/** In ms on a clock that nobody sets. */
	private requestedAt = -Infinity;

	/** When the token is dropped, because the service rejected it. On the same clock. */
	private dropsAt = Infinity;

	/** What n8n has stored is used only until this process has a token of its own. */
	private isAdopting = true;

	/** The token, unless there is none, or it is about to end. */
	get usable(): Token | undefined {
		const isInUse = performance.now() < this.dropsAt;
		return isInUse && this.current && Date.now() < this.current.renewAt ? this.current : undefined;
	}

	/** Takes a token that n8n has stored, if this process hasn't had one yet. */
	adopt(stored: Token | undefined): void {
		if (this.isAdopting) this.current ??= stored;
	}

	/**
	 * Drops the token if it is the one that the service rejected, once another can be requested.
	 * Until then, others use it: what the service rejected may have been the request.
	 */
	reject(bearerToken: string): RejectedToken {
		if (this.current?.bearerToken !== bearerToken) return { isCurrent: false, waitMs: 0 };
		const isCurrent = this.dropsAt === Infinity;
		// Once: a later rejection can come while the next token is requested.
		if (isCurrent) this.dropsAt = this.requestedAt + TOKEN_REQUEST_INTERVAL_MS;
		this.isAdopting = false;
		return { isCurrent, waitMs: Math.max(0, this.dropsAt - performance.now()) };
	}

	/**
	 * Makes sure that there is a token that can be used.
	 *
	 * @param fetchToken makes the token request. What it throws reaches all callers that wait for it.
	 * @returns the new token, for the one caller whose token request it was
	 */
	async renew(fetchToken: () => Promise<Token>): Promise<Token | undefined> {
		if (this.usable) return undefined;
		if (this.pending) {
			await this.pending;
			return undefined;
		}
		this.pending = this.request(fetchToken).finally(() => {
			this.pending = undefined;
		});
		return await this.pending;
	}

	private async request(fetchToken: () => Promise<Token>): Promise<Token> {
		const waitMs = this.requestedAt + TOKEN_REQUEST_INTERVAL_MS - performance.now();
		if (waitMs > 0) await sleep(waitMs);
		this.requestedAt = performance.now();
		this.isAdopting = false;
		this.current = await fetchToken();
		this.dropsAt = Infinity;
		return this.current;
	}
}
