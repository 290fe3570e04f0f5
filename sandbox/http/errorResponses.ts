import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorCodeOf, ServiceError } from '../state/serviceError';
import { warningsOf } from './validation';

/** The message names this many invalid fields; the warnings name all of them. */
const MAX_NAMED_WARNINGS = 3;

/** The error of a request that doesn't match the contract. */
function validationError(error: FastifyError): ServiceError {
	const warnings = warningsOf(error.validation ?? []);
	const part = error.validationContext === 'body' ? 'The body' : 'The URL';
	const named = warnings
		.slice(0, MAX_NAMED_WARNINGS)
		.map(({ position, issue }) => `${position || 'as a whole'}: ${issue}`);
	if (warnings.length > MAX_NAMED_WARNINGS)
		named.push(`and ${warnings.length - MAX_NAMED_WARNINGS} more`);
	return new ServiceError(
		400,
		'INVALID_REQUEST_DATA',
		`${part} isn't valid: ${named.join('; ')}.`,
		warnings,
	);
}

/** Converts any error to the service's own form (docs/interface.md, 10.4). */
function asServiceError(error: FastifyError | ServiceError): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error.validation) return validationError(error);
	const status = error.statusCode ?? 500;
	const errorCode = status === 400 ? 'INVALID_REQUEST_DATA' : errorCodeOf(status);
	return new ServiceError(status, errorCode, error.message);
}

/** Sends an error in the service's own form. */
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

/** Sends an error in OAuth's form (RFC 6749, section 5.2). */
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
	void reply
		// RFC 6749 defines 400 and 401 only; a wrong content type is an invalid request.
		.code(status === 415 ? 400 : status)
		.header('cache-control', 'no-store')
		.send({
			error: wrongGrant ? 'unsupported_grant_type' : oauthCodeOf(status, errorCode),
			error_description: message,
		});
}

/** The sandbox's own errors of this path have OAuth's codes already, which are in lower case. */
function oauthCodeOf(status: number, errorCode: string): string {
	if (/^[a-z_]+$/.test(errorCode)) return errorCode;
	return status >= 500 ? 'server_error' : 'invalid_request';
}
