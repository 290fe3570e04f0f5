import type { Problem } from '../result';
import { asText, quote } from '../values';

/** What a service says of the access token in WWW-Authenticate (RFC 6750, section 3). */
interface BearerError {
	/** In lower case. Empty if there is none. */
	error: string;
	/** What the token has to be valid for. */
	scope: string;
}

export function bearerErrorIn(headers: Record<string, unknown>): BearerError {
	const header = asText(headers['www-authenticate']);
	const [, error = ''] = /\berror="?([\w.-]+)/i.exec(header) ?? [];
	const [, scope = ''] = /\bscope="([^"]*)"/i.exec(header) ?? [];
	return { error: error.toLowerCase(), scope };
}

/** Says so if the access token is right, and isn't valid for what was requested (section 3.1). */
export function findScopeProblem(headers: Record<string, unknown>): Problem | undefined {
	const { error, scope } = bearerErrorIn(headers);
	if (error !== 'insufficient_scope') return undefined;
	const needed = scope === '' ? 'another one' : quote(scope);
	return {
		message: `the Scope of the access token isn't enough: the service asks for ${needed}`,
		fix: `Select ${scope === '' ? 'another Scope' : `the Scope ${needed}`} in the credential, or ask the service to allow it for this client.`,
	};
}
