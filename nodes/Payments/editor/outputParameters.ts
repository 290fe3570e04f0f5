import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { OutputSettings } from '../results';

export const showOnlyForTransactionCreate = { resource: ['transaction'], operation: ['create'] };

/**
 * n8n's guidelines ask for *Simplify* on a node, and for *Output* where it is the tool of an agent.
 * `@tool` tells them apart (`displayParameter` in n8n-workflow), so only one of them
 * has a value.
 */
export const outputParameters: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		displayOptions: { show: { ...showOnlyForTransactionCreate, '@tool': [false] } },
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		builderHint: {
			propertyHint:
				"Keep true. Items have outcome, externalId, amount, currency, message (why it isn't recorded), recipientEntityId, reference, status, and eventId. They have no other fields of the input: read those with {{ $('Name of the node').item.json }}.",
		},
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: { show: { ...showOnlyForTransactionCreate, '@tool': [true] } },
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The fields that are needed most, at most 10',
			},
			{ name: 'Raw', value: 'raw', description: 'All fields' },
			{
				name: 'Selected Fields',
				value: 'selectedFields',
				description: 'The outcome, the Event ID, and the fields that you select',
			},
		],
		default: 'simplified',
		description: 'How much of the result the model gets',
	},
	{
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		displayOptions: {
			show: { ...showOnlyForTransactionCreate, '@tool': [true], output: ['selectedFields'] },
		},
		options: [
			{ name: 'Amount', value: 'amount' },
			{ name: 'Created At', value: 'createdAt' },
			{ name: 'Currency', value: 'currency' },
			{ name: 'Description', value: 'description' },
			{ name: 'External ID', value: 'externalId' },
			{ name: 'ID', value: 'id' },
			{ name: 'Message', value: 'message' },
			{ name: 'Recipient Entity ID', value: 'recipientEntityId' },
			{ name: 'Reference', value: 'reference' },
			{ name: 'Sender Entity ID', value: 'senderEntityId' },
			{ name: 'Status', value: 'status' },
			{ name: 'Status Code', value: 'statusCode' },
		],
		default: ['message', 'externalId'],
		description:
			"What the model gets besides the outcome and the Event ID. If the transaction isn't recorded, it also gets the reason.",
	},
];

/**
 * Reads how much to put out, once for all items.
 *
 * @param includeStatusCode the option, which a tool that selects *Status Code* doesn't need
 */
export function readOutputSettings(
	context: IExecuteFunctions,
	includeStatusCode: boolean,
): OutputSettings {
	const read = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, 0, fallback);
	const isRaw = String(read('simplify', true)) === 'false';
	const mode = read('output', isRaw ? 'raw' : 'simplified');
	if (mode === 'raw') return { mode, includeStatusCode };
	if (mode !== 'selectedFields') return { mode: 'simplified', includeStatusCode };
	const selected = read('outputFields', []);
	const fields = Array.isArray(selected) ? selected.map(String) : [];
	return { mode, fields, includeStatusCode: fields.includes('statusCode') };
}
