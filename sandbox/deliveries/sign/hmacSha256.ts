import { createHmac } from 'node:crypto';
import type { Sign } from './types';

/** HMAC-SHA256 of the body in one header: hex or base64, with or without a prefix such as `sha256=` (public practice, Webhook delivery). */
export const hmacSha256: Sign = ({ body, secret, endpoint }) => ({
	[endpoint.headerName ?? 'x-signature']: `${endpoint.prefix ?? ''}${createHmac('sha256', secret)
		.update(body)
		.digest(endpoint.encoding ?? 'hex')}`,
});
