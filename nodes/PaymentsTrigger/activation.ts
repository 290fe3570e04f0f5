import {
	NodeOperationError,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IHookFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { outputsFor, type OutputParameters } from './events/outputs';
import { checkWebhookCredential, type WebhookCredential } from './signature/verify';

/**
 * Called when the workflow is activated, or listens for a test event. The endpoint itself is registered in the dashboard
 * of the service, not over its API (service interface, section 5 and 6); what can be checked is that the trigger is able to let anybody in.
 *
 * @throws NodeOperationError in words that say what to set
 */
export async function checkSetup(this: IHookFunctions): Promise<boolean> {
	const choice: OutputParameters = {
		events: this.getNodeParameter('events', []) as string[],
		options: this.getNodeParameter('options', {}) as OutputParameters['options'],
	};
	if (outputsFor({ ...choice, options: { ...choice.options, outputPerKind: true } }).length === 0) {
		throw new NodeOperationError(
			this.getNode(),
			'No event is chosen. Choose at least one under Trigger On.',
		);
	}
	if (this.getNodeParameter('authentication') === 'none') return true;
	if (!this.getNode().credentials?.paymentsWebhookApi) {
		throw new NodeOperationError(
			this.getNode(),
			'Signatures are to be verified, but no credential is chosen. Choose or create a Payments Webhook API credential with the secret of the webhook endpoint, or set Verify Signature to None.',
		);
	}
	const problem = checkWebhookCredential(
		await this.getCredentials<WebhookCredential>('paymentsWebhookApi'),
	);
	if (problem)
		throw new NodeOperationError(
			this.getNode(),
			`The Payments Webhook API credential cannot verify a signature. ${problem}`,
		);
	return true;
}

/** The Test button of the credential. No call can tell whether a secret is the right one; its form can be checked here. */
export async function paymentsWebhookApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = checkWebhookCredential(credential.data ?? {});
	return problem
		? { status: 'Error', message: problem }
		: {
				status: 'OK',
				message:
					'The secret has the right form. Send a test event from the service to see that it is the right one.',
			};
}
