import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorCodeOf, ServiceError } from '../state/serviceError';
import { warningsOf } from './validation';

/** The message names so many problems; the warnings name all of them. */
const NAMED = 3;

/** What fastify itself refuses, in the service's words; by fastify's own error codes. */
const byCode: Record<
	string,
	[status: number, errorCode: string, message: (error: FastifyError) => string]
> = {
	FST_ERR_CTP_INVALID_MEDIA_TYPE: [
		415,
		'UNSUPPORTED_MEDIA_TYPE',
		() => 'The content type of the body is not one that this path takes.',
	],
	FST_ERR_BAD_URL: [400, 'INVALID_REQUEST_DATA', () => 'The address is not a valid one.'],
	FST_ERR_CTP_BODY_TOO_LARGE: [413, 'BODY_TOO_LARGE', () => 'The body is too large.'],
	FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'INVALID_REQUEST_DATA', () => 'The body is empty.'],
	FST_ERR_CTP_INVALID_JSON_BODY: [400, 'INVALID_REQUEST_DATA', () => 'The body is not valid JSON.'],
};

/** Any error as a problem of the service's own form (public practice, Answers of the API). */
export function asServiceError(error: FastifyError | ServiceError): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error.validation) {
		const warnings = warningsOf(error.validation);
		const where = error.validationContext === 'body' ? 'The body' : 'The address';
		const named = warnings
			.slice(0, NAMED)
			.map(({ position, issue }) => `${position || 'as a whole'}: ${issue}`);
		if (warnings.length > NAMED) named.push(`and ${warnings.length - NAMED} more`);
		return new ServiceError(
			400,
			'INVALID_REQUEST_DATA',
			`${where} is not valid: ${named.join('; ')}.`,
			warnings,
		);
	}
	const known = byCode[error.code];
	if (known) return new ServiceError(known[0], known[1], known[2](error));
	const status = error.statusCode ?? 500;
	return new ServiceError(
		status,
		status === 400 ? 'INVALID_REQUEST_DATA' : errorCodeOf(status),
		error.message,
	);
}

/** Answers in the service's own form. */
export function sendServiceError(
	error: FastifyError | ServiceError,
	_request: FastifyRequest,
	reply: FastifyReply,
): void {
	const { status, errorCode, message, warnings } = asServiceError(error);
	if (status === 401) void reply.header('www-authenticate', 'Bearer error="invalid_token"');
	if (status >= 500) console.error(error.stack);
	void reply.code(status).send({ errorCode, message, ...(warnings && { warnings }) });
}

/** Answers in OAuth's form, RFC 6749, section 5.2. */
export function sendTokenError(
	error: FastifyError | ServiceError,
	_request: FastifyRequest,
	reply: FastifyReply,
): void {
	const wrongGrant =
		'validation' in error &&
		error.validation?.some(
			({ keyword, instancePath }) => keyword === 'enum' && instancePath === '/grant_type',
		);
	const { status, errorCode, message } = asServiceError(error);
	// Our own problems on this path carry OAuth's codes already, which are in lower case.
	const given = /^[a-z_]+$/.test(errorCode)
		? errorCode
		: status >= 500
			? 'server_error'
			: 'invalid_request';
	void reply
		// The section knows 400 and 401 only; a wrong content type is an invalid request.
		.code(status === 415 ? 400 : status)
		.header('cache-control', 'no-store')
		.send({ error: wrongGrant ? 'unsupported_grant_type' : given, error_description: message });
}
