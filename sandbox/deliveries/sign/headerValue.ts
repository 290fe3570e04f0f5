import type { Sign } from './types';

/** No signature at all: the secret itself stands in a header. */
export const headerValue: Sign = ({ secret, endpoint }) => ({
	[endpoint.headerName ?? 'x-webhook-secret']: secret,
});
