import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { asSentences } from '../shared/result';
import { readVerifier } from './signature/verify';

/**
 * Checks the form of the secret when the user saves the credential. Only a delivery can show
 * whether the secret is the right one, which a notice in the credential says.
 */
export async function paymentsWebhookApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { problem } = readVerifier(credential.data ?? {});
	return problem
		? { status: 'Error', message: asSentences(problem) }
		: { status: 'OK', message: 'The form of the secret was checked.' };
}
