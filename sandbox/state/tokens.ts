import type { IssuedToken } from '../types';
import type { Clock } from './clock';
import { newSecret } from './ids';

/** Seconds (docs/interface.md, 2.4 and 5: 60 minutes, shown as 3599). */
export const TOKEN_LIFETIME_S = 3599;

/** The valid bearer tokens. */
export class Tokens {
	private readonly valid = new Map<string, IssuedToken>();

	constructor(private readonly clock: Clock) {}

	issue(clientId: string, scope: string): string {
		const token = newSecret();
		const issuedAt = this.clock.now();
		const kind = scope.split(' ').includes('PAYMENTS') ? 'PAYMENTS' : 'OXYGEN';
		this.valid.set(token, {
			clientId,
			scope,
			kind,
			issuedAt,
			expiresAt: issuedAt + TOKEN_LIFETIME_S * 1000,
		});
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

	/** Makes all tokens expire now. */
	expire(): void {
		for (const issued of this.valid.values()) issued.expiresAt = this.clock.now();
	}

	/** Lists the newest valid tokens, without their secret values. */
	list(limit: number): IssuedToken[] {
		return [...this.valid.values()]
			.filter(({ expiresAt }) => expiresAt > this.clock.now())
			.slice(-limit)
			.reverse();
	}
}
