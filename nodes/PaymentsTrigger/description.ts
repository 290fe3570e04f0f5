import type { INodeProperties } from 'n8n-workflow';

import { collection } from '../shared/collection';
import { ALL_EVENTS, DEFAULT_TOLERANCE_MINUTES, MAX_MINUTES } from './settings';

/** The event types that the service recommends as a minimum (docs/interface.md, 6). */
export const recommendedEventTypes = [
	'PAYMENT.STATUS_UPDATED',
	'PAYMENT.CREATED',
	'VIRTUAL_ACCOUNT.STATUS_UPDATED',
];

/**
 * The other event types seen in public, by the object that they are about (docs/interface.md,
 * 10.2). Those of payments come first, because that's what most workflows wait for: by the
 * alphabet, the list would begin with the crypto wallets of businesses.
 */
const OTHER_CHANGES_BY_SUBJECT = {
	PAYMENT: 'UPDATED METADATA_UPDATED PROCESSED_PAYMENT_SCHEME_UPDATED',
	RETURN: 'STATUS_UPDATED CREATED UPDATED',
	PAYEE: 'STATUS_UPDATED CREATED DELETED',
	VIRTUAL_ACCOUNT: 'CREATED BANK_DETAILS_UPDATED LABEL_UPDATED METADATA_UPDATED UPDATED',
	FIAT_ACCOUNT:
		'STATUS_UPDATED BALANCE_UPDATED CREATED BANK_DETAILS_UPDATED LABEL_UPDATED METADATA_UPDATED TAGS_UPDATED UPDATED',
	INDIVIDUAL_END_USER:
		'STATUS_UPDATED CREATED PERSONAL_DETAILS_UPDATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED UPDATED',
	BUSINESS_END_USER:
		'STATUS_UPDATED CREATED DELETED BUSINESS_DETAILS_UPDATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED UPDATED',
};

const otherEventTypes = Object.entries(OTHER_CHANGES_BY_SUBJECT).flatMap(([subject, changes]) =>
	changes.split(' ').map((change) => `${subject}.${change}`),
);

const toWords = (constant: string) => constant.toLowerCase().replace(/[_.]/g, ' ');

const toTitleCase = (constant: string) =>
	toWords(constant).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Describes a change. `X.UPDATED` stands for any change of X, `X.Y_UPDATED` only for one of Y. */
function describeChange(eventType: string): string {
	const [subject, change] = eventType.split('.');
	const article = /^[AEIOU]/.test(subject) ? 'an' : 'a';
	const noun = `${article} ${toWords(subject)}`;
	if (change === 'UPDATED') return `anything about ${noun} changed`;
	if (change.endsWith('_UPDATED')) {
		const part = toWords(change.slice(0, -'_UPDATED'.length));
		return `the ${part} of ${noun} changed`;
	}
	return `${noun} was ${toWords(change)}`;
}

/** The event types seen in public, in the order of the editor's lists. */
export const eventTypes = [...recommendedEventTypes, ...otherEventTypes].map((value) => ({
	name: toTitleCase(value),
	value,
	description: `${value}: ${describeChange(value)}`,
}));

/** What the trigger's panel shows. */
export const steps = `
<ol>
<li>Copy the <b>test URL</b> and select <b>Execute step</b> to listen. For production, copy the <b>production URL</b> and publish the workflow.</li>
<li>In the service's dashboard, under Webhooks, register that URL with the event types selected under Trigger On. Put the endpoint's secret into the credential.</li>
<li>In the service's dashboard, open that endpoint and send a test event. In the sandbox of this package, select Webhooks, then Send, or create a transaction.</li>
</ol>
<p>If the URL must stay the same when this node is copied, added anew, or imported elsewhere, add the option <b>Path</b>.</p>`;

/** What AI builders read in the node's type definition, where n8n makes a comment of it. */
export const outputFields = [
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

const optionFields: INodeProperties[] = [
	{
		displayName: 'Additional Event Types',
		name: 'additionalEventTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. PAYOUT.CREATED, PAYOUT.FAILED',
		description: "Event types that the list doesn't have, separated by commas",
	},
	{
		displayName: 'Deduplicate (Minutes)',
		name: 'deduplicate',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_MINUTES, numberPrecision: 0 },
		default: DEFAULT_TOLERANCE_MINUTES,
		description:
			'For how many minutes after its last delivery an acknowledged event that is delivered again is acknowledged without running the workflow again: at least 120, and at least the timestamp tolerance. 5 minutes are added, because a signature can be that much in the future. 0 turns it off: each delivery runs the workflow.',
		builderHint: { propertyHint: 'Leave it out' },
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		placeholder: 'e.g. payments',
		description:
			"End of the URL, so that it stays the same when the node is copied, added anew, or imported elsewhere. Without a path, n8n makes one for each node. Two published workflows can't have the same path.",
		builderHint: { propertyHint: 'Leave it out, unless the user names a path' },
	},
	{
		displayName: 'Timestamp Tolerance (Minutes)',
		name: 'timestampTolerance',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_MINUTES, numberPrecision: 0 },
		default: DEFAULT_TOLERANCE_MINUTES,
		description:
			'How many minutes old a signature may be. It must be longer than the service retries, unless it signs each attempt anew. Applies to signature schemes with a timestamp.',
	},
];

export const properties: INodeProperties[] = [
	// By n8n's guidelines, a parameter with this name needs no description.
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'All Events',
				value: ALL_EVENTS,
				description: 'Every event type, including those not in this list',
			},
			...eventTypes,
		],
		default: [...recommendedEventTypes],
		builderHint: {
			propertyHint: "An array, such as ['PAYMENT.STATUS_UPDATED']; ['*'] takes every event type.",
		},
	},
	{
		displayName: 'Respond',
		name: 'responseMode',
		type: 'options',
		options: [
			{
				name: 'Immediately',
				value: 'onReceived',
				description: 'Once n8n has stored the execution. The service never retries the event.',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description:
					'With 200 if the workflow succeeds, or 500 if it fails, so that the service retries the event',
			},
		],
		default: 'onReceived',
		description: 'When to respond to a delivery',
		builderHint: {
			propertyHint:
				"Leave it out, unless the service must retry an event whose execution fails: then 'lastNode', and no Wait or Send and Wait node in the workflow. One that ends without items has succeeded.",
		},
	},
	{
		displayName:
			'If the workflow pauses, such as at a Wait node, n8n responds with 200 at that point. The service then never retries the event.',
		name: 'pauseNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseMode: ['lastNode'] } },
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'None', value: 'none', description: 'Anyone who knows the URL can run the workflow' },
			{
				name: 'Webhook Signature',
				value: 'webhookSignature',
				description: "Only deliveries signed with the webhook endpoint's secret run the workflow",
			},
		],
		default: 'webhookSignature',
		description: 'How to verify that a delivery comes from the service',
		builderHint: {
			propertyHint:
				"Keep 'webhookSignature', and add the credential. 'none' lets anyone who knows the URL start the workflow with made-up events.",
		},
	},
	{
		displayName:
			'Anyone who learns the webhook URL can run this workflow with made-up events. Use this only for a first try.',
		name: 'noAuthenticationNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	...collection({
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add Option',
		options: optionFields,
	}),
];
