import { PROCESS_CLOCK, type Clock } from '../clock';

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

/** A new token may not be known yet to all servers of a service. So long, it's tried again. */
const MAX_LATENESS_MS = 3500;
const LATE_TOKEN_INTERVAL_MS = 500;

/** What a service's rejection of a token means for the request that carried it. */
export interface RejectedToken {
	/**
	 * Whether it counts against the transaction. If a token ends, all that are open are rejected, and
	 * it counts for the first of them.
	 */
	counts: boolean;
	/** Whether the token was accepted for another one: if it's the second rejection, it counts. */
	isProven: boolean;
	/** ms until another token is used, or the same is tried again. */
	waitMs: number;
}

/** Why there is no new token. */
interface TokenError extends Error {
	/** The service asks for no token request before. In ms on the clock. */
	retryAt?: number;
}

/** Another one is in use by now. */
const NOT_IN_USE: RejectedToken = { counts: false, isProven: false, waitMs: 0 };

/** The access token of one client in this process. Concurrent requests share one token request. */
export class ClientToken {
	private current?: Token;

	private pending?: Promise<Token>;

	/** Why the last token request was in vain. */
	private lastError?: TokenError;

	/** When the last token request was made, or its token came. */
	private requestedAt = -Infinity;

	/** Whether the service has accepted the token. */
	private isProven = false;

	/** When the token is dropped, because the service rejected it. */
	private dropsAt = Infinity;

	/** Rejected tokens in a row. */
	private rejectedTokens = 0;

	/** @param clock of all times but those of a token */
	constructor(private readonly clock: Clock = PROCESS_CLOCK) {}

	/** The token, unless there is none, or it is about to end. */
	get usable(): Token | undefined {
		const isInUse = this.clock.now() < this.dropsAt;
		return isInUse && this.current && Date.now() < this.current.renewAt ? this.current : undefined;
	}

	/** Takes a token that n8n has stored, if this process hasn't had one yet. It isn't new. */
	adopt(stored: Token | undefined): void {
		if (this.current || !stored) return;
		this.current = stored;
		this.isProven = true;
	}

	/** Takes in that the service decided about a transaction that carried this token. */
	accept(bearerToken: string): void {
		if (this.current?.bearerToken !== bearerToken) return;
		this.isProven = true;
		this.rejectedTokens = 0;
		if (this.clock.now() < this.dropsAt) this.dropsAt = Infinity;
	}

	/**
	 * Drops the token if it is the one that the service rejected, once another can be requested.
	 * Until then, others use it: what the service rejected may have been the request.
	 */
	reject(bearerToken: string): RejectedToken {
		if (this.current?.bearerToken !== bearerToken) return NOT_IN_USE;
		const { isProven } = this;
		const now = this.clock.now();
		// Once: a later rejection can come while the next token is requested.
		if (this.dropsAt < Infinity)
			return { counts: false, isProven, waitMs: Math.max(0, this.dropsAt - now) };
		if (!isProven && now < this.requestedAt + this.patienceMs)
			return { counts: false, isProven, waitMs: LATE_TOKEN_INTERVAL_MS };
		this.rejectedTokens++;
		this.dropsAt = Math.max(now, this.requestedAt + TOKEN_REQUEST_INTERVAL_MS);
		// Of a proven one, another transaction shows meanwhile whether it's the token.
		return { counts: true, isProven, waitMs: isProven ? 0 : this.dropsAt - now };
	}

	/**
	 * How long after it came a token is kept that has never been accepted. One that replaces a
	 * rejected one isn't kept, because it may be the transaction that is rejected. The next is again:
	 * otherwise, tokens that are late would all be replaced after one was revoked.
	 */
	private get patienceMs(): number {
		return this.rejectedTokens % 2 === 0 ? MAX_LATENESS_MS : TOKEN_REQUEST_INTERVAL_MS;
	}

	/**
	 * Makes sure that there is a token that can be used.
	 *
	 * @param fetchToken makes the token request. What it throws reaches all callers that wait for it,
	 *   and later ones, for as long as the service asks to wait.
	 * @returns the new token, for the one caller whose token request it was
	 */
	async renew(fetchToken: () => Promise<Token>): Promise<Token | undefined> {
		if (this.usable) return undefined;
		if (this.pending) {
			await this.pending;
			return undefined;
		}
		const now = this.clock.now();
		if (this.lastError && now < (this.lastError.retryAt ?? now)) throw this.lastError;
		this.pending = this.request(fetchToken).finally(() => {
			this.pending = undefined;
		});
		return await this.pending;
	}

	private async request(fetchToken: () => Promise<Token>): Promise<Token> {
		const waitMs = this.requestedAt + TOKEN_REQUEST_INTERVAL_MS - this.clock.now();
		if (waitMs > 0) await this.clock.sleep(waitMs);
		this.requestedAt = this.clock.now();
		const fetched = fetchToken();
		fetched.catch((error: TokenError) => (this.lastError = error));
		this.current = await fetched;
		this.requestedAt = this.clock.now();
		this.isProven = false;
		this.dropsAt = Infinity;
		return this.current;
	}
}
