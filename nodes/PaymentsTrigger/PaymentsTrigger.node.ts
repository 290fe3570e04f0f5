import {
	NodeConnectionTypes,
	fromParameter,
	webhookDescriptionFields,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { checkSetup, paymentsWebhookApiTest } from './activation';
import { properties } from './description';
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

const steps = `
<ol>
<li>Copy the <b>test URL</b> and select <b>Execute step</b> to listen. For production, copy the <b>production URL</b> and publish the workflow.</li>
<li>In the service's dashboard, under Webhooks, register that URL with the event types selected under Trigger On. Put the endpoint's secret into the credential.</li>
<li>In the service's dashboard, open that endpoint and send a test event. In the sandbox of this package, select Webhooks, then Send, or create a transaction.</li>
</ol>
<p>If the URL must stay the same when this node is copied, added anew, or imported elsewhere, add the option <b>Path</b>.</p>`;

/** What AI builders read in the node's type definition, where n8n makes a comment of it. */
const outputFields = [
	`Each item is one event, as the service delivered it:
{ event, data, id, previousValues, createdAt }; times are ms since 1970, amounts are text.
previousValues has the old values of what changed: { status: "PROCESSING" }.
VIRTUAL_ACCOUNT.*: data.label, data.currency, data.bankDetails.iban, data.status (CREATED, ACTIVE,
  ACTIVATION_FAILED, BLOCKED, UNBLOCKING, CLOSED; ACTIVE again after BLOCKED).
FIAT_ACCOUNT.*: the same, and data.balance.`,
	`PAYMENT.*, of the service's own payments: data.id, data.status (CREATED, PROCESSING, then
  COMPLETED; or REJECTED, FAILED, RETURNED, COMPLIANCE_REVIEW, AWAITING_APPROVAL), data.fromId,
  data.toId, data.amount, data.currency, data.reference, data.direction (PAYIN, PAYOUT, TRANSFER),
  data.metadata.externalId (the External ID, if the service sends it). By that, and not by the
  direction, recognize the payment of a transaction. No name of a party, and no reason of a return.`,
	`RETURN.*: data.paymentId, data.amount, data.currency, no External ID: to find what came back by
  it, use PAYMENT.STATUS_UPDATED with data.status RETURNED.`,
];

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
						"Upsert by {{ $json.id }} to keep each event once, if id is the event's and not the payment's. rowExists and rowNotExists only compare for equality, whatever their conditions say: for later events, get the rows. Choose the table by ID: by name, n8n takes any whose name contains it.",
				},
				{
					nodeType: 'n8n-nodes-payments.payments',
					relationHint: 'Records transactions with the same service',
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

	methods = { credentialTest: { paymentsWebhookApiTest } };

	webhookMethods = {
		default: {
			// The service's API has no endpoints for webhooks. "Doesn't exist" makes n8n call create
			// each time the workflow is published.
			checkExists: async () => await Promise.resolve(false),
			create: async function (this: IHookFunctions) {
				return await checkSetup.call(this);
			},
			// Nothing was registered with the service.
			delete: async () => await Promise.resolve(true),
		},
	};

	webhook = handleDelivery;
}
