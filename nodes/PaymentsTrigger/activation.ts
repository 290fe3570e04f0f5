import {
	NodeOperationError,
	type IHookFunctions,
	type INodeParameters,
	type NodeTypeAndVersion,
} from 'n8n-workflow';

import { asSentences } from '../shared/result';
import { checkSelectedEvents } from './events/selectedEvents';
import { readVerifier, type WebhookCredential } from './signature/verify';

/** Shorter waits of the Wait node stay in memory instead of pausing (its own code: 65,000 ms). */
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
 * Tells whether a node pauses the execution, so that n8n stores it and continues later: a Wait
 * node, or an operation such as "Send and Wait for Response" (`sendAndWait`) or "Dispatch and Wait
 * for Completion" (`dispatchAndWait`).
 */
function pauses({ type, disabled, parameters = {} }: NodeTypeAndVersion): boolean {
	if (disabled) return false;
	if (type === 'n8n-nodes-base.wait') return !isShortWait(parameters);
	const { operation } = parameters;
	return typeof operation === 'string' && operation.endsWith('AndWait');
}

/**
 * Warns in n8n's log when n8n would respond before the workflow has finished. n8n ends a request as
 * soon as an execution pauses, with the same 200 as for a success (executeWebhook in its
 * webhook-helpers), so the service doesn't retry an event whose execution fails later.
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
 * Checks that the trigger can accept deliveries, when the workflow is published or listens for a
 * test event. The endpoint itself is registered in the service's dashboard, not over its API
 * (service interface, sections 5 and 6).
 *
 * @throws NodeOperationError that names the parameter and the fix
 */
export async function checkSetup(this: IHookFunctions): Promise<boolean> {
	const node = this.getNode();
	const noEvents = checkSelectedEvents(this.getNodeParameter('events'));
	if (noEvents) throw new NodeOperationError(node, asSentences(noEvents));
	warnAboutPauses(this);

	if (this.getNodeParameter('authentication') === 'none') return true;
	if (!node.credentials?.paymentsWebhookApi) {
		throw new NodeOperationError(
			node,
			"No credential is selected. Select or create a Payments Webhook API credential with the secret of the webhook endpoint, or set 'Authentication' to None.",
		);
	}
	const credential = await this.getCredentials<WebhookCredential>('paymentsWebhookApi');
	const { problem } = readVerifier(credential);
	if (problem) {
		throw new NodeOperationError(
			node,
			`The Payments Webhook API credential can't verify a signature. ${asSentences(problem)}`,
		);
	}
	return true;
}
