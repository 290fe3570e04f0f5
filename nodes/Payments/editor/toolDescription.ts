import type { INodeProperties } from 'n8n-workflow';

const DESCRIPTION = `Records one payment with the payments service. Call it once for each payment.
Entity IDs name who pays and who is paid; a payment channel ID names their account or wallet. The payment scheme is how the money moves: SCT and SEPA for euros, FPS for pounds.
Never invent an ID: take the External ID, such as the invoice number, and all other IDs from what you were given. The time of creation may be empty.
Formats: amounts as text with a dot and without thousands separators, such as 120.00; currencies as three letters, such as EUR; countries as two letters, such as DE; dates and times as ISO 8601.
A payment is its External ID between two entities. Calling it again is safe: the service records it once, and the outcome is "duplicate", also if the amount is another.
Returns "outcome", "message", "fix", and what was sent. The payment is recorded only if the outcome is "created" or "duplicate". If it is "unknown", call again soon with the same values. If it is "invalid", correct how the values are written, as "fix" says. Never change or split a payment to get it through: tell the user.`;

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
