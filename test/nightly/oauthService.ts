import { join } from 'node:path';

import { startProcess } from '../../host/processes';

/** A service whose access tokens come from a certified OAuth server, `oidc-provider`. */
export interface OAuthService {
	/** Both the Auth URL and the Base URL. */
	url: string;
	counts(): Promise<{ tokenRequests: number; transactions: number }>;
	/** Makes an hour pass in the service, so that its tokens expire. */
	advanceClock(): Promise<void>;
	/** Makes the service revoke the token of the transaction that comes as the nth from now on. */
	revokeIn(count: number): Promise<void>;
	stop(): Promise<void>;
}

/** The secret of every client of the service. */
export const OAUTH_CLIENT_SECRET = 'client-secret-of-the-oauth-tests';

/**
 * Starts the service in a process of its own: `oidc-provider` is an ES module, and Jest loads
 * CommonJS.
 */
export async function startOAuthService(): Promise<OAuthService> {
	const program = join(__dirname, 'oauthServer.mjs');
	const managed = startProcess('OAuth service', process.execPath, [program, OAUTH_CLIENT_SECRET]);
	const [, url] = await managed.waitFor(/OAuth service: (http:\/\/\S+)/, 60_000);
	return {
		url,
		counts: async () => {
			const response = await fetch(`${url}/counts`);
			return (await response.json()) as { tokenRequests: number; transactions: number };
		},
		advanceClock: async () => void (await fetch(`${url}/advance-clock`)),
		revokeIn: async (count) => void (await fetch(`${url}/revoke-in/${count}`)),
		stop: async () => await managed.stop(),
	};
}
