import { rows } from './workflow';

/* Nodes that several jobs have. */

export const settings = (more: Record<string, unknown> = {}) =>
	rows('Settings', 'settings', [], 'allConditions', more);

/** Calls the job Check payments with all items. */
export const checkPayments = () => ({
	name: 'Check Payments',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: {
		workflowId: { __rl: true, mode: 'list', value: '', cachedResultName: 'Check payments' },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value: {},
			matchingColumns: [],
			schema: [],
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
		mode: 'once',
		options: { waitForSubWorkflow: true },
	},
});

/** The parameters of the Payments node for an item that has the columns of `payments`. */
export const TRANSACTION = {
	specifyTransaction: 'fields',
	senderExternalEntityId: '={{ $json.senderEntity }}',
	senderExternalPaymentChannelId: '={{ $json.senderAccount }}',
	senderCountryCode: '={{ $json.senderCountry }}',
	recipientExternalEntityId: '={{ $json.supplier }}',
	recipientExternalPaymentChannelId: '={{ $json.account }}',
	recipientCountryCode: '={{ $json.country }}',
	amount: '={{ $json.amount }}',
	currency: '={{ $json.currency }}',
	reference: '={{ $json.invoice }}',
	paymentScheme: '={{ $json.method }}',
	externalId: '={{ $json.externalId }}',
	additionalFields: { eventId: '={{ $json.externalId }}' },
};

/** Calls the job Ask for payments with all items. */
export const askForPayments = () => ({
	...checkPayments(),
	name: 'Ask for Payments',
	parameters: {
		...checkPayments().parameters,
		workflowId: { __rl: true, mode: 'list', value: '', cachedResultName: 'Ask for payments' },
	},
});
