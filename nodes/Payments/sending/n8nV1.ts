/*
 * Only n8n 1 needs this. When it is no longer supported, delete this file and its uses in
 * request.ts.
 */

/** n8n 1 drops the error of the HTTP client, and keeps its code, message, and response body. */
interface V1Error extends Error {
	cause?: unknown;
	/** The status, or the system's error code. */
	httpCode?: string | null;
	context?: { data?: unknown };
	/** The original messages, for example `connect ECONNREFUSED 127.0.0.1:443`. */
	messages?: string[];
}

/**
 * The system call stands before the code in a system error's message (Node.js, `util.SystemError`).
 */
const SYSTEM_ERROR = /\b(getaddrinfo|connect|bind|read|write|shutdown) E[A-Z_]+\b/;

/**
 * Reads an error as n8n 1 throws it.
 *
 * @returns the response, or the error with `code` and `syscall` as the HTTP client had them.
 *   `undefined` if it is no such error.
 */
export function readV1Error(
	error: V1Error,
):
	| { response: { status: number; headers: Record<string, unknown>; body: unknown } }
	| { error: Error & { code: string; syscall?: string } }
	| undefined {
	if (error.cause instanceof Error || !error.httpCode) return undefined;
	const status = Number(error.httpCode);
	if (Number.isInteger(status)) {
		return { response: { status, headers: {}, body: error.context?.data } };
	}
	const words = [error.message, ...(error.messages ?? [])].join('\n');
	const syscall = SYSTEM_ERROR.exec(words)?.[1];
	return { error: Object.assign(error, { code: error.httpCode, syscall }) };
}

/**
 * Repeats a request after a 401. n8n 1 ignores `except` in `ignoreHttpStatusErrors`, and returns
 * the 401 instead of fetching a new token. Nothing was recorded. If every status is thrown, it
 * does.
 *
 * @param send sends the same request with this value of `ignoreHttpStatusErrors`
 */
export const resendWithStatusErrors = async <T>(
	send: (ignoreHttpStatusErrors: false) => Promise<T>,
): Promise<T> => await send(false);
