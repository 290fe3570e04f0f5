import { createHmac } from 'crypto';

import { ok } from '../../shared/result';
import {
	MAX_SIGNATURES,
	checkSecretText,
	constantTimeEqual,
	headerOf,
	unreadableForm,
	wrongSignature,
	type Scheme,
} from './scheme';

/** 32 bytes in hex or base64. */
const SIGNATURE = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/i;

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
		if (!header) return unreadableForm(`it has no ${headerName} header`, delivery);
		const signatures = header
			.split(/[\s,]+/)
			.slice(0, MAX_SIGNATURES)
			.map((one) => one.replace(/^sha256=/i, ''));
		const mac = createHmac('sha256', secret).update(delivery.rawBody).digest();
		const isValid = signatures.some(
			(signature) =>
				constantTimeEqual(signature.toLowerCase(), mac.toString('hex')) ||
				constantTimeEqual(signature, mac.toString('base64')),
		);
		if (isValid) return ok({});
		if (signatures.some((one) => SIGNATURE.test(one))) return wrongSignature();
		return unreadableForm(`its ${headerName} header has no SHA-256 in hex or base64`, delivery);
	},
};
