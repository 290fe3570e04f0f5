import { join } from 'node:path';

import { startProcess } from '../../host/processes';

/** The secret of every client of the service. */
export const OAUTH_CLIENT_SECRET = 'client-secret-of-the-oauth-tests';

export type OAuthService = Awaited<ReturnType<typeof startOAuthService>>;

/**
 * Starts a service whose access tokens come from a certified OAuth server, `oidc-provider`, in a
 * process of its own: that is an ES module, and Jest loads CommonJS.
 */
export async function startOAuthService() {
	const program = join(__dirname, 'oauthServer.mjs');
	const managed = startProcess('OAuth service', process.execPath, [program, OAUTH_CLIENT_SECRET]);
	const [, url] = await managed.waitFor(/OAuth service: (http:\/\/\S+)/, 60_000);
	return {
		/** Both the Auth URL and the Base URL. */
		url,
		counts: async () => {
			const response = await fetch(`${url}/counts`);
			return (await response.json()) as { tokenRequests: number; transactions: number };
		},
		/** Makes an hour pass in the service, so that its tokens expire. */
		advanceClock: async () => void (await fetch(`${url}/advance-clock`)),
		/** Makes the service revoke the token of the transaction that comes as the nth from now on. */
		revokeIn: async (count: number) => void (await fetch(`${url}/revoke-in/${count}`)),
		stop: async () => await managed.stop(),
	};
}
