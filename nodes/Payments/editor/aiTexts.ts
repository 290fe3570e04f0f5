import type { INodeProperties, INodeTypeBaseDescription } from 'n8n-workflow';

/* What AI models read about the node: those that build workflows, and agents that use it. */

/** n8n's builder reads no output schema, so it reads here what the node puts out. */
const OUTPUT = `<output>
One item for each input item, paired and in order. Fields without a value are left out, and no field of the input is added: read those with {{ $('Name of the node').item.json }}.
{
  outcome: 'created'      // recorded now: accepted, and only an event says that money moved
         | 'duplicate'    // recorded before, or maybe by an attempt of this run: not created again
         | 'rejected'     // by the service: not recorded, so correct it and run it again with the same externalId
         | 'invalid'      // wrong input or beyond a limit: not sent
         | 'notSent'      // busy or unreachable: not sent, run it again later
         | 'unknown'      // maybe recorded: run it again soon with the same values, within the time for which the service remembers Event IDs (often 24 hours)
         | 'dryRun',      // valid, and not sent because of the option dryRun
  externalId: string, amount: string, currency: string, recipient: string,
  message: string, fix: string,   // what happened, and what to do
  eventId: string, statusCode: number, responseHeaders: object, response: unknown
}
A transaction whose event says REJECTED, FAILED, or RETURNED stays recorded. If a person decides to try again, it needs an externalId of its own, such as INV-7-2.
All items are checked before the first is sent. By default, one invalid item stops the node before that, and then the first item that is not recorded. With onError: 'continueRegularOutput', every item has its outcome. With 'continueErrorOutput', items that are not recorded take the second output.
</output>`;

const PATTERNS = `<patterns>
<pattern title="Record the rows, and mark those that are recorded">
Rows that are recorded must not be selected again, so write the result to what selects them. The service recognizes a repeat only for a time, often 24 hours. If they can be selected again later, mark them before, too, and let a person look up those without a result.
const record = node({
  type: 'n8n-nodes-payments.payments', version: 1,
  config: { name: 'Record', onError: 'continueRegularOutput', parameters: {
    resource: 'transaction', operation: 'create', specifyTransaction: 'fields',
    amount: expr('{{ $json.total }}'),             // number or text such as 1250.00
    currency: 'EUR',
    externalId: expr('{{ $json.invoice_no }}'),    // what recurs with its period: EMP-7-2026-11
    reference: expr('{{ $json.invoice_no }}'),
    externalCreatedAt: expr('{{ $json.issued_at }}'),
    recipientExternalEntityId: expr('{{ $json.supplier_id }}'),
    recipientExternalPaymentChannelId: expr('{{ $json.account_id }}'),
    recipientCountryCode: expr('{{ $json.country }}'),
    senderExternalEntityId: 'our-company', senderExternalPaymentChannelId: 'our-account',
    senderCountryCode: 'DE', paymentScheme: 'SCT'
  } }
});
// Then a Switch on {{ $json.outcome }}: created and duplicate update the row; tell a person about the rest with message and fix.
</pattern>
<pattern title="Amounts">
Cents: expr('{{ ($json.cents / 100).toFixed(2) }}'). JPY has no decimals ('1250'), KWD has three ('1.250'). Text such as 1.250,00: options: { decimalSeparator: 'comma' }. With it, 1.250 alone is invalid in EUR: remove dots that are surely for thousands, and currency signs, in the expression.
</pattern>
<pattern title="All or nothing">
The node with options: { dryRun: true } and onError: 'continueRegularOutput', an If that every item is dryRun, and then the same node without dryRun. A dry run doesn't ask the service, so it knows no duplicates.
</pattern>
</patterns>`;

/** What n8n's AI workflow builder reads about the node. The type definitions show no defaults. */
export const builderHint: INodeTypeBaseDescription['builderHint'] = {
	searchHint:
		"Creates transactions in a payments service, one for each input item. Each output item has outcome (created, duplicate, rejected, invalid, notSent, unknown, dryRun), message, and fix. A transaction is its externalId between two entities: recorded once while the service remembers it (often 24 hours), so what recurs needs the period in it. paymentScheme and externalCreatedAt are never empty. For results by item, set onError: 'continueRegularOutput', then a Switch on {{ $json.outcome }}.",
	extraTypeDefContent: [{ content: OUTPUT }, { content: PATTERNS }],
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-base.switch',
			relationHint: 'Branch on {{ $json.outcome }}',
		},
		{
			nodeType: 'n8n-nodes-base.dataTable',
			relationHint:
				'Choose the table by ID. By name, n8n takes any whose name contains it, so no name may be a part of another',
		},
		{
			nodeType: 'n8n-nodes-base.splitInBatches',
			relationHint: 'Only for more than 10,000 items: Loop Over Items in batches of 1,000',
		},
		{
			nodeType: 'n8n-nodes-payments.paymentsTrigger',
			relationHint: 'Recorded means accepted: an event says later whether money moved',
		},
	],
};

const TOOL_DESCRIPTION = `Records one transaction with the payments service. Call it once for each.
Entity IDs name the sender and the recipient; a payment channel ID names their account or wallet. The payment scheme is how the money moves: SCT and SEPA for euros, FPS for pounds.
Never invent an ID: take the External ID, such as the invoice number, and all other IDs from what you were given. The creation time is the invoice's or order's.
Formats: amounts as text with a dot and without thousands separators, such as 120.00; currencies as three letters, such as EUR; countries as two letters, such as DE; dates and times as ISO 8601.
A transaction is its External ID between two entities. Calling it again is safe: the service records it once, and the outcome is "duplicate", also if the amount is another.
Returns "outcome", "message", "fix", and what was sent. It is recorded only if the outcome is "created" or "duplicate". If it is "unknown", call again soon with the same values. If it is "invalid", correct how the values are written, as "fix" says. Never change or split one to get it through: tell the user.`;

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
