import { createHmac } from 'crypto';

import { ok } from '../../shared/result';
import { wrongForm } from './headerForm';
import {
	MAX_SIGNATURES,
	checkSecretText,
	constantTimeEqual,
	headerOf,
	unreadable,
	wrongSignature,
	type Scheme,
} from './scheme';

/** 32 bytes in hex or base64, alone or behind `sha256=`. */
const SIGNATURE = /^(?:sha256=)?([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/i;

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
		const signatures = header
			.split(/[\s,]+/)
			.flatMap((part) => SIGNATURE.exec(part)?.[1] ?? [])
			.slice(0, MAX_SIGNATURES);
		if (signatures.length === 0) {
			const expected = '64 hex digits or 44 characters of base64, alone or behind sha256=';
			return wrongForm(headerName, header, expected);
		}
		const mac = createHmac('sha256', secret).update(delivery.rawBody).digest();
		const isValid = signatures.some(
			(signature) =>
				constantTimeEqual(signature.toLowerCase(), mac.toString('hex')) ||
				constantTimeEqual(signature, mac.toString('base64')),
		);
		return isValid ? ok({}) : wrongSignature();
	},
};
