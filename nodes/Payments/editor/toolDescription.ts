import type { INodeProperties } from 'n8n-workflow';

const DESCRIPTION = `Records one transaction with the payments service. Call it once for each.
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
	default: DESCRIPTION,
	description: 'What the model reads to decide when and how to use this tool',
	builderHint: {
		propertyHint: 'Leave it out: its default has the formats and the rules that a model needs.',
	},
};
