import {
	NodeConnectionTypes,
	NodeOperationError,
	fromParameter,
	webhookDescriptionFields,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IHookFunctions,
	type INodeCredentialTestResult,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { asSentences } from '../shared/result';
import { outputFields, properties, steps } from './description';
import { placeOf } from './logPlace';
import { readSettings } from './settings';
import { readVerifier } from './signature/verify';
import { handleDelivery } from './webhook';

// With `fromParameter`, n8n reads the parameters without its expression engine. Older versions know
// only the expressions. An empty path makes n8n use the ID of the node, and none would be refused.
const fromParameters = webhookDescriptionFields?.({
	path: fromParameter(['options', 'path'], ''),
	responseMode: fromParameter('responseMode'),
}) ?? {
	path: '={{$parameter["options"]["path"] || ""}}',
	responseMode: '={{$parameter["responseMode"]}}',
};

export class PaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payments Trigger',
		name: 'paymentsTrigger',
		icon: { light: 'file:../../icons/payments.svg', dark: 'file:../../icons/payments.dark.svg' },
		group: ['trigger'],
		// Not 1: for a trigger of version 1, n8n evaluates an expression of its own with each delivery.
		version: 1.1,
		// `flat()` because an expression can give text in place of a list.
		subtitle:
			'={{ [$parameter["events"]].flat().includes("*") ? "All events" : [$parameter["events"]].flat().join(", ") }}',
		// The nodes panel shows this text for both nodes of the package.
		description:
			'Create transactions in a payments service, and start workflows from its signed events',
		eventTriggerDescription: 'Waiting for the service to deliver an event to the test URL',
		activationMessage: 'The service can now deliver events to your production webhook URL.',
		defaults: { name: 'Payments Trigger' },
		triggerPanel: {
			// While it listens, n8n says "Go to Payments", after the name of the node.
			header: "Listen at the test URL, then send a test event in the service's dashboard",
			executionsHelp: {
				inactive: steps,
				active: `${steps} The executions of a published workflow are in the <a data-key="executions">executions list</a>.`,
			},
			activationHint:
				'Publish the workflow to receive events at the production URL without listening here.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				"Starts a workflow on events of the payments service about its own payments, returns, and accounts, such as 'PAYMENT.STATUS_UPDATED'. Each item is one event with event (its type), data (what it is about, with its id and status), and previousValues. It can arrive more than once, and events come in any order: go by what an event says, and not by which came last.",
			extraTypeDefContent: outputFields.map((content) => ({ content })),
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint: 'Branch on {{ $json.event }} or {{ $json.data.status }}',
				},
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint:
						"Upsert by {{ $json.id }} to keep each event once, if id is the event's and not the payment's. rowExists and rowNotExists only compare for equality, whatever their conditions say: for later events, get the rows. Choose the table by ID.",
				},
			],
		},
		credentials: [
			{
				name: 'paymentsWebhookApi',
				required: true,
				testedBy: 'paymentsWebhookApiTest',
				displayOptions: { show: { authentication: ['webhookSignature'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				isFullPath: true,
				...fromParameters,
				// The sender gets no data of the workflow. One that ends without items has succeeded.
				responseData: 'noData',
			},
		],
		properties,
	};

	methods = {
		credentialTest: {
			/**
			 * Checks the form of the secret when the user saves the credential. Only a delivery can show
			 * whether the secret is the right one, which a notice in the credential says.
			 */
			async paymentsWebhookApiTest(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { value, problem } = readVerifier(credential.data ?? {});
				const wrong = problem ?? value.previousProblem;
				return wrong
					? { status: 'Error', message: asSentences(wrong) }
					: { status: 'OK', message: 'The form of the secret was checked.' };
			},
		},
	};

	webhookMethods = {
		default: {
			// The service's API has no endpoints for webhooks. "Doesn't exist" makes n8n call create
			// each time the workflow is published.
			checkExists: async () => await Promise.resolve(false),
			async create(this: IHookFunctions) {
				const problem = await findSetupProblem(this);
				if (problem !== undefined) throw new NodeOperationError(this.getNode(), problem);
				return true;
			},
			// Nothing was registered with the service.
			delete: async () => await Promise.resolve(true),
		},
	};

	webhook = handleDelivery;
}

/**
 * Says why the trigger can't accept deliveries, when the workflow is published or listens for a
 * test event. The endpoint itself is registered in the service's dashboard, not over its API
 * (docs/interface.md, 5 and 6).
 *
 * @returns names the parameter and the fix
 */
async function findSetupProblem(context: IHookFunctions): Promise<string | undefined> {
	const settings = readSettings((name, fallback) => context.getNodeParameter(name, fallback));
	if (settings.problem) return asSentences(settings.problem);
	if (!settings.value.isVerified) return undefined;
	if (!context.getNode().credentials?.paymentsWebhookApi)
		return "No credential is selected. Select or create a Payments Webhook API credential with the secret of the webhook endpoint, or set 'Authentication' to None.";
	const { value, problem } = readVerifier(await context.getCredentials('paymentsWebhookApi'));
	if (problem)
		return `The Payments Webhook API credential can't verify a signature. ${asSentences(problem)}`;
	if (value.previousProblem) {
		// It isn't thrown: the Signing Secret verifies without it.
		const reason = asSentences(value.previousProblem);
		context.logger.warn(`Payments Trigger (${placeOf(context)}): ${reason}`);
	}
	return undefined;
}
