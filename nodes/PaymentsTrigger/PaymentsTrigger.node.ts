import {
	fromParameter,
	webhookDescriptionFields,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { checkSetup, paymentsWebhookApiTest } from './activation';
import { outputsFor } from './events/outputs';
import { fields } from './description';
import { handleDelivery } from './webhook';

// Read without the expression engine, once per delivery, where n8n offers it; older ones know only the expression.
const responseMode = webhookDescriptionFields?.({
	responseMode: fromParameter('responseMode'),
}) ?? { responseMode: '={{$parameter["responseMode"]}}' };

const steps = `
<ol>
<li>Copy the <b>test URL</b> and press <b>Execute step</b> to listen, or copy the <b>production URL</b> and publish (activate) the workflow.</li>
<li>In the dashboard of the service, under Webhooks, register that URL with the events chosen under Trigger On, and put the endpoint's secret into the credential.</li>
<li>Send an event: let one happen, or in the sandbox of this package press Send at the endpoint.</li>
</ol>`;

export class PaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payments Trigger',
		name: 'paymentsTrigger',
		icon: { light: 'file:../../icons/payments.svg', dark: 'file:../../icons/payments.dark.svg' },
		group: ['trigger'],
		// Not 1: for a trigger of version 1, n8n evaluates an expression of its own in every delivery.
		version: 1.1,
		subtitle:
			'={{ $parameter["events"].includes("*") ? "All events" : $parameter["events"].join(", ") }}',
		// In the editor's list of nodes it stands for both nodes.
		description:
			'Record transactions with a payments service, and start workflows from its signed events',
		eventTriggerDescription: 'Waiting for the service to deliver an event to the test URL',
		activationMessage: 'The service can now deliver events to your production webhook URL.',
		defaults: { name: 'Payments Trigger' },
		triggerPanel: {
			header: 'Listen for an event at the test URL',
			executionsHelp: {
				inactive: steps,
				active: `${steps} The runs of an active workflow are in the <a data-key="executions">executions list</a>.`,
			},
			activationHint:
				'Publish (activate) the workflow to receive events at the production URL without pressing the button.',
		},
		inputs: [],
		outputs: `={{(${outputsFor.toString()})($parameter)}}` as `={{${string}}}`,
		credentials: [
			{
				name: 'paymentsWebhookApi',
				required: true,
				testedBy: 'paymentsWebhookApiTest',
				displayOptions: { show: { authentication: ['paymentsWebhookApi'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				...responseMode,
				// The sender gets no data of the workflow, and a workflow that ends without items is no failure.
				responseData: 'noData',
			},
		],
		properties: fields,
	};

	methods = { credentialTest: { paymentsWebhookApiTest } };

	webhookMethods = {
		default: {
			// The API of the service tells nothing about endpoints; "not there" makes n8n call create at every activation.
			checkExists: async () => await Promise.resolve(false),
			create: async function (this: IHookFunctions) {
				return await checkSetup.call(this);
			},
			// Nothing was registered, so nothing is to be taken away.
			delete: async () => await Promise.resolve(true),
		},
	};

	webhook = handleDelivery;
}
