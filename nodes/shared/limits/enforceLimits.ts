import { UserError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { transactionsUrl } from '../serviceUrl';
import { limitRequest, type OutgoingRequest } from './limitRequest';
import { parseLimits } from './transactionLimits';

const rejections = new WeakMap<ICredentialDataDecryptedObject, UserError>();

/**
 * Applies the limits of the credential to a request. Without limits the request is returned as it is.
 *
 * @throws UserError when the request must not be sent; the message is for the user and contains no secret
 */
export function enforceLimits<T extends OutgoingRequest>(
	credentials: ICredentialDataDecryptedObject,
	request: T,
): T {
	const { limits, problem } = parseLimits(credentials);
	if (problem !== undefined) throw reject(credentials, problem);
	if (!limits) return request;
	const service = transactionsUrl(credentials);
	if (service.problem !== undefined) throw reject(credentials, service.problem);
	const limited = limitRequest(request, limits, service.url);
	if (limited.problem !== undefined) throw reject(credentials, limited.problem);
	rejections.delete(credentials);
	return limited.request;
}

function reject(credentials: ICredentialDataDecryptedObject, message: string): UserError {
	const error = new UserError(message);
	rejections.set(credentials, error);
	return error;
}

/**
 * Throws the rejection of `enforceLimits` once more when n8n asks for a token because of it: after any error, n8n's older HTTP helper requests
 * a new token and repeats the request, so 200 rejected items would make 200 token requests.
 */
export function throwIfRejected(credentials: ICredentialDataDecryptedObject): void {
	const error = rejections.get(credentials);
	rejections.delete(credentials);
	if (error) throw error;
}
