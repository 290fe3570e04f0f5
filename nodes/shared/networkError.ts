/** How far a request came before the connection failed. Only `notSent` proves that the service never saw it. */
export type Reach = 'notSent' | 'unknown';

export interface NetworkFailure {
	reach: Reach;
	/** Whether the same request can go through in a moment; a wrong certificate stays wrong. */
	temporary: boolean;
	/** One sentence for the user, without the system's error code: n8n replaces messages that contain one. */
	reason: string;
}

const notSent = (reason: string, temporary = true): NetworkFailure => ({
	reach: 'notSent',
	temporary,
	reason,
});
const unclear = (reason: string): NetworkFailure => ({ reach: 'unknown', temporary: true, reason });

/** System error codes (Node.js, libuv, OpenSSL) after which nothing was sent: there was no connection to send on. */
const NEVER_CONNECTED: Record<string, (host: string) => NetworkFailure> = {
	ENOTFOUND: (host) => notSent(`the host ${host} does not exist, so the address may be misspelt`),
	EAI_AGAIN: (host) => notSent(`the name of the host ${host} could not be looked up`),
	ECONNREFUSED: (host) =>
		notSent(`nothing answers at ${host}, so the service may be down or the port wrong`),
	EHOSTUNREACH: (host) => notSent(`the host ${host} cannot be reached from this network`),
	ENETUNREACH: (host) => notSent(`the network of ${host} cannot be reached from here`),
	EADDRNOTAVAIL: (host) => notSent(`this machine has no free connection to ${host}`),
	UND_ERR_CONNECT_TIMEOUT: (host) => notSent(`no connection to ${host} could be made in time`),
	EPROTO: (host) =>
		notSent(`${host} does not speak https, or not in a way that can be agreed on`, false),
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH/;

/** What an HTTP client throws when there is no answer: `code` and `syscall` as in Node.js' system errors. */
export interface NetworkError {
	code?: unknown;
	syscall?: unknown;
}

/**
 * Says what a failed connection means for the request that was on it.
 *
 * @param host host and port for the sentence
 */
export function classifyNetworkError(error: NetworkError, host: string): NetworkFailure {
	const code = typeof error.code === 'string' ? error.code : '';
	const known = NEVER_CONNECTED[code];
	if (known) return known(host);
	if (CERTIFICATE.test(code)) return notSent(`the certificate of ${host} is not trusted`, false);
	if (error.syscall === 'connect') return notSent(`no connection to ${host} could be made`);
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED')
		return unclear(`${host} did not answer in time`);
	if (code === 'ECONNRESET' || code === 'EPIPE')
		return unclear(`${host} closed the connection without an answer`);
	if (code.startsWith('HPE_')) return unclear(`the answer of ${host} is not HTTP`);
	return unclear(`the connection to ${host} broke off before the answer was complete`);
}
