import { asText } from './values';

/** What a failed connection means for its request. */
interface NetworkFailure {
	/** `no` proves that the service never received the request. */
	requestSent: 'no' | 'maybe';
	/** Whether the same request can succeed later. A host that doesn't exist won't exist then. */
	temporary: boolean;
	/** For the user, without the system's code, because n8n replaces messages that contain one. */
	reason: string;
}

/**
 * What an HTTP client throws without a response, with `code` and `syscall` of Node.js's system
 * errors. axios keeps only the code, and the system error as `cause`. Node.js puts the errors of
 * several addresses of one host into `errors`.
 */
export interface NetworkError {
	message?: string;
	code?: unknown;
	syscall?: unknown;
	/** Where the connection was to lead: an address with its port, or the name that was looked up. */
	address?: unknown;
	port?: unknown;
	hostname?: unknown;
	cause?: unknown;
	errors?: unknown;
}

const notSent = (reason: string, temporary = true): NetworkFailure => ({
	requestSent: 'no',
	temporary,
	reason,
});

const maybeSent = (reason: string): NetworkFailure => ({
	requestSent: 'maybe',
	temporary: true,
	reason,
});

/** System calls that come before a connection exists (libuv). */
const BEFORE_CONNECTION = new Set<unknown>(['getaddrinfo', 'connect', 'bind']);
/** System calls on a connection that exists, so part of the request may have been sent. */
const ON_CONNECTION = new Set<unknown>(['read', 'write', 'shutdown']);

/** Codes of Node.js and libuv for no connection, unless the system call says otherwise. */
const NO_CONNECTION: Record<string, (host: string) => string> = {
	EAI_AGAIN: (host) => `the name of the host ${host} could not be looked up`,
	ECONNREFUSED: (host) =>
		`nothing responds at ${host}, so the service may be down or the port wrong`,
	EHOSTUNREACH: (host) => `the host ${host} can't be reached from this network`,
	ENETUNREACH: (host) => `the network of ${host} can't be reached from here`,
};

const MAX_CAUSES = 4;

/** Finds the system error, which names the system call that failed, in the error or its causes. */
function findSystemError(error: unknown, depth = 0): NetworkError | undefined {
	if (typeof error !== 'object' || error === null || depth > MAX_CAUSES) return undefined;
	const { syscall, cause, errors } = error as NetworkError;
	if (syscall !== undefined) return error;
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	return findSystemError(cause, depth + 1) ?? findSystemError(first, depth + 1);
}

/**
 * Finds the proxy to which no connection could be made. No setting of the nodes names it, but its
 * name or its port isn't that of the URL.
 */
function findProxy(
	{ syscall, address, port, hostname }: NetworkError,
	{ protocol, hostname: ownName, port: ownPort }: URL,
): string | undefined {
	if (syscall === 'getaddrinfo' && typeof hostname === 'string' && hostname !== ownName)
		return hostname;
	const isOtherPort = syscall === 'connect' && port !== Number(ownPort || DEFAULT_PORTS[protocol]);
	if (!isOtherPort || typeof address !== 'string' || typeof port !== 'number') return undefined;
	return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Codes of OpenSSL and Node.js for a certificate of the host that isn't accepted. */
const CERTIFICATE = /^(?!ERR_SSL_).*(CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH)/;
const UNKNOWN_AUTHORITY = "was issued by an authority that n8n doesn't know";
/** What is wrong with the certificate, for the codes that users meet. */
const CERTIFICATE_REASONS: Record<string, string> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: "isn't valid yet, so the clock of this machine may be wrong",
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE:
		"can't be verified: the host doesn't send the intermediate certificate, or n8n doesn't know the authority",
	UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
	SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
};
/** The message of Node.js (lib/_tls_wrap.js) for a connection that the host closes too early. */
const BEFORE_TLS = /disconnected before secure TLS connection/;

/**
 * Says what a failed connection means for its request. The system call decides before the code,
 * because the same code can occur before the connection exists and while the request is on it.
 *
 * A TLS handshake that fails is seen only if the host closes the connection or sends an alert
 * (EPROTO: OpenSSL took no byte of the request). A reset looks the same during the handshake and
 * after the request, so its request may have been sent.
 *
 * @param url the address of the request
 */
export function classifyNetworkError(error: NetworkError, url: string): NetworkFailure {
	const { host } = new URL(url);
	const code = asText(error.code);
	if (code === 'EPROTO' || BEFORE_TLS.test(asText(error.message)))
		return notSent(`no secure connection to ${host} could be established (TLS)`);
	// The host ends the connection because n8n has no certificate of its own (RFC 8446, section 6.2).
	// With TLS 1.3, the request may have been written by then, but it is read only after the
	// handshake.
	if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
		return notSent(`${host} requires a client certificate, which n8n doesn't have`, false);
	const systemError = findSystemError(error) ?? {};
	const { syscall } = systemError;
	if (ON_CONNECTION.has(syscall)) return maybeSent(describeBrokenConnection(code, host));
	const proxy = findProxy(systemError, new URL(url));
	if (proxy !== undefined)
		return notSent(
			`n8n's proxy ${proxy} (HTTPS_PROXY or the like) can't be reached, so ${host} can't either`,
			code !== 'ENOTFOUND',
		);
	if (code === 'ENOTFOUND')
		return notSent(`the host ${host} doesn't exist, so the address may be misspelled`, false);
	const describe = NO_CONNECTION[code];
	if (describe) return notSent(describe(host));
	if (CERTIFICATE.test(code)) {
		const reason = CERTIFICATE_REASONS[code] ?? "isn't trusted";
		return notSent(`the certificate of ${host} ${reason}`, false);
	}
	if (BEFORE_CONNECTION.has(syscall)) return notSent(`no connection to ${host} could be made`);
	return maybeSent(describeBrokenConnection(code, host));
}

function describeBrokenConnection(code: string, host: string): string {
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return `${host} didn't respond in time`;
	if (code === 'ECONNRESET' || code === 'EPIPE')
		return `${host} closed the connection without a response`;
	if (code.startsWith('HPE_')) return `the response of ${host} isn't HTTP`;
	return `the connection to ${host} broke off before the response was complete`;
}

/** How n8n's errors begin if it blocks a request. */
const BLOCKED =
	/^(Domain not allowed|No allowed domains specified|The request was blocked|This credential restricts requests)/;

/**
 * Finds n8n's own words if it blocked a request: by *Allowed HTTP Request Domains* of the
 * credential, or by its protection against server-side request forgery (SSRF).
 *
 * @returns n8n's message without a period at the end, `undefined` for any other error
 */
export function findBlock(error: unknown, depth = 0): string | undefined {
	if (typeof error !== 'object' || error === null || depth > MAX_CAUSES) return undefined;
	const { name, message, description, cause } = error as Record<string, unknown>;
	const words = [message, description].map(asText).find((text) => BLOCKED.test(text));
	const isBlock = words !== undefined || /^Ssrf/.test(asText(name));
	if (isBlock) return (words ?? asText(message)).replace(/\.$/, '');
	return findBlock(cause, depth + 1);
}

/** The fix for a request that n8n blocked. */
export const ALLOW_HOSTS =
	"Add the hosts of both 'Auth URL' and 'Base URL' to 'Allowed HTTP Request Domains' in the credential, or ask your n8n administrator to allow them.";
