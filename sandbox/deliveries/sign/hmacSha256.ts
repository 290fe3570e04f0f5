import { createHmac } from 'node:crypto';
import type { Sign } from './types';

/**
 * Signs the body with HMAC-SHA256 in one header: hex or base64, with an optional prefix such as
 * `sha256=` (docs/interface.md, 10.1).
 */
export const hmacSha256: Sign = ({ body, secret, endpoint }) => ({
	[endpoint.headerName ?? 'x-signature']: `${endpoint.prefix ?? ''}${createHmac('sha256', secret)
		.update(body)
		.digest(endpoint.encoding ?? 'hex')}`,
});
