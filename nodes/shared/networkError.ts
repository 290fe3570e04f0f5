import { asText } from './values';

/** What a failed connection means for the request that was made on it. */
export interface NetworkFailure {
	/** `no` proves that the service never received the request. */
	requestSent: 'no' | 'maybe';
	/** Whether the same request can succeed in a moment; an untrusted certificate stays untrusted. */
	temporary: boolean;
	/** One sentence for the user, without the system's error code: n8n replaces messages that contain one. */
	reason: string;
}

/**
 * What an HTTP client throws when there is no response: `code` and `syscall` as in Node.js's system errors. axios keeps the code only, and the
 * system error as `cause`; Node.js puts the errors of several addresses of one host into `errors`.
 */
export interface NetworkError {
	code?: unknown;
	syscall?: unknown;
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
/** System calls on a connection that exists, so part of the request can be out. */
const ON_CONNECTION = new Set<unknown>(['read', 'write', 'shutdown']);

/** System error codes (Node.js, libuv, undici) that mean that no connection was made, unless the system call says otherwise. */
const NO_CONNECTION: Record<string, (host: string) => string> = {
	ENOTFOUND: (host) => `the host ${host} does not exist, so the address may be misspelled`,
	EAI_AGAIN: (host) => `the name of the host ${host} could not be looked up`,
	ECONNREFUSED: (host) =>
		`nothing answers at ${host}, so the service may be down or the port wrong`,
	EHOSTUNREACH: (host) => `the host ${host} cannot be reached from this network`,
	ENETUNREACH: (host) => `the network of ${host} cannot be reached from here`,
	EADDRNOTAVAIL: (host) => `this machine has no free connection to ${host}`,
	UND_ERR_CONNECT_TIMEOUT: (host) => `no connection to ${host} could be made in time`,
};

/** The system call that failed, from the error or what it was made from. */
function findSyscall(error: unknown, depth = 0): unknown {
	if (typeof error !== 'object' || error === null || depth > 3) return undefined;
	const { syscall, cause, errors } = error as NetworkError;
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	return syscall ?? findSyscall(cause, depth + 1) ?? findSyscall(first, depth + 1);
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH/;

/**
 * Says what a failed connection means for the request that was made on it. The system call decides first: the same code can come before the
 * connection exists and while the request is on it.
 *
 * @param host host and port, for the reason
 */
export function classifyNetworkError(error: NetworkError, host: string): NetworkFailure {
	const code = asText(error.code);
	const syscall = findSyscall(error);
	if (ON_CONNECTION.has(syscall)) return maybeSent(describeBrokenConnection(code, host));
	const describe = NO_CONNECTION[code];
	if (describe) return notSent(describe(host));
	if (CERTIFICATE.test(code)) return notSent(`the certificate of ${host} is not trusted`, false);
	if (BEFORE_CONNECTION.has(syscall)) {
		return notSent(`no connection to ${host} could be made`);
	}
	return maybeSent(describeBrokenConnection(code, host));
}

function describeBrokenConnection(code: string, host: string): string {
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return `${host} did not answer in time`;
	if (code === 'ECONNRESET' || code === 'EPIPE') {
		return `${host} closed the connection without an answer`;
	}
	if (code === 'EPROTO') {
		return `${host} does not speak https, or not in a way that can be agreed on`;
	}
	if (code.startsWith('HPE_')) return `the answer of ${host} is not HTTP`;
	return `the connection to ${host} broke off before the answer was complete`;
}

/** How n8n's own errors begin when it doesn't let a request out, in both of its lines. */
const BLOCKED =
	/^(Domain not allowed|No allowed domains specified|The request was blocked|This credential restricts requests)/;

const MAX_DEPTH = 4;

/**
 * Finds n8n's own words when it blocked a request: by *Allowed HTTP Request Domains* of the credential, or by its protection against
 * server-side request forgery (SSRF).
 *
 * @returns n8n's message without a period at the end; `undefined` for any other error
 */
export function findBlock(error: unknown, depth = 0): string | undefined {
	if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return undefined;
	const { name, message, description, messages, cause } = error as Record<string, unknown>;
	const texts = [message, description, ...(Array.isArray(messages) ? (messages as unknown[]) : [])];
	const words = texts.map(asText).find((text) => BLOCKED.test(text));
	const isBlock = words !== undefined || /^Ssrf/.test(asText(name));
	if (isBlock) return (words ?? asText(message)).replace(/\.$/, '');
	return findBlock(cause, depth + 1);
}

/** How to let a request out that n8n blocked. */
export const ALLOW_HOSTS =
	"Add the hosts of both 'Auth URL' and 'Base URL' to 'Allowed HTTP Request Domains' in the credential, or ask your n8n administrator to allow them.";
