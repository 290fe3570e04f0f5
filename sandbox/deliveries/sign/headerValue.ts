import type { Sign } from './types';

/** Sends the secret itself in a header, without a signature. */
export const headerValue: Sign = ({ secret, endpoint }) => ({
	[endpoint.headerName ?? 'x-webhook-secret']: secret,
});
