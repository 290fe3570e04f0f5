import { headerOf, rejected, constantTimeEqual, type Scheme } from './scheme';

/** A header with a fixed value that only the sender knows. Authenticates the sender, but neither the body nor the time. */
export const headerValue: Scheme = (delivery, { secrets, headerName }) => {
	const value = headerOf(delivery, headerName);
	if (!value) return rejected(`it has no ${headerName} header`);
	return secrets.some((secret) => constantTimeEqual(value, secret))
		? { accepted: true }
		: rejected(`its ${headerName} header has another value`);
};
