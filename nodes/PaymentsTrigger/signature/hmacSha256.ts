import { createHmac } from 'crypto';

import { MOST_SIGNATURES, headerOf, refused, same, type Scheme } from './scheme';

/**
 * HMAC-SHA256 of the body in one header, hex or base64, with or without the prefix `sha256=` (public practice, Webhook
 * delivery). The scheme carries no time, so the maximum age does not apply. Several signatures may stand in the header,
 * separated by commas or blanks.
 */
export const hmacSha256: Scheme = (delivery, { secrets, headerName }) => {
	const header = headerOf(delivery, headerName);
	if (!header) return refused(`it has no ${headerName} header`);
	const candidates = header
		.split(/[\s,]+/)
		.map((one) => one.replace(/^sha256=/i, ''))
		.slice(0, MOST_SIGNATURES);
	const expected = secrets.map((secret) =>
		createHmac('sha256', secret).update(delivery.rawBody).digest(),
	);
	const fits = (candidate: string) =>
		expected.some(
			(mac) =>
				same(candidate.toLowerCase(), mac.toString('hex')) ||
				same(candidate, mac.toString('base64')),
		);
	return candidates.some(fits)
		? { accepted: true }
		: refused('its signature was not made with this secret over this body');
};
