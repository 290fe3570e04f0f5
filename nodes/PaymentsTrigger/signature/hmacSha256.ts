import { createHmac } from 'crypto';

import { ok } from '../../shared/result';
import {
	MAX_SIGNATURES,
	checkSecretText,
	constantTimeEqual,
	headerOf,
	unreadable,
	wrongSignature,
	type Scheme,
} from './scheme';

/**
 * HMAC-SHA256 of the body in one header, hex or base64, with or without the prefix `sha256=`
 * (public practice, Webhook delivery). The scheme has no timestamp, so the tolerance doesn't apply.
 * The header may have several signatures, separated by commas or spaces.
 */
export const hmacSha256: Scheme = {
	needsHeaderName: true,
	checkSecret: checkSecretText,
	verify(delivery, { secrets, headerName }) {
		const header = headerOf(delivery, headerName);
		if (!header) return unreadable(`it has no ${headerName} header`);
		const candidates = header
			.split(/[\s,]+/)
			.map((one) => one.replace(/^sha256=/i, ''))
			.slice(0, MAX_SIGNATURES);
		const expected = secrets.map((secret) =>
			createHmac('sha256', secret).update(delivery.rawBody).digest(),
		);
		const isValid = (candidate: string) =>
			expected.some(
				(mac) =>
					constantTimeEqual(candidate.toLowerCase(), mac.toString('hex')) ||
					constantTimeEqual(candidate, mac.toString('base64')),
			);
		return candidates.some(isValid) ? ok({}) : wrongSignature();
	},
};
