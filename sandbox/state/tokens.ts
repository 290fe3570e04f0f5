import type { Clock } from './clock';
import { newSecret } from './ids';

/** Seconds (docs/interface.md, 2.4 and 5: 60 minutes, shown as 3599). */
export const TOKEN_LIFETIME_S = 3599;

export interface IssuedToken {
	clientId: string;
	/** ms since the epoch, by the clock of the sandbox. */
	expiresAt: number;
}

/** The valid bearer tokens. */
export class Tokens {
	readonly valid = new Map<string, IssuedToken>();

	constructor(private readonly clock: Clock) {}

	issue(clientId: string): string {
		const token = newSecret();
		this.valid.set(token, { clientId, expiresAt: this.clock.now() + TOKEN_LIFETIME_S * 1000 });
		return token;
	}

	/** Returns what is known of a token, or undefined when it is unknown, revoked, or expired. */
	check(token: string): IssuedToken | undefined {
		const issued = this.valid.get(token);
		if (issued && issued.expiresAt <= this.clock.now()) {
			this.valid.delete(token);
			return undefined;
		}
		return issued;
	}

	/** Revokes all tokens, or those of one client. */
	revoke(clientId?: string): void {
		for (const [token, issued] of this.valid) {
			if (clientId === undefined || issued.clientId === clientId) this.valid.delete(token);
		}
	}
}
