import {
	NodeOperationError,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IHookFunctions,
	type INodeCredentialTestResult,
	type INodeParameters,
	type NodeTypeAndVersion,
} from 'n8n-workflow';

import { checkSelectedEvents } from './events/selectedEvents';
import { checkWebhookCredential, type WebhookCredential } from './signature/verify';

/** Up to this many seconds the Wait node keeps an execution in memory (its own code: 65,000 ms) instead of pausing it. */
const SHORT_WAIT_SECONDS = 65;

const SECONDS_BY_UNIT: Record<string, number> = {
	seconds: 1,
	minutes: 60,
	hours: 3600,
	days: 86_400,
};

function isShortWait({ resume, amount, unit }: INodeParameters): boolean {
	// NaN, which isn't less, while the amount or the unit is an expression.
	const seconds = Number(amount) * SECONDS_BY_UNIT[unit as string];
	return resume === 'timeInterval' && seconds < SHORT_WAIT_SECONDS;
}

/**
 * Tells whether a node pauses the execution, so that n8n stores it and continues later: a Wait node, or an operation such
 * as "Send and Wait for Response" (`sendAndWait`) or "Dispatch and Wait for Completion" (`dispatchAndWait`).
 */
function pauses({ type, disabled, parameters = {} }: NodeTypeAndVersion): boolean {
	if (disabled) return false;
	if (type === 'n8n-nodes-base.wait') return !isShortWait(parameters);
	const { operation } = parameters;
	return typeof operation === 'string' && operation.endsWith('AndWait');
}

/**
 * Warns in n8n's log when n8n would respond before the workflow has finished. n8n ends a request as soon as an execution
 * pauses, with the same 200 as for a success (executeWebhook in its webhook-helpers), so a later failure is not retried.
 */
function warnAboutPauses(context: IHookFunctions) {
	if (context.getNodeParameter('responseMode') !== 'lastNode') return;
	const node = context.getNode();
	const names = context
		.getChildNodes(node.name, { includeNodeParameters: true })
		.filter(pauses)
		.map(({ name }) => `'${name}'`);
	if (names.length === 0) return;
	context.logger.warn(
		`Payments Trigger: n8n responds to a delivery with 200 as soon as the workflow pauses at ${names.join(', ')}. The service doesn't retry an event whose execution fails after that.`,
		{ workflowId: context.getWorkflow().id, nodeName: node.name },
	);
}

/**
 * Checks, when the workflow is published or listens for a test event, that the trigger can accept deliveries. The endpoint
 * itself is registered in the service's dashboard, not over its API (service interface, sections 5 and 6).
 *
 * @throws NodeOperationError that names the parameter and the fix
 */
export async function checkSetup(this: IHookFunctions): Promise<boolean> {
	const node = this.getNode();
	const eventsIssue = checkSelectedEvents(this.getNodeParameter('events'));
	if (eventsIssue) throw new NodeOperationError(node, eventsIssue);
	warnAboutPauses(this);

	if (this.getNodeParameter('authentication') === 'none') return true;
	if (!node.credentials?.paymentsWebhookApi) {
		throw new NodeOperationError(
			node,
			"No credential is selected. Select or create a Payments Webhook API credential with the secret of the webhook endpoint, or set 'Authentication' to None.",
		);
	}
	const credential = await this.getCredentials<WebhookCredential>('paymentsWebhookApi');
	const credentialIssue = checkWebhookCredential(credential);
	if (credentialIssue) {
		throw new NodeOperationError(
			node,
			`The Payments Webhook API credential can't verify a signature. ${credentialIssue}`,
		);
	}
	return true;
}

/**
 * Tests the credential when the user saves it. Only a delivery can show whether a secret is the right one; its form is
 * checked here.
 */
export async function paymentsWebhookApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const issue = checkWebhookCredential(credential.data ?? {});
	if (issue) return { status: 'Error', message: issue };
	return {
		status: 'OK',
		message:
			'The secret has the right form. Send a test event from the service to see that it is the right one.',
	};
}
