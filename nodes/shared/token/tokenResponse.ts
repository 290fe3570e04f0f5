import { ok, type Problem, type Result } from '../result';
import type { ServiceResponse } from '../serviceResponse';
import { quoteWords } from '../serviceWords';
import { statedWait } from '../statedWait';
import { isNotNow, isRedirect, isWebPage, MAY_BE_BLOCKED, statusSays } from '../statuses';
import { asText, isObject } from '../values';

/** A response of the token endpoint. */
interface TokenEndpointResponse extends ServiceResponse {
	body: string;
}

/** A token as the response has it. */
export interface IssuedToken {
	bearerToken: string;
	expiresInSeconds: number;
	/** What the service granted, a string if its response says so. */
	scope: unknown;
}

/** Why there is no token. */
export interface TokenProblem extends Problem {
	/** Whether the same token request may succeed later. */
	temporary: boolean;
	/** ms that the service asks to wait before the next token request. */
	waitMs?: number;
	/** By which the service finds the token request. */
	requestId?: string;
}

/** What an HTTP header can carry, without blanks (RFC 6750, section 2.1). */
const TOKEN = /^[\x21-\x7e]+$/;

/** If the response has no lifetime, 60 minutes (docs/interface.md, 5). */
const DEFAULT_LIFETIME_S = 3600;

/** What repeats so much of the secret is neither quoted nor kept. */
export const MIN_SECRET_LENGTH = 6;

const CHECK_AUTH_URL = 'Check the Auth URL.';
const SELECT_OTHER_SCOPE = 'Select another Scope, or ask the service to allow it for this client.';

/**
 * The errors of RFC 6749, section 5.2, in terms of the credential's fields, `access_denied` of its
 * section 4.1.2.1, and `invalid_target` of RFC 8707.
 */
const OAUTH_ERRORS: Record<string, Problem> = {
	invalid_client: {
		message: "The service doesn't know this Client ID and Client Secret",
		fix: "Copy both again from the Developers section of the dashboard. The dashboard doesn't show a lost secret again, so create a new client instead.",
	},
	invalid_scope: {
		message: "The service doesn't grant this Scope to the client",
		fix: SELECT_OTHER_SCOPE,
	},
	access_denied: {
		message: 'The service denies this client an access token',
		fix: 'Ask the service which rights the client lacks, or whether it is blocked.',
	},
	invalid_target: {
		message: "The service doesn't issue access tokens for the interface that the client asks for",
		fix: 'Check that Auth URL and Base URL belong to the same service, then ask the service for which interface the client is registered.',
	},
	unauthorized_client: {
		message: "The service doesn't let this client use client credentials",
		fix: 'Check the client in the Developers section of the dashboard.',
	},
	unsupported_grant_type: {
		message: "The service doesn't issue access tokens for client credentials at this Auth URL",
		fix: CHECK_AUTH_URL,
	},
	invalid_request: {
		message: 'The service could not read the access token request',
		fix: 'Check that Client ID, Client Secret, and Scope are filled in.',
	},
};

/** Returns an object without members for what is none. */
function parseObject(text: string): Record<string, unknown> {
	try {
		const parsed: unknown = JSON.parse(text);
		return isObject(parsed) ? parsed : {};
	} catch {
		return {};
	}
}

/** Why there is no token, also later. */
export const permanent = (message: string, fix: string): { problem: TokenProblem } => ({
	problem: { message, fix, temporary: false },
});

/**
 * Reads a response of the token endpoint (docs/interface.md, 2.4 and 4.1, and RFC 6749,
 * section 5.2).
 *
 * @param url the address that was requested, for the message
 * @param secret of the client, which a message never has
 */
export function parseTokenResponse(
	response: TokenEndpointResponse,
	url: string,
	secret: string,
): Result<IssuedToken, TokenProblem> {
	const json = parseObject(response.body);
	const isSuccess = statusSays(response.status) === 'success';
	// Its type doesn't matter: services have many names for a bearer token, such as BearerToken.
	const { access_token: bearerToken, expires_in: lifetime, scope } = json;
	if (!isSuccess || typeof bearerToken !== 'string' || !TOKEN.test(bearerToken))
		return parseRejection(response, json, url, secret);
	return ok({ bearerToken, expiresInSeconds: parseLifetime(lifetime), scope });
}

