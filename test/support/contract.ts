import { validatorOf } from '../../sandbox/contract';

const validate = validatorOf('Transaction');

/**
 * Validates a request body against the contract of the service (sandbox/openapi.yaml). Returns what
 * is wrong; empty when valid.
 */
export const contractAccepts = (body: unknown): string[] =>
	validate(body)
		? []
		: (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
