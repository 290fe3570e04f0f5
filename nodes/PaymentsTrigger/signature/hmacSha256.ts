import { createHmac } from 'crypto';

import { failed, ok } from '../../shared/result';
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

/** `name=` and a value. A base64 text can end with `=`. */
const NAMED = /^([A-Za-z][\w-]{0,11}=(?=[^=]))?(.*)$/s;
const HEX = /^(?:[0-9a-f]{2}){16,}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_URL = /^[\w-]{22,}={0,2}$/;

const MAX_FORM_LENGTH = 300;

/** Names what a value looks like, and shows nothing of it. */
function formOfValue(value: string): string {
	if (HEX.test(value)) return `<${value.length} hex digits>`;
	if (BASE64.test(value)) return `<${value.length} characters of base64>`;
	if (BASE64_URL.test(value)) return `<${value.length} characters of base64url>`;
	return '…';
}

/** Writes a header without its values, such as `t=…,v1=<64 hex digits>`. */
const formOf = (header: string): string =>
	header.slice(0, MAX_FORM_LENGTH).replace(/[^\s,;]+/g, (part) => {
		const [, name = '', value] = NAMED.exec(part) as string[];
		return name + formOfValue(value);
	});

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
			return failed(
				`its ${headerName} header has the form ${formOf(header)}, and this scheme verifies 64 hex digits or 44 characters of base64, alone or behind sha256=`,
				"If the service can sign in another way, select it there and in the credential. Otherwise, use n8n's Webhook node, and verify the signature in the workflow.",
			);
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
