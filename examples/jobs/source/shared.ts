import { node, rows, type Node } from './workflow';

/* Nodes that several jobs have. */

export const settings = (more: Record<string, unknown> = {}) =>
	rows('Settings', 'settings', [], 'allConditions', more);

/** Reads the rows of an uploaded spreadsheet or CSV file, and goes on if it can't be read. */
export const readCells = (name: string) =>
	node(
		name,
		'extractFromFile',
		1.1,
		{
			operation: 'xlsx',
			binaryPropertyName: 'File',
			options: { headerRow: false, range: '0', rawData: true },
		},
		{ onError: 'continueRegularOutput', alwaysOutputData: true },
	);

/** Calls another job, with all items or with these values. Its file is its ID. */
const call = (
	name: string,
	[value, cachedResultName]: [file: string, name: string],
	values: Record<string, string> = {},
): Node => ({
	name,
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: {
		workflowId: { __rl: true, mode: 'list', value, cachedResultName },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value: values,
			matchingColumns: [],
			schema: Object.keys(values).map((id) => ({
				...{ id, displayName: id, type: 'string', required: false, display: true },
				...{ defaultMatch: false, removed: false, canBeUsedToMatch: true },
			})),
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
		mode: 'once',
		options: { waitForSubWorkflow: true },
	},
});

export const checkPayments = () => call('Check Payments', ['check-payments', 'Check payments']);

export const askForPayments = () =>
	call('Ask for Payments', ['ask-for-payments', 'Ask for payments']);

export const LOG_VALUES = ['who', 'what', 'from', 'to', 'run'] as const;

/** Adds an entry to the log, unless `what` is empty. The whole log comes out. */
export const log = (
	name: string,
	entry: Partial<Record<(typeof LOG_VALUES)[number], string>> = {},
): Node => ({
	...call(
		name,
		['payment-log', 'Payment log'],
		Object.fromEntries(LOG_VALUES.map((value) => [value, entry[value] ?? ''])),
	),
	executeOnce: true,
});

export const RUN_VALUES = [
	'job',
	'requestedBy',
	'fileName',
	'fileHash',
	'content',
	'rows',
] as const;

/** Saves a payout run with its payments, which come out. */
export const savePayoutRun = (
	values: Partial<Record<(typeof RUN_VALUES)[number], string>>,
): Node => ({
	...call(
		'Save Payout Run',
		['save-payout-run', 'Save payout run'],
		Object.fromEntries(RUN_VALUES.map((value) => [value, values[value] ?? ''])),
	),
	executeOnce: true,
});

/** In an expression: whether the address of who signed in is one of an approver. */
export const isApprover = (user: string) =>
	`$('Settings').all().some(({ json }) => json.setting === 'approver' && json.value.trim().toLowerCase() === ${user})`;

/** In an expression: the address of who signed in. */
export const userOf = (form: string) =>
	`String($('${form}').first().json.user?.email ?? '').toLowerCase()`;

/** In an expression: the amount of the item as people read it. See parts/money.js. */
export const MONEY =
	"$json.currency + ' ' + $json.amount.replace(/^\\d+/, (whole) => whole.replace(/\\B(?=(\\d{3})+$)/g, ','))";

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
