import {
	NodeOperationError,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IHookFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { asSentences } from '../shared/result';
import { readSettings } from './settings';
import { readVerifier } from './signature/verify';

/**
 * Checks that the trigger can accept deliveries, when the workflow is published or listens for a
 * test event. The endpoint itself is registered in the service's dashboard, not over its API
 * (docs/interface.md, 5 and 6).
 *
 * @throws NodeOperationError that names the parameter and the fix
 */
export async function checkSetup(this: IHookFunctions): Promise<boolean> {
	const node = this.getNode();
	const settings = readSettings((name, fallback) => this.getNodeParameter(name, fallback));
	if (settings.problem) throw new NodeOperationError(node, asSentences(settings.problem));

	if (!settings.value.isVerified) return true;
	if (!node.credentials?.paymentsWebhookApi) {
		throw new NodeOperationError(
			node,
			"No credential is selected. Select or create a Payments Webhook API credential with the secret of the webhook endpoint, or set 'Authentication' to None.",
		);
	}
	const { problem } = readVerifier(await this.getCredentials('paymentsWebhookApi'));
	if (problem) {
		throw new NodeOperationError(
			node,
			`The Payments Webhook API credential can't verify a signature. ${asSentences(problem)}`,
		);
	}
	return true;
}

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
