/*
 * What only n8n 1 needs. When n8n 1 is no longer supported, delete this file and its two uses in `request.ts`.
 */

/** What n8n 1 makes of an error of the HTTP client: it drops the error, and keeps its code, its words, and the body of the response. */
interface V1Error extends Error {
	cause?: unknown;
	/** The status, or the system's error code. */
	httpCode?: string | null;
	context?: { data?: unknown };
	/** The original messages, for example `connect ECONNREFUSED 127.0.0.1:443`. */
	messages?: string[];
}

/** The system call stands before the code in a system error's message (Node.js, `util.SystemError`). */
const SYSTEM_ERROR = /\b(getaddrinfo|connect|bind|read|write|shutdown) E[A-Z_]+\b/;

/**
 * Reads an error as n8n 1 throws it.
 *
 * @returns the response, or the error with `code` and `syscall` as the HTTP client had them; `undefined` when it is not such an error
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
 * n8n 1 knows no exceptions in `ignoreHttpStatusErrors`: it returns a 401 instead of throwing it, and so doesn't fetch a new token. Nothing was
 * recorded. Repeated with every status thrown, the 401 makes n8n fetch a token.
 *
 * @param send sends the same request with this value of `ignoreHttpStatusErrors`
 */
export const resendWithStatusErrors = async <T>(
	send: (ignoreHttpStatusErrors: false) => Promise<T>,
): Promise<T> => await send(false);
