import { validatorOf } from '../../sandbox/contract';

const validate = validatorOf('Transaction');

/** What the contract of the service (sandbox/openapi.yaml) has against a body of the create-transaction operation; empty when nothing. */
export const contractAccepts = (body: unknown): string[] =>
	validate(body)
		? []
		: (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