function parseLifetime(lifetime: unknown): number {
	const isGiven = typeof lifetime === 'number' || (typeof lifetime === 'string' && lifetime !== '');
	const seconds = isGiven ? Number(lifetime) : NaN;
	// 0 isn't an hour.
	return Number.isFinite(seconds) ? Math.max(0, seconds) : DEFAULT_LIFETIME_S;
}

/**
 * Compares the granted scope with the requested one. A service that grants less has to say so
 * (RFC 6749, section 5.1). An empty scope says nothing, and some services separate by commas.
 */
export function findMissingScope(
	credentials: { scope?: unknown },
	{ scope }: IssuedToken,
): Problem | undefined {
	const granted = asText(scope).split(SCOPE_SEPARATOR).filter(Boolean);
	if (granted.length === 0) return undefined;
	const requested = asText(credentials.scope);
	const missing = requested.split(SCOPE_SEPARATOR).filter((value) => !granted.includes(value));
	if (missing.length === 0) return undefined;
	return {
		message: `The service didn't grant all of the Scope "${requested}": ${missing.join(', ')} is missing`,
		fix: SELECT_OTHER_SCOPE,
	};
}

const SCOPE_SEPARATOR = /[\s,]+/;

/**
 * Reads a response without a token. Its free text can contain the secret, so it's quoted only where
 * nothing else says what is wrong, in an outage.
 */
function parseRejection(
	response: TokenEndpointResponse,
	json: Record<string, unknown>,
	url: string,
	secret: string,
): Result<IssuedToken, TokenProblem> {
	const { status } = response;
	const error = asText(json.error);
	const isKnown = Object.hasOwn(OAUTH_ERRORS, error);
	const what = describe(response);
	// With a limit or an outage, such as 429 with invalid_request, it isn't about the client.
	if (isNotNow(status)) {
		const reason = quoteReason(response, json, secret) || (isKnown ? `"${error}"` : '');
		const message = `The token endpoint ${url} can't respond at the moment (${what}${reason && `: ${reason}`})`;
		const waitMs = statedWait(response, Date.now());
		return { problem: { message, fix: 'Try again in a minute.', temporary: true, waitMs } };
	}
	if (isKnown) {
		const { message, fix } = OAUTH_ERRORS[error];
		return permanent(`${message} (${error}, status ${status})`, fix);
	}
	if (isRedirect(status))
		return permanent(
			`${url} redirects to another address`,
			"Enter the final address as Auth URL: the secret isn't sent to an address that you didn't enter.",
		);
	switch (statusSays(status)) {
		case 'success':
		case 'multiStatus':
			return permanent(`${url} responded without an access token (${what})`, CHECK_AUTH_URL);
		case 'noSuchPath':
		case 'wrongMethod':
			return permanent(`There is no token endpoint at ${url} (${what})`, CHECK_AUTH_URL);
		default:
			return permanent(
				`${url} rejected the access token request (${what})`,
				`Check Auth URL, Client ID, Client Secret, and Scope. ${MAY_BE_BLOCKED}`,
			);
	}
}

const describe = (response: TokenEndpointResponse): string =>
	`status ${response.status}${isWebPage(response) ? ', with a web page' : ''}`;

/**
 * Quotes what a body says, unless it's a web page, or repeats the request: the secret, as it is or
 * as the form has it. The beginning of it is enough, because the body can be cut off.
 */
function quoteReason(
	response: TokenEndpointResponse,
	json: Record<string, unknown>,
	secret: string,
): string {
	if (isWebPage(response)) return '';
	const { status, body } = response;
	const isJson = Object.keys(json).length > 0;
	const words = quoteWords({ status, headers: {}, body: isJson ? json : body });
	const texts = `${body} ${words}`.toLowerCase();
	const forms = [secret, new URLSearchParams([['', secret]]).toString().slice(1)];
	const isRepeated = forms.some((form) =>
		texts.includes(form.slice(0, MIN_SECRET_LENGTH).toLowerCase()),
	);
	return isRepeated ? '' : words;
}
