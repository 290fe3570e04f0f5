import type { INodeProperties, INodeTypeBaseDescription } from 'n8n-workflow';

/* What AI models read about the node: those that build workflows, and agents that use it. */

/** n8n's builder reads no output schema, so it reads here what the node puts out. */
const OUTPUT = [
	`<output>
One item for each input item, paired and in order. Other fields of the input: {{ $('Name of the node').item.json }}.
{
  outcome: string, message: string,
  externalId: string, amount: string, currency: string, recipientPaymentChannelId: string,   // if invalid, as in the input
  // Only if it isn't a success:
  fix: string, idempotencyKey: string, lastAttemptAt: string, attempts: number, requestId: string,`,
	`  sentEventId: string, statusCode: number, response: string   // of all with options: { includeResponse: true }, and then
  responseHeaders: object
}`,
	`outcome is one of:
'created'    // recorded, or accepted
'duplicate'  // recorded before: the first values count
'rejected'   // refused: correct it, run it again with the same externalId
'invalid'    // wrong input, beyond a limit, or a repeat in the run: not sent
'notSent'    // not processed: run it again as it is
'unknown'    // maybe recorded: run it again as it is, while the service remembers it
'dryRun'     // valid, not sent`,
	`By default, one invalid item stops the node before anything is sent, and then the first item that isn't created. With onError: 'continueRegularOutput', every item has its outcome, and retryOnFail does nothing. With 'continueErrorOutput', what isn't recorded takes the second output, over its input: externalId, amount, currency, recipientPaymentChannelId are the input's own.`,
	`If a payment of the service is REJECTED, FAILED, or RETURNED, its transaction stays recorded. A person decides to try again, with an externalId of its own, such as INV-7-2.
</output>`,
];

const PATTERNS = [
	`<patterns>
<pattern title="Record the rows, and mark those that are recorded">
Rows that are recorded must not be selected again. So branch on outcome: created and duplicate update the row, and a person gets the rest with message and fix. If a row can be selected again after the service has forgotten it, mark it before, with the time. What has a mark and no result, and no run that still sends it, goes again as it is while the service remembers it. Show a person what is older, or was changed.`,
	`const record = node({
  type: 'n8n-nodes-payments.payments', version: 1,
  config: { name: 'Record', onError: 'continueRegularOutput', parameters: {
    resource: 'transaction', operation: 'create', specifyTransaction: 'fields',
    amount: expr('{{ $json.total }}'), currency: 'EUR',
    externalId: expr('{{ $json.id }}'), reference: expr('{{ $json.text }}'),
    externalCreatedAt: expr('{{ $json.booked }}'),
    senderExternalEntityId: 'our-shop' // … the rest
  } }
});
</pattern>`,
	`<pattern title="Amounts">
Round what is calculated: expr('{{ ($json.net * 1.19).round(2) }}'). Cents: expr('{{ ($json.cents / 100).toFixed(2) }}'). JPY has no decimals ('1250'), KWD three ('1.250'). Text such as 1.250,00: options: { decimalSeparator: 'comma' }. 1.250 alone can be 1250, so it is invalid without decimalSeparator. In the expression, remove currency signs.
</pattern>`,
	`<pattern title="All or nothing">
The node with options: { dryRun: true } and onError: 'continueRegularOutput', an If that every item is dryRun, and then the same node without dryRun, with the same limits. A dry run doesn't ask the service, so it knows no duplicates.
</pattern>
</patterns>`,
];

/** What n8n's AI workflow builder reads about the node. The type definitions show no defaults. */
export const builderHint: INodeTypeBaseDescription['builderHint'] = {
	searchHint:
		"Records movements of funds, in or out, with a payments service: one transaction for each input item, from a sender to a recipient. Whether the service also moves the money is up to it. The same externalId, externalStatus, sender, and recipient count once, while the service remembers them (often 24 hours). Each output item has an outcome, message, and fix. For results by item, set onError: 'continueRegularOutput'. paymentScheme and externalCreatedAt are never empty.",
	extraTypeDefContent: [...OUTPUT, ...PATTERNS].map((content) => ({ content })),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-base.dataTable',
			relationHint:
				'Choose the table by ID: n8n also takes a table whose name only contains the name',
		},
		{
			nodeType: 'n8n-nodes-base.splitInBatches',
			relationHint: 'Only for more than 10,000 items: Loop Over Items in batches of 1,000',
		},
		{
			nodeType: 'n8n-nodes-payments.paymentsTrigger',
			relationHint: 'If the service also pays, an event says later whether money moved',
		},
	],
};

const TOOL_DESCRIPTION = `Records one transaction with the payments service. Call it once for each.
Entity IDs name the sender and the recipient; a payment channel ID names their account or wallet. The payment scheme is how the money moves: SCT and SEPA for euros, FPS for pounds.
Never invent an ID: take the External ID, such as the invoice number, and all other IDs from what you were given. The creation time is the invoice's or order's.
Formats: amounts as text with a dot and without thousands separators, such as 120.00; currencies as three letters, such as EUR; countries as two letters, such as DE; dates and times as ISO 8601.
A transaction is its External ID between two entities. Calling it again on the same day is safe: the service records it once, and the outcome is "duplicate". With another amount, it can stay "unknown": then tell the user.
Returns "outcome", "message", "fix", and what was sent. The service has it only if the outcome is "created" or "duplicate". If it is "unknown", call again soon with the same values. If it is "invalid", correct how the values are written, as "fix" says. Never change or split one to get it through: tell the user.`;

/**
 * What a model reads about the node as the tool of an agent. n8n adds a parameter of this
 * name to each tool, with the action as its text, unless the node has one (`convertNodeToAiTool`).
 */
export const toolDescription: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	required: true,
	typeOptions: { rows: 4 },
	displayOptions: { show: { '@tool': [true] } },
	default: TOOL_DESCRIPTION,
	description: 'What the model reads to decide when and how to use this tool',
	builderHint: {
		propertyHint: 'Leave it out: its default has the formats and the rules that a model needs.',
	},
};
