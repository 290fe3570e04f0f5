import { ok, type Problem } from '../../shared/result';
import {
	checkSecretText,
	constantTimeEqual,
	headerOf,
	mismatch,
	unreadable,
	type Scheme,
} from './scheme';

/** What a sender can put into an HTTP header as it is: printable ASCII (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

const NOT_A_HEADER: Problem = {
	message: "The secret has characters that an HTTP header can't carry, so no delivery can match it",
	fix: 'Set a value of unaccented letters, digits, and ASCII symbols, both in the service and in the credential.',
};

/**
 * A header with a fixed value that only the sender knows. Authenticates the sender, but neither the
 * body nor the time.
 */
export const headerValue: Scheme = {
	needsHeaderName: true,
	checkSecret: (secret) => (HEADER_VALUE.test(secret) ? checkSecretText(secret) : NOT_A_HEADER),
	verify(delivery, { secrets, headerName }) {
		const value = headerOf(delivery, headerName);
		if (!value) return unreadable(`it has no ${headerName} header`);
		return secrets.some((secret) => constantTimeEqual(value, secret))
			? ok({ secretHeader: headerName })
			: mismatch(`its ${headerName} header has another value`);
	},
};
