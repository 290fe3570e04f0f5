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
 * (docs/interface.md, 10.1). The scheme has no timestamp, so the tolerance doesn't apply.
 * The header may have several signatures, separated by commas or spaces.
 */
export const hmacSha256: Scheme = {
	needsHeaderName: true,
	checkSecret: checkSecretText,
	verify(delivery, { secret, headerName }) {
		const header = headerOf(delivery, headerName);
		if (!header) return unreadable(`it has no ${headerName} header`);
		const mac = createHmac('sha256', secret).update(delivery.rawBody).digest();
		const isValid = header
			.split(/[\s,]+/)
			.slice(0, MAX_SIGNATURES)
			.map((one) => one.replace(/^sha256=/i, ''))
			.some(
				(signature) =>
					constantTimeEqual(signature.toLowerCase(), mac.toString('hex')) ||
					constantTimeEqual(signature, mac.toString('base64')),
			);
		return isValid ? ok({}) : wrongSignature();
	},
};
